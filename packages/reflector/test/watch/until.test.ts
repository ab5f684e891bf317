import { silentLog } from "@listwatch/core-fifo";
import type { WatchEvent } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { until, type WatchCondition } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { untilWithoutRetry } from "../../src/watch/until.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";

const named =
  (name: string): WatchCondition<ConfigMap> =>
  ({ type, object }) =>
    type === "ADDED" && object.metadata?.name === name;

async function waiting(
  conditions: readonly WatchCondition<ConfigMap>[],
  signal?: AbortSignal,
): Promise<{ cluster: Cluster; result: Promise<WatchEvent<ConfigMap> | undefined> }> {
  const cluster = new Cluster();
  const result = until({
    listerWatcher: cluster.source(),
    resourceVersion: String(cluster.api.control.revision),
    conditions,
    signal,
    clock: cluster.clock,
    log: silentLog,
  });
  result.catch(() => undefined);
  await cluster.clock.settle();
  return { cluster, result };
}

describe("until", () => {
  test("resolves with the event that met the last condition, across a broken connection", async () => {
    const { cluster, result } = await waiting([named("a"), named("b")]);
    await cluster.create("b");
    await cluster.create("a");
    await cluster.clock.settle();
    cluster.api.control.watches.reset();
    await cluster.delete("b");
    await cluster.create("b");
    await cluster.clock.advance(1000);
    expect(await result).toMatchObject({ type: "ADDED", object: { metadata: { name: "b" } } });
    expect(cluster.clock.pendingTimers).toBe(0);
  });

  test("checks the next condition on the event that met the previous one", async () => {
    const seen: string[] = [];
    const { cluster, result } = await waiting([
      named("a"),
      async ({ object }) => {
        seen.push((object as ConfigMap).metadata?.name ?? "");
        return true;
      },
    ]);
    await cluster.create("a");
    await cluster.clock.settle();
    await result;
    expect(seen).toEqual(["a"]);
  });

  test("resolves immediately without conditions", async () => {
    const { result } = await waiting([]);
    expect(await result).toBeUndefined();
  });

  test("rejects when the history has expired", async () => {
    const { cluster, result } = await waiting([named("a"), named("b")]);
    await cluster.create("a");
    await cluster.clock.settle();
    cluster.api.control.watches.list()[0]?.sendError({ code: 410 });
    await cluster.clock.settle();
    await expect(result).rejects.toMatchObject({
      code: "LW_WATCH_CLOSED",
      message: "Cannot wait any longer: the watch ended with 1 of 2 conditions met",
      lastEvent: { type: "ERROR" },
    });
  });

  test("rejects on abort with the reason and the last event", async () => {
    const controller = new AbortController();
    const { cluster, result } = await waiting([named("b")], controller.signal);
    await cluster.create("a");
    await cluster.clock.settle();
    const reason = new Error("too late");
    controller.abort(reason);
    await expect(result).rejects.toMatchObject({
      code: "LW_WAIT_INTERRUPTED",
      cause: reason,
      lastEvent: { object: { metadata: { name: "a" } } },
    });
  });

  test("rejects with the exception of a condition", async () => {
    const defect = new Error("a defect of the condition");
    const { cluster, result } = await waiting([
      () => {
        throw defect;
      },
    ]);
    await cluster.create("a");
    await expect(result).rejects.toBe(defect);
  });

  test("ends with the watch when retries are disabled", async () => {
    const watch = (async function* () {
      yield [{ type: "ADDED", object: { metadata: { name: "a" } } }] as const;
    })();
    await expect(
      untilWithoutRetry<ConfigMap>(watch, { conditions: [named("b")] }),
    ).rejects.toMatchObject({
      code: "LW_WATCH_CLOSED",
    });
  });

  test("closes the watch when it has no conditions, too (RST-6)", async () => {
    const cluster = new Cluster();
    const { signal } = new AbortController();
    const watch = await cluster.source().watch({ resourceVersion: "0" }, { signal });
    expect(cluster.api.control.watches.list()).toHaveLength(1);
    expect(await untilWithoutRetry(watch, { conditions: [] })).toBeUndefined();
    await cluster.clock.settle();
    expect(cluster.api.control.watches.list()).toEqual([]);
  });

  test.each([
    ["the watch is silent", () => new Promise<never>(() => undefined), undefined],
    ["a condition is pending", undefined, () => new Promise<never>(() => undefined)],
  ])("ends when it is aborted while %s", async (_, silence, pending) => {
    const watch = (async function* () {
      yield { type: "ADDED", object: { metadata: { name: "a" } } } as const;
      await silence?.();
    })();
    const controller = new AbortController();
    const result = untilWithoutRetry<ConfigMap>(watch, {
      conditions: [named("a"), pending ?? named("b")],
      signal: controller.signal,
    });
    result.catch(() => undefined);
    await new SimulatedClock().settle();
    controller.abort();
    await expect(result).rejects.toMatchObject({
      code: "LW_WAIT_INTERRUPTED",
      lastEvent: { type: "ADDED" },
    });
  });
});
