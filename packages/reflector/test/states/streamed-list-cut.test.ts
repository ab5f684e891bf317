import { Preset } from "@listwatch/core-fifo/base";
import { clientGoBehaviour } from "@listwatch/reflector";
import type { FaultAction } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { clientGoValues } from "../../src/options/settings.ts";
import { Cluster } from "../support/cluster.ts";
import { start, type StartOptions } from "../support/running.ts";

async function cutting(action: FaultAction, options: StartOptions = {}) {
  const cluster = new Cluster();
  for (const name of ["a", "b", "c"]) await cluster.create(name);
  cluster.api.control.faults.add({
    match: { verb: "watch", query: { sendInitialEvents: "true" } },
    action,
    times: Infinity,
  });
  // The server counts sent events by their line feeds.
  const source = cluster.source({ encoding: "json" });
  const running = await start(cluster.clock, source, options);
  return { cluster, ...running };
}

describe("a streamed list that is always cut (REF-25)", () => {
  test.each([
    ["closed", "LW_STREAMED_LIST_CUT", { type: "end", after: { events: 2 } } as const],
    ["reset", "LW_NETWORK", { type: "resetBody", after: { events: 2 } } as const],
  ])("is reported, and becomes a list after two in a row: %s", async (_, code, action) => {
    const { cluster, errors, store, stop } = await cutting(action);
    await cluster.clock.advance(3_600_000);
    expect(errors).toMatchObject([
      { operation: "watch", recovery: "reopen", error: { code } },
      { operation: "watch", recovery: "list", error: { code } },
    ]);
    expect(cluster.requests().slice(0, 3)).toEqual([
      'watch-list ""',
      'watch-list ""',
      "list 0 limit 500",
    ]);
    expect(store.state()).toEqual(await cluster.state());
    await stop();
  });

  test("reports the number of objects received", async () => {
    const { errors, stop } = await cutting({ type: "end", after: { events: 2 } });
    expect(errors[0]?.error).toMatchObject({
      code: "LW_STREAMED_LIST_CUT",
      message:
        "Cannot list reflector: the server ended the streamed list after 2 objects, before it was complete",
    });
    await stop();
  });

  test("is requested without a limit with client-go's behaviour", async () => {
    const patient = new Preset("clientGoBehaviour", { ...clientGoValues, maxImmediateRetries: 10 });
    const { cluster, stop } = await cutting(
      { type: "end", after: { events: 2 } },
      { behaviour: patient },
    );
    await cluster.clock.advance(60_000);
    expect(cluster.requests().every((request) => request === 'watch-list ""')).toBe(true);
    await stop();
  });
});

describe("a streamed list whose opening gets a 5xx with Retry-After", () => {
  async function postponing(times: number, options: StartOptions = {}) {
    const cluster = new Cluster();
    await cluster.create("a");
    cluster.api.control.faults.add({
      match: { verb: "watch", query: { sendInitialEvents: "true" } },
      action: { type: "status", status: { code: 503, retryAfterSeconds: 7 } },
      times,
    });
    return { cluster, ...(await start(cluster.clock, cluster.source(), options)) };
  }

  test("is requested again after that time (RST-1)", async () => {
    const { cluster, errors, store, stop } = await postponing(1);
    await cluster.clock.advance(6999);
    expect(cluster.requests()).toEqual(['watch-list ""']);
    await cluster.clock.advance(1001);
    expect(cluster.requests()).toEqual(['watch-list ""', 'watch-list ""']);
    expect(errors).toMatchObject([{ operation: "openWatch", recovery: "reopen" }]);
    expect(store.state()).toEqual(await cluster.state());
    await stop();
  });

  test("becomes a list after two in a row, and is requested for the next list (RST-1)", async () => {
    const { cluster, errors, store, stop } = await postponing(2);
    await cluster.clock.advance(8000);
    expect(errors.map(({ recovery }) => recovery)).toEqual(["reopen", "list"]);
    expect(cluster.requests().slice(1, 3)).toEqual(['watch-list ""', "list 0 limit 500"]);
    expect(store.state()).toEqual(await cluster.state());
    cluster.api.control.recorder.clear();
    cluster.api.control.watches.list()[0]?.sendError({ code: 410 });
    await cluster.clock.advance(20_000);
    expect(cluster.requests().map((request) => request.split(" ")[0])).toEqual(["watch-list"]);
    await stop();
  });

  test("becomes a list immediately with client-go's behaviour", async () => {
    const { cluster, errors, stop } = await postponing(1, { behaviour: clientGoBehaviour });
    expect(errors).toMatchObject([{ operation: "openWatch", recovery: "list" }]);
    expect(cluster.requests().slice(0, 2)).toEqual(['watch-list ""', "list 0 limit 500"]);
    await stop();
  });
});
