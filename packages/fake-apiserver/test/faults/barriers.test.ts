import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { ManualClock, settle } from "../support/manual-clock.ts";

function start() {
  const server = new FakeApiServer({ clock: new ManualClock(), seed: 1 });
  const { control } = server;
  /** Records whether a promise has settled. */
  const track = (promise: Promise<void>) => {
    const state = { done: false };
    void promise.then(() => (state.done = true));
    return state;
  };
  return { control, client: new ApiClient(server), track };
}

describe("watchOpen", () => {
  test("resolves when the given number of matching watches is open", async () => {
    const { control, client, track } = start();
    const one = track(control.when.watchOpen({ resource: "configmaps" }));
    const two = track(control.when.watchOpen({ resource: "configmaps" }, { count: 2 }));
    await client.watch("/api/v1/secrets?watch=1");
    await settle();
    expect([one.done, two.done]).toEqual([false, false]);
    await client.watch(`${configMaps}?watch=1`);
    await settle();
    expect([one.done, two.done]).toEqual([true, false]);
    await client.watch(`${configMaps}?watch=1`);
    await settle();
    expect(two.done).toBe(true);
    await control.when.watchOpen({ resource: "configmaps" }, { count: 2 });
  });
});

describe("watchesClosed", () => {
  test("counts a watch that the server has ended, even if it was not read to the end", async () => {
    const clock = new ManualClock();
    const { control, fetch } = new FakeApiServer({ clock, seed: 1, watch: { bufferEvents: 2 } });
    const client = new ApiClient({ fetch });
    await client.watch(`${configMaps}?watch=1&timeoutSeconds=5`);
    await clock.advance(5000);
    await control.when.watchesClosed();
    const slow = await client.watch(`${configMaps}?watch=1`);
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name);
    await control.when.watchesClosed();
    expect(await slow.rest()).toEqual([]);
    expect(control.watches.list()).toEqual([]);
  });

  test("ignores a watch that a fault has stalled: that connection stays half-open", async () => {
    const clock = new ManualClock();
    const { control, fetch } = new FakeApiServer({ clock, seed: 1 });
    const stalled = await new ApiClient({ fetch }).watch(`${configMaps}?watch=1&timeoutSeconds=5`);
    control.watches.list()[0]?.stall();
    await clock.advance(5000);
    expect(control.watches.list()).toHaveLength(1);
    control.watches.list()[0]?.resume();
    await control.when.watchesClosed();
    expect(await stalled.rest()).toEqual([]);
  });

  test("resolves when the last matching watch has ended", async () => {
    const { control, client, track } = start();
    await control.when.watchesClosed();
    const watch = await client.watch(`${configMaps}?watch=1`);
    await client.watch("/api/v1/secrets?watch=1");
    const closed = track(control.when.watchesClosed({ resource: "configmaps" }));
    await settle();
    expect(closed.done).toBe(false);
    await watch.cancel();
    await settle();
    expect(closed.done).toBe(true);
  });
});

describe("listServed and requestServed", () => {
  test("resolve when the given number of matching requests has been answered", async () => {
    const { control, client, track } = start();
    const lists = track(control.when.listServed({ resource: "configmaps" }, { count: 2 }));
    const creates = track(control.when.requestServed({ verb: "create" }));
    await client.get(configMaps);
    await client.createConfigMap("a");
    await settle();
    expect([lists.done, creates.done]).toEqual([false, true]);
    await client.get(configMaps);
    await settle();
    expect(lists.done).toBe(true);
  });
});

describe("allWatchersAt", () => {
  test("resolves when every reader has read everything and waits for more", async () => {
    const { control, client, track } = start();
    const fast = await client.watch(`${configMaps}?watch=1`);
    const slow = await client.watch(`${configMaps}?watch=1`);
    const other = await client.watch("/api/v1/secrets?watch=1");
    void other.rest();
    await client.createConfigMap("a");
    const reached = track(control.when.allWatchersAt(control.revision));
    void fast.rest();
    await settle();
    expect(reached.done).toBe(false);
    expect(await slow.take(1)).toEqual(["ADDED a"]);
    await settle();
    expect(reached.done).toBe(false);
    void slow.rest();
    await settle();
    expect(reached.done).toBe(true);
  });

  test("waits for a revision that has not been written", async () => {
    const { control, client, track } = start();
    const watch = await client.watch(`${configMaps}?watch=1`);
    void watch.rest();
    const reached = track(control.when.allWatchersAt(control.revision + 2));
    await client.createConfigMap("a");
    await settle();
    expect(reached.done).toBe(false);
    control.advanceRevision();
    await settle();
    expect(reached.done).toBe(true);
  });

  test("does not wait for watches that end", async () => {
    const { control, client, track } = start();
    const watch = await client.watch(`${configMaps}?watch=1`);
    await client.createConfigMap("a");
    const reached = track(control.when.allWatchersAt());
    await settle();
    expect(reached.done).toBe(false);
    await watch.cancel();
    await settle();
    expect(reached.done).toBe(true);
  });
});

describe("idle", () => {
  test("waits for requests in progress and for events in flight", async () => {
    const { control, client, track } = start();
    await control.when.idle();
    control.faults.add({ action: { type: "blackhole" } });
    const abort = new AbortController();
    const request = client.send("GET", configMaps, undefined, { signal: abort.signal });
    const idle = track(control.when.idle());
    await settle();
    expect(idle.done).toBe(false);
    abort.abort(new Error("enough"));
    await expect(request).rejects.toThrow("enough");
    await settle();
    expect(idle.done).toBe(true);
  });

  test("does not wait for stalled watches", async () => {
    const { control, client } = start();
    const watch = await client.watch(`${configMaps}?watch=1`);
    control.watches.list()[0]?.stall();
    await client.createConfigMap("a");
    void watch.rest();
    await control.when.idle();
    expect(control.watches.list()[0]?.stalled).toBe(true);
  });
});

describe("every barrier", () => {
  test("rejects with its signal's reason", async () => {
    const { control } = start();
    const abort = new AbortController();
    const waiting = control.when.watchOpen({}, { signal: abort.signal });
    abort.abort(new Error("test is over"));
    await expect(waiting).rejects.toThrow("test is over");
    await expect(control.when.watchOpen({}, { signal: abort.signal })).rejects.toThrow(
      "test is over",
    );
  });
});
