import { createClient, createConnection, type ResourceClient } from "@listwatch/client";
import type { Cached, KubernetesObject } from "@listwatch/core-fifo";
import { writeStatus, type StatusOf } from "@listwatch/controller";
import { describe, expectTypeOf, test } from "vitest";
import { server } from "../support/cluster.ts";

interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  message?: string;
}
interface Site {
  apiVersion?: string;
  kind?: string;
  metadata: { name: string; namespace: string };
  spec: { host: string };
  status?: { replicas?: number; conditions?: Condition[] };
}
interface Loose extends KubernetesObject {
  [member: string]: unknown;
}

const client = createClient(createConnection({ server }));
const at = { group: "example.com", version: "v1", resource: "sites" };
const sites: ResourceClient<Site> = client.resource<Site>(at);

describe("the type of a written status", () => {
  test("is a partial of the object's status, with null where a merge patch removes members", () => {
    void (async (site: Site, cached: Cached<Site>) => {
      const written = await writeStatus(sites, site, () => ({ replicas: 1 }));
      expectTypeOf(written).toEqualTypeOf<Cached<Site> | Site>();
      await writeStatus(sites, cached, ({ status }) => ({ ...status, replicas: null }));
      const ready = { type: "Ready", status: "True" } as const;
      const compute = ({ status }: Site | Cached<Site>): StatusOf<Site> => ({
        conditions: [...(status?.conditions ?? []), ready],
      });
      await writeStatus(sites, cached, compute);
      await writeStatus(sites, cached, ({ status }) => status);
      // @ts-expect-error -- an invalid value of a condition
      await writeStatus(sites, site, () => ({ conditions: [{ type: "Ready", status: "Treu" }] }));
      // @ts-expect-error -- misspelt
      await writeStatus(sites, site, () => ({ replicaz: 1 }));
      // @ts-expect-error -- another type
      await writeStatus(sites, cached, () => ({ replicas: "x" }));
      // @ts-expect-error -- not a status
      await writeStatus(sites, cached, () => "ready");
    });
  });

  test("accepts anything where the object has no status type", () => {
    const anything = { conditions: [{ status: "Treu" }], replicaz: "x" };
    void (async (plain: KubernetesObject, loose: Loose) => {
      await writeStatus(client.resource(at), plain, () => anything);
      await writeStatus(client.resource<Loose>(at), loose, () => anything);
    });
    expectTypeOf<StatusOf<KubernetesObject>>().toBeUnknown();
    expectTypeOf<StatusOf<Loose>>().toBeUnknown();
    expectTypeOf<StatusOf<{ metadata: { name: string } }>>().toBeUnknown();
  });
});
