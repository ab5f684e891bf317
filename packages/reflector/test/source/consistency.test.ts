import { findInconsistency } from "@listwatch/reflector";
import { expect, test } from "vitest";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { start } from "../support/running.ts";

async function copied(): Promise<{
  cluster: Cluster;
  objects: ConfigMap[];
  resourceVersion: string;
}> {
  const cluster = new Cluster();
  for (const name of ["a", "b", "c"]) await cluster.create(name, { data: { of: name } });
  const { store, reflector, stop } = await start(cluster.clock, cluster.source());
  await stop();
  const { lastSyncResourceVersion: resourceVersion } = reflector;
  return { cluster, objects: [...store.objects.values()], resourceVersion };
}

const find = ({ cluster, ...copy }: Awaited<ReturnType<typeof copied>>) =>
  findInconsistency({ ...copy, listerWatcher: cluster.source(), clock: cluster.clock });

test("an exact copy is consistent, in any order and after later changes of the collection", async () => {
  const copy = await copied();
  await copy.cluster.delete("a");
  expect(await find({ ...copy, objects: copy.objects.toReversed() })).toBeUndefined();
});

test("a wrong copy is reported with missing, extra and different objects", async () => {
  const copy = await copied();
  const [a, b] = copy.objects;
  if (a === undefined || b === undefined) throw new Error("Expected three objects");
  const stranger = { metadata: { name: "x", namespace: "default", uid: "u" } };
  const objects = [{ ...a, data: { of: "z" } }, { ...b }, stranger];
  expect(await find({ ...copy, objects })).toMatchObject({
    code: "LW_INCONSISTENT",
    missing: ["default/c"],
    extra: ["default/x"],
    different: ["default/a"],
  });
});

test("the list goes through the same transform as the copy", async () => {
  const copy = await copied();
  const transform = (object: ConfigMap): ConfigMap => {
    if (object.data?.["of"] === "b") throw new Error("left out");
    return { ...object, data: {} };
  };
  const objects = copy.objects.filter(({ data }) => data?.["of"] !== "b").map(transform);
  const { cluster, resourceVersion } = copy;
  const listerWatcher = cluster.source();
  expect(
    await findInconsistency({ resourceVersion, objects, transform, listerWatcher }),
  ).toBeUndefined();
});

test("a failed list is requested again every second", async () => {
  const copy = await copied();
  const unavailable = { type: "status", status: { code: 503 } } as const;
  copy.cluster.api.control.faults.add({ action: unavailable, times: 2 });
  let found: unknown = "pending";
  const searched = find(copy).then((result) => (found = result));
  await copy.cluster.clock.advance(1999);
  expect(found).toBe("pending");
  await copy.cluster.clock.advance(1);
  await searched;
  expect(found).toBeUndefined();
});

test("a copy without an exact resourceVersion is not compared", async () => {
  const copy = await copied();
  expect(await find({ ...copy, objects: [], resourceVersion: "0" })).toBeUndefined();
});
