import { ConnectionResetError, FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, configMaps } from "../support/api-client.ts";
import { ManualClock, settle } from "../support/manual-clock.ts";

function start() {
  const clock = new ManualClock();
  const server = new FakeApiServer({ clock, seed: 1 });
  const { control } = server;
  const client = new ApiClient(server);
  const only = () => {
    const [watch] = control.watches.list();
    if (watch === undefined) throw new Error("Expected an open watch");
    return watch;
  };
  const watchFromNow = () =>
    client.watch(`${configMaps}?watch=true&resourceVersion=${control.revision}`);
  return { clock, control, client, only, watchFromNow };
}

describe("introspection", () => {
  test("shows the parameters and the position of an open watch", async () => {
    const { control, client, only } = start();
    const rv = control.revision;
    const reader = await client.watch(
      `${configMaps}?watch=1&resourceVersion=${rv}&allowWatchBookmarks=true&timeoutSeconds=300`,
    );
    expect(only()).toMatchObject({ id: "watch-1", resource: "configmaps", open: true, bytes: 0 });
    expect(only().parameters).toEqual({
      watch: "1",
      resourceVersion: String(rv),
      allowWatchBookmarks: "true",
      timeoutSeconds: "300",
    });
    expect(only().startRevision).toBe(rv);
    await client.createConfigMap("a");
    expect(await reader.take(1)).toEqual(["ADDED a"]);
    expect(only().sentRevision).toBe(rv + 1);
    expect(only().bytes).toBeGreaterThan(50);
    await reader.cancel();
    expect(control.watches.list()).toEqual([]);
  });

  test("lists the watches of a resource and finds one by id", async () => {
    const { control, client } = start();
    await client.watch(`${configMaps}?watch=1`);
    await client.watch("/api/v1/secrets?watch=1");
    expect(control.watches.list({ resource: "secrets" }).map(({ id }) => id)).toEqual(["watch-2"]);
    expect(control.watches.get("watch-1")?.resource).toBe("configmaps");
    expect(control.watches.get("watch-9")).toBeUndefined();
  });
});

describe("ends", () => {
  test("end ends the stream cleanly without an event", async () => {
    const { control, client, watchFromNow } = start();
    const reader = await watchFromNow();
    await client.createConfigMap("a");
    expect(await reader.take(1)).toEqual(["ADDED a"]);
    const rest = reader.rest();
    control.watches.end({ resource: "configmaps" });
    expect(await rest).toEqual([]);
    expect(control.watches.list()).toEqual([]);
  });

  test("reset breaks the stream", async () => {
    const { control, watchFromNow } = start();
    const reader = await watchFromNow();
    const rest = reader.rest();
    control.watches.reset();
    await expect(rest).rejects.toThrow(ConnectionResetError);
  });

  test("a client's abort breaks the stream with its reason and frees the watch", async () => {
    const { clock, control, client } = start();
    const abort = new AbortController();
    const timersBefore = clock.pendingTimers;
    const reader = await client.watch(`${configMaps}?watch=1`, { signal: abort.signal });
    const rest = reader.rest();
    abort.abort(new Error("stopped"));
    await expect(rest).rejects.toThrow("stopped");
    expect(control.watches.list()).toEqual([]);
    expect(clock.pendingTimers).toBe(timersBefore);
  });

  test("sendError sends an ERROR event and ends the stream", async () => {
    const { only, watchFromNow } = start();
    const reader = await watchFromNow();
    only().sendError({ code: 410, message: "too old resource version: 1 (5)" });
    const event = await reader.next();
    expect(event).toMatchObject({
      type: "ERROR",
      object: { kind: "Status", code: 410, reason: "Expired" },
    });
    expect(await reader.next()).toBeUndefined();
  });
});

describe("truncate", () => {
  test("cuts inside a line by default; the event is sent again after a resume", async () => {
    const { client, only, watchFromNow } = start();
    const reader = await watchFromNow();
    const rv = only().startRevision;
    only().truncate();
    await client.createConfigMap("a");
    expect(await reader.next()).toBeUndefined();
    expect(reader.unfinished.length).toBeGreaterThan(10);
    const resumed = await client.watch(`${configMaps}?watch=1&resourceVersion=${rv}`);
    expect(await resumed.take(1)).toEqual(["ADDED a"]);
  });

  test("cuts inside a character", async () => {
    const { client, only, watchFromNow } = start();
    const reader = await watchFromNow();
    only().truncate({ inside: "character" });
    await client.createConfigMap("a", { text: "plain" });
    expect(await reader.take(1)).toEqual(["ADDED a"]);
    await client.createConfigMap("b", { text: "Grüße" });
    expect(await reader.next()).toBeUndefined();
    // 0xC3 is the first of the two bytes of "ü".
    expect(reader.chunks.at(-1)?.at(-1)).toBe(0xc3);
  });

  test("cuts after a number of bytes, with a reset on request", async () => {
    const { client, only, watchFromNow } = start();
    const reader = await watchFromNow();
    only().truncate({ afterBytes: 20, then: "reset" });
    await client.createConfigMap("a");
    await expect(reader.rest()).rejects.toThrow(ConnectionResetError);
    expect(reader.chunks.map((chunk) => chunk.length)).toEqual([20]);
  });
});

