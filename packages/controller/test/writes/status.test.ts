import { beforeEach, describe, expect, test } from "vitest";
import { writeStatus } from "@listwatch/controller";
import { Cluster } from "../support/cluster.ts";

let cluster: Cluster;

interface Pod {
  readonly metadata: {
    readonly namespace?: string;
    readonly name: string;
    readonly resourceVersion?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: object;
  readonly status?: { readonly message?: string };
}

beforeEach(() => {
  cluster = new Cluster();
});

describe("writeStatus", () => {
  test("recomputes the status from the server's object after a conflict, and does not write an unchanged one", async () => {
    const pods = cluster.client.resource<Pod>({ group: "", version: "v1", resource: "pods" });
    const spec = { containers: [{ name: "main", image: "example" }] };
    const stale = await pods.create({ metadata: { namespace: "default", name: "web" }, spec });
    await pods.patch("default/web", { metadata: { labels: { a: "b" } } });
    const bases: (string | undefined)[] = [];
    const writing = writeStatus(
      pods,
      stale,
      (pod) => {
        bases.push(pod.metadata.resourceVersion);
        return { ...pod.status, message: "fine" };
      },
      { clock: cluster.clock },
    );
    await cluster.clock.advance(100);
    const written = await writing;
    expect(bases).toHaveLength(2);
    expect(bases[0]).not.toBe(bases[1]);
    expect(written.status?.message).toBe("fine");
    const again = await writeStatus(pods, written, (pod) => ({ ...pod.status, message: "fine" }));
    expect(again).toBe(written);
  });
});
