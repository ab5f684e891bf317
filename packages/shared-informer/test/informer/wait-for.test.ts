import { isDeleted, waitFor } from "@listwatch/client";
import { SharedInformer } from "@listwatch/shared-informer";
import { expect, test } from "vitest";
import { Cluster, type ConfigMap } from "../support/cluster.ts";

test("a wait for a condition sees what the informer sees, and asks the server nothing", async () => {
  const cluster = new Cluster(1);
  await cluster.create("default/a");
  await cluster.create("default/b");
  const informer = new SharedInformer<ConfigMap>({
    listerWatcher: cluster.source(),
    clock: cluster.clock,
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  const options = { clock: cluster.clock };
  const changed = waitFor(informer, "default/a", (map) => map?.data?.["x"] === "1", options);
  const deleted = waitFor(informer, "default/b", isDeleted, options);
  const never = waitFor(informer, "default/c", (map) => map !== undefined, options);
  await cluster.clock.advance(1000);
  await cluster.update("default/a", { data: { x: "1" } });
  await cluster.delete("default/b");
  await cluster.clock.advance(1000);
  expect((await changed)?.data).toEqual({ x: "1" });
  expect(await deleted).toBeUndefined();
  const failure = never.catch((error: unknown) => String(error));
  stop.abort();
  await cluster.clock.advance(0);
  await running;
  expect(await failure).toContain(
    "default/c is not as the condition wants it: the informer has stopped; last seen: it does not exist",
  );
});
