// Code that must compile and, after each `@ts-expect-error`, must not, with types and handles from
// `listwatch generate` (TYP-5, TGEN-2, TGEN-3, TGEN-4, TGEN-5).
import { createClient, createConnection, type Draft } from "@listwatch/client";
import { writeStatus } from "@listwatch/controller";
import type { Cached } from "@listwatch/core-fifo";
import type { Scale } from "@listwatch/resources/autoscaling/v1";
import {
  databases,
  delete_,
  scalesV1,
  scalesV1beta1,
  type Database,
} from "./custom-resources.generated.ts";

const client = createClient(createConnection({ server: "http://127.0.0.1:8001" }));
const metadata = { namespace: "shop", name: "orders" };

/** Custom kinds are typed like those of Kubernetes. */
export async function writes(): Promise<void> {
  const made = await client.resource(databases).create({ metadata, spec: { engine: "postgres" } });
  const labels: { [key: string]: string } | undefined = made.metadata.labels;
  made.spec.replicas = 2;
  // @ts-expect-error not among the engines
  await client.resource(databases).create({ metadata, spec: { engine: "oracle" } });
  // @ts-expect-error the engine is required
  await client.resource(databases).create({ metadata, spec: {} });
  // @ts-expect-error the spec is required
  await client.resource(databases).create({ metadata });
  // @ts-expect-error no such tier
  made.spec.tier = 4;
  // @ts-expect-error the key of a list element
  await client.resource(databases).apply({ metadata, spec: { users: [{ roles: ["reader"] }] } });
  const users = [{ name: "root", host: "%" }];
  await client.resource(databases).apply({ metadata, spec: { users } });
  console.log(labels);
}

/** Members that a definition leaves open can be written, and are unknown when read. */
export function opens(database: Database): Draft<Database> {
  const { anything, backup, claim, limits, mode, port, ports, settings, template, tuning } =
    database.spec;
  // @ts-expect-error arbitrary JSON
  console.log(anything.length, backup?.bucket, mode === null);
  const cache: string | undefined = tuning?.cache;
  // @ts-expect-error the definition lacks this field
  const other: string = tuning?.["other"];
  const limit: number | string | null | undefined = limits?.["cpu"];
  const size: string | undefined = claim?.spec?.size;
  const kinds: (string | undefined)[] = [claim?.kind, template?.kind, template?.metadata?.name];
  console.log(cache, other, limit, size, kinds, settings?.["a"], port, ports);
  return {
    metadata,
    spec: {
      engine: "mysql",
      mode: null,
      backup: null,
      port: 5432,
      ports: ["http", 80],
      anything: [1, "two"],
      settings: { deep: { er: true } },
      tuning: { cache: "1Gi", other: 1 },
      template: { apiVersion: "v1", kind: "Pod", spec: {} },
    },
  };
}

/** The scale is Kubernetes', even next to a kind with that name. */
export async function scales(): Promise<void> {
  const scale: Scale = await client.resource(databases).subresource("scale").get("shop/orders");
  await client.resource(databases).subresource("scale").update("shop/orders", scale);
  const old: string | undefined = (await client.resource(scalesV1beta1).get("a")).spec.weight;
  const present: number | undefined = (await client.resource(scalesV1).get("a")).spec.weight;
  const { kind } = await client.resource(delete_).get("a");
  const name: "Resource" = kind;
  console.log(old, present, name);
  // @ts-expect-error it has no subresource
  client.resource(scalesV1).subresource("scale");
}

/** The result of the callback has the type of the status, words of enums included. */
export async function statuses(cached: Cached<Database>, isUp: boolean): Promise<void> {
  const databaseClient = client.resource(databases);
  await writeStatus(databaseClient, cached, () => ({
    conditions: [{ type: "Available", status: isUp ? "True" : "False" }],
  }));
  await writeStatus(databaseClient, await databaseClient.get("shop/orders"), ({ status }) => {
    const others = status?.conditions?.filter(({ type }) => type !== "Available") ?? [];
    const phase = isUp ? "Up" : "Down";
    return {
      ...status,
      phase,
      conditions: [...others, { type: "Available", status: isUp ? "True" : "False" }],
    };
  });
  await writeStatus(databaseClient, cached, ({ metadata: { generation = 0 } }) => ({
    phase: null,
    replicas: generation,
  }));
  await writeStatus(databaseClient, cached, () => ({
    // @ts-expect-error no such status of a condition
    conditions: [{ type: "Available", status: isUp ? "Yes" : "No" }],
  }));
  // @ts-expect-error no such member of a status
  await writeStatus(databaseClient, cached, () => ({ phaze: "Up" }));
}