describe("shape", () => {
  test("every byte can be a separate chunk", async () => {
    const { client, only, watchFromNow } = start();
    const reader = await watchFromNow();
    only().split({ bytes: 1 });
    await client.createConfigMap("a", { text: "Grüße 🚀" });
    expect(await reader.next()).toMatchObject({ object: { data: { text: "Grüße 🚀" } } });
    expect(new Set(reader.chunks.map((chunk) => chunk.length))).toEqual(new Set([1]));
  });

  test("events can be sent in groups", async () => {
    const { client, only, watchFromNow } = start();
    const reader = await watchFromNow();
    only().split({ events: 3 });
    const taken = reader.take(3);
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name);
    expect(await taken).toEqual(["ADDED a", "ADDED b", "ADDED c"]);
    expect(reader.chunks).toHaveLength(1);
  });

  test("lines can end with CR LF and be very long", async () => {
    const { client, only, watchFromNow } = start();
    const reader = await watchFromNow();
    only().split({ crlf: true, padTo: 70_000 });
    await client.createConfigMap("a");
    expect(await reader.take(1)).toEqual(["ADDED a"]);
    const [line] = reader.chunks;
    expect(reader.chunks).toHaveLength(1);
    expect(line?.length).toBe(70_002);
    expect([...(line?.slice(-2) ?? [])]).toEqual([13, 10]);
  });
});

describe("stall and slow", () => {
  test("a stalled watch sends nothing and stays open; resumed, it sends the missed events", async () => {
    const { client, only, watchFromNow } = start();
    const reader = await watchFromNow();
    only().stall();
    await client.createConfigMap("a");
    let read = 0;
    const taken = reader.take(1).finally(() => read++);
    await settle();
    expect([read, only().open, only().stalled]).toEqual([0, true, true]);
    only().resume();
    expect(await taken).toEqual(["ADDED a"]);
  });

  test("a stalled watch can be ended, reset and cancelled", async () => {
    const { control, only, watchFromNow } = start();
    const ended = await watchFromNow();
    only().stall();
    const rest = ended.rest();
    only().end();
    expect(await rest).toEqual([]);
    const cancelled = await watchFromNow();
    only().stall();
    const pending = cancelled.rest();
    await cancelled.cancel();
    expect(await pending).toEqual([]);
    expect(control.watches.list()).toEqual([]);
  });

  test("a slowed watch sends at the given rate", async () => {
    const { clock, client, only, watchFromNow } = start();
    const reader = await watchFromNow();
    only().slow(100);
    await client.createConfigMap("a");
    let taken: readonly string[] = [];
    const done = reader.take(1).then((events) => (taken = events));
    await clock.advance(1000);
    expect(reader.chunks.reduce((sum, chunk) => sum + chunk.length, 0)).toBe(100);
    expect(taken).toEqual([]);
    await clock.advance(60_000);
    await done;
    expect(taken).toEqual(["ADDED a"]);
  });

  test("held events delay everything after them", async () => {
    const { client, only, watchFromNow } = start();
    const reader = await watchFromNow();
    only().hold({ name: "b" });
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name);
    expect(await reader.take(1)).toEqual(["ADDED a"]);
    let more: readonly string[] = [];
    const done = reader.take(2).then((events) => (more = events));
    await settle();
    expect(more).toEqual([]);
    only().release();
    await done;
    expect(more).toEqual(["ADDED b", "ADDED c"]);
  });
});

describe("rules for the streams of watches", () => {
  test("end, reset or stall a watch after a number of events", async () => {
    const { control, client, only } = start();
    for (const type of ["end", "resetBody", "stall"] as const) {
      control.faults.add({ match: { verb: "watch" }, action: { type, after: { events: 2 } } });
    }
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name);
    const ended = await client.watch(`${configMaps}?watch=1`);
    expect(await ended.rest()).toEqual(["ADDED a", "ADDED b"]);
    const broken = await client.watch(`${configMaps}?watch=1`);
    expect(await broken.take(1)).toEqual(["ADDED a"]);
    await expect(broken.take(2)).rejects.toThrow(ConnectionResetError);
    const stalled = await client.watch(`${configMaps}?watch=1`);
    expect(await stalled.take(2)).toEqual(["ADDED a", "ADDED b"]);
    expect(only().stalled).toBe(true);
    control.faults.assertConsumed();
  });

  test("send an ERROR event, and delay events by the clock", async () => {
    const { clock, control, client } = start();
    control.faults.add({
      match: { verb: "watch" },
      action: { type: "errorEvent", status: { code: 500 }, after: { events: 1 } },
    });
    for (const name of ["a", "b"]) await client.createConfigMap(name);
    const failed = await client.watch(`${configMaps}?watch=1`);
    expect(await failed.rest()).toEqual(["ADDED a", "ERROR 500"]);
    control.faults.add({
      match: { verb: "watch" },
      action: { type: "delayEvents", ms: 500, match: { name: "b" } },
    });
    const late = await client.watch(`${configMaps}?watch=1`);
    expect(await late.take(1)).toEqual(["ADDED a"]);
    let taken: readonly string[] = [];
    const done = late.take(1).then((events) => (taken = events));
    await clock.advance(499);
    expect(taken).toEqual([]);
    await clock.advance(1);
    await done;
    expect(taken).toEqual(["ADDED b"]);
  });
});

describe("illegal faults", () => {
  test("are independent, and duplicate, swap, drop and decrement matching events", async () => {
    const { control, client } = start();
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name);
    const initial = async () => {
      const reader = await client.watch(`${configMaps}?watch=1&timeoutSeconds=600`);
      const seen: string[] = [];
      while (seen.at(-1) !== "ADDED c") seen.push(...(await reader.take(1)));
      return seen;
    };
    control.illegal.faults.add({ action: { type: "duplicateEvents", match: { name: "a" } } });
    expect(await initial()).toEqual(["ADDED a", "ADDED a", "ADDED b", "ADDED c"]);
    control.illegal.faults.add({ action: { type: "reorderEvents", match: { name: "a" } } });
    expect(await initial()).toEqual(["ADDED b", "ADDED a", "ADDED c"]);
    control.illegal.faults.add({ action: { type: "dropEvents", match: { name: "b" } } });
    expect(await initial()).toEqual(["ADDED a", "ADDED c"]);
    control.illegal.faults.add({
      action: { type: "regressRevision", by: 2, match: { name: "c" } },
    });
    const reader = await client.watch(`${configMaps}?watch=1`);
    await reader.take(2);
    const lowered = await reader.next();
    const { body } = await client.get(`${configMaps}/c`);
    expect(Number(lowered?.object["metadata"].resourceVersion)).toBe(
      Number(body["metadata"].resourceVersion) - 2,
    );
    control.illegal.faults.assertConsumed();
    expect(control.faults.list()).toEqual([]);
  });

  test("can end the initial events one event early", async () => {
    const { control, client } = start();
    for (const name of ["a", "b"]) await client.createConfigMap(name);
    control.illegal.faults.add({ action: { type: "earlyInitialEnd" } });
    const reader = await client.watch(`${configMaps}?watch=1&allowWatchBookmarks=true`);
    expect(await reader.take(3)).toEqual(["ADDED a", "BOOKMARK", "ADDED b"]);
  });
});

describe("bookmarks", () => {
  const url = `${configMaps}?watch=1&allowWatchBookmarks=true`;

  test("come at the interval of the policy, or not at all", async () => {
    const { clock, control, client } = start();
    control.bookmarks.set({ everyMs: 1000 });
    const reader = await client.watch(url);
    expect(await reader.take(1)).toEqual(["BOOKMARK"]);
    await client.createConfigMap("a");
    expect(await reader.take(1)).toEqual(["ADDED a"]);
    await clock.advance(1000);
    expect(await reader.take(1)).toEqual(["BOOKMARK"]);
    control.bookmarks.set({ suppress: true });
    await clock.advance(5000);
    await client.createConfigMap("b");
    expect(await reader.take(1)).toEqual(["ADDED b"]);
  });

  test("can follow every nth event", async () => {
    const { control, client } = start();
    control.bookmarks.set({ afterEvents: 2 });
    for (const name of ["a", "b", "c"]) await client.createConfigMap(name);
    const reader = await client.watch(`${configMaps}?watch=1`);
    expect(await reader.take(4)).toEqual(["ADDED a", "ADDED b", "BOOKMARK", "ADDED c"]);
  });

  test("can omit the end of the initial events", async () => {
    const { control, client } = start();
    control.bookmarks.set({ initialEnd: "never" });
    await client.createConfigMap("a");
    const reader = await client.watch(url);
    const two = reader.take(2);
    await settle();
    await client.createConfigMap("b");
    expect(await two).toEqual(["ADDED a", "ADDED b"]);
  });
});
