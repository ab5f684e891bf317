import { expect, test } from "vitest";
import { configmaps } from "@listwatch/resources/core/v1";
import { Informer, SharedInformerFactory } from "@listwatch/shared-informer";
import { eventStreamSource, toEventStream, type Grant } from "@listwatch/streams";
import { contentOf, openPage, startBackend } from "../support/dashboard.ts";

test("feeds the informers of a page with several collections over one stream (PGS-1)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { color: "red" });
  const handler = backend.serve();
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  const others = page.informer("others");
  await clock.advance(0);
  expect(maps.hasSynced && others.hasSynced).toBe(true);
  expect(contentOf(maps)).toEqual({ "a/one": { color: "red" } });
  expect(page.requests.map(({ url }) => url)).toEqual([
    "http://dashboard/stream?collections=maps,others",
  ]);

  await backend.write("a/one", { color: "blue" });
  await backend.write("b/two", { color: "green" });
  await clock.advance(0);
  expect(contentOf(maps)).toEqual({ "a/one": { color: "blue" }, "b/two": { color: "green" } });
  await backend.remove("a/one");
  await clock.advance(0);
  expect(contentOf(maps)).toEqual({ "b/two": { color: "green" } });
  expect(page.requests.length).toBe(1);
  expect(maps.isFresh({ withinMs: 0 })).toBe(true);
  await page.close();
  expect(handler.status()).toEqual({ streams: 0, slowStreams: 0, waitingObjects: 0 });
  await backend.stop();
  expect(clock.pendingTimers).toBe(0);
});

test("sends nothing of other namespaces, and objects that leave the filter as deletes (PGS-2, PGS-4)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("secret/hidden", { color: "red" });
  await backend.write("a/one", { color: "red" });
  await backend.write("a/grey", { color: "grey" });
  const handler = backend.serve({ filter: { maps: ({ data }) => data?.["color"] !== "grey" } });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  expect(contentOf(maps)).toEqual({ "a/one": { color: "red" } });
  await backend.write("a/one", { color: "grey" });
  await backend.write("a/grey", { color: "pink" });
  await backend.write("secret/hidden", { color: "blue" });
  await backend.remove("secret/hidden");
  await clock.advance(0);
  expect(contentOf(maps)).toEqual({ "a/grey": { color: "pink" } });
  expect(page.text()).not.toMatch(/secret|hidden/);
  await page.close();
  await backend.stop();
});

test("asks about the grant every minute, and deletes what is not granted any more (PGS-3, PGS-4)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { color: "red" });
  await backend.write("b/two", { color: "red" });
  let namespaces = ["a", "b"];
  let asked = 0;
  const handler = backend.serve({
    authorize: () => {
      asked++;
      return { namespaces };
    },
  });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  expect(asked).toBe(1);
  namespaces = ["b", "c"];
  await backend.write("c/three", { color: "red" });
  await clock.advance(60_000);
  expect(asked).toBe(2);
  expect(Object.keys(contentOf(maps))).toEqual(["b/two", "c/three"]);
  namespaces = [];
  await clock.advance(60_000);
  expect(contentOf(maps)).toEqual({});
  expect(maps.status().problem?.reason).toBe("forbidden");
  await backend.write("b/two", { color: "black" });
  await clock.advance(0);
  expect(page.text()).not.toContain("black");
  namespaces = ["b"];
  await clock.advance(60_000);
  expect(contentOf(maps)).toEqual({ "b/two": { color: "black" } });
  expect(maps.status().problem).toBeUndefined();
  await page.close();
  await backend.stop();
});

test("sends nothing while the grant cannot be asked for, and then what was missed (PGS-3)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { color: "red" });
  let isAway = true;
  const handler = backend.serve({
    authorize: () => (isAway ? Promise.reject(new Error("away")) : true),
  });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  expect(maps.hasSynced).toBe(false);
  expect(maps.status().problem?.reason).toBe("other");
  isAway = false;
  await clock.advance(10_000);
  expect(contentOf(maps)).toEqual({ "a/one": { color: "red" } });
  isAway = true;
  await clock.advance(60_000);
  await backend.write("a/one", { color: "blue" });
  await clock.advance(0);
  expect(contentOf(maps)).toEqual({ "a/one": { color: "red" } });
  expect(maps.isFresh({ withinMs: 1_000_000 })).toBe(false);
  isAway = false;
  await clock.advance(10_000);
  expect(contentOf(maps)).toEqual({ "a/one": { color: "blue" } });
  expect(maps.status().problem).toBeUndefined();
  await page.close();
  await backend.stop();
});

test("does not show whether a collection that is not granted exists (PGS-2)", async () => {
  const backend = await startBackend();
  const handler = backend.serve({ authorize: (_, name) => name === "maps" });
  const read = async (names: string): Promise<string> => {
    const stop = new AbortController();
    const request = new Request(`http://dashboard/?collections=${names}`, { signal: stop.signal });
    const response = await handler(request);
    await backend.clock.advance(0);
    stop.abort();
    return `${response.status} ${(await response.text()).replaceAll(names.split(",")[1] ?? names, "NAME")}`;
  };
  const withoutIds = (text: string): string => text.replaceAll(/id: .*|"view":".*"/g, "");
  expect(withoutIds(await read("maps,others"))).toBe(withoutIds(await read("maps,unknown")));
  expect(await read("others")).toBe(await read("unknown"));
  expect(await read("others")).toMatch(/^403/);
  await backend.stop();
});

test("a page that does not read costs one entry for each object (PGS-6)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  const handler = backend.serve({ bufferBytes: 500 });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  const go = page.hold();
  for (let round = 0; round < 50; round++) {
    for (const name of ["a/x", "a/y", "a/z"]) await backend.write(name, { round: `${round}` });
    await clock.advance(0);
  }
  await backend.remove("a/x");
  await clock.advance(0);
  expect(handler.status()).toEqual({ streams: 1, slowStreams: 1, waitingObjects: 3 });
  go();
  await clock.advance(0);
  expect(contentOf(maps)).toEqual({ "a/y": { round: "49" }, "a/z": { round: "49" } });
  expect(handler.status().waitingObjects).toBe(0);
  expect(page.text().match(/event: set/g)!.length).toBeLessThan(10);
  await page.close();
  await backend.stop();
});

test("a slow page that reads between a change and the next keeps no deleted object (PGS-6, PGS-8)", async () => {
  const backend = await startBackend();
  const { clock, informers } = backend;
  const handler = backend.serve({ bufferBytes: 1 });
  const stop = new AbortController();
  const request = new Request("http://dashboard/?collections=maps", { signal: stop.signal });
  const reader = (await handler(request)).body!.getReader();
  let text = "";
  const decoder = new TextDecoder();
  const read = async (): Promise<void> => {
    const { value } = await reader.read();
    text += decoder.decode(value, { stream: true });
  };
  let onChange = (): void => {};
  informers.maps.addListener({
    name: "reader",
    backlog: 0,
    push: () => onChange(),
    sourceSynced: () => {},
    start: () => {},
    stop: () => Promise.resolve(),
  });
  const change = async (changing: Promise<unknown>): Promise<void> => {
    await changing;
    await clock.advance(0);
  };
  // The list, and one change that fills the buffer.
  for (let count = 0; count < 2; count++) await change(read());
  await change(backend.write("a/first", { color: "red" }));
  await change(backend.write("a/ghost", { color: "red" }));
  await change(backend.remove("a/ghost"));
  onChange = () => {
    onChange = () => {};
    void read();
  };
  await change(backend.write("a/ghost", { color: "blue" }));
  await change(backend.remove("a/ghost"));
  for (let count = 0; count < 4; count++) void read();
  await clock.advance(0);
  stop.abort();
  const messages = [...text.matchAll(/event: (set|delete)\ndata: .*"key":"a\/ghost"/g)];
  expect(messages.map(([, type]) => type)).toEqual(["set", "delete"]);
  await backend.stop();
});

test("a page that opens before the informer has synced gets each object once", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  for (const name of ["a/one", "a/two"]) await backend.write(name, { color: "red" });
  const factory = new SharedInformerFactory({ connection: backend.connection, clock });
  const late = { maps: factory.informer(configmaps) };
  const handler = toEventStream(late, { authorize: () => true, clock });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  expect(maps.hasSynced).toBe(false);
  factory.start();
  await clock.advance(1000);
  expect(Object.keys(contentOf(maps))).toEqual(["a/one", "a/two"]);
  expect(page.text().match(/event: set/g)!.length).toBe(2);
  await page.close();
  await handler[Symbol.asyncDispose]();
  await factory[Symbol.asyncDispose]();
  await backend.stop();
});

test("a change and a changed grant in one turn leave nothing behind", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { color: "red" });
  let grant: Grant = { namespaces: ["a", "b"] };
  const handler = backend.serve({
    authorize: () => grant,
    filter: { maps: ({ data }) => data?.["color"] !== "grey" },
  });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(59_000);
  expect(Object.keys(contentOf(maps))).toEqual(["a/one"]);
  grant = { namespaces: ["b"] };
  const write = backend.write("a/one", { color: "grey" });
  await clock.advance(1000);
  await write;
  await clock.advance(0);
  expect(contentOf(maps)).toEqual({});
  await page.close();
  await backend.stop();
});

test("sends only the selected fields", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { color: "red", size: "large" });
  const handler = backend.serve({ fields: () => ["data.color"] });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  expect(contentOf(maps)).toEqual({ "a/one": { color: "red" } });
  expect(page.text()).not.toMatch(/large|managedFields/);
  await page.close();
  await backend.stop();
});

test("a page gets all objects again when its fields have changed", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { color: "red", size: "large" });
  let fields = ["data.color"];
  const handler = backend.serve({ fields: () => fields });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  fields = ["data.size"];
  await clock.advance(60_000);
  expect(contentOf(maps)).toEqual({ "a/one": { size: "large" } });
  expect(page.text()).toContain("otherView");
  await page.close();
  await backend.stop();
});

test("refuses requests that it cannot answer", async () => {
  const backend = await startBackend();
  const handler = backend.serve({ maxStreams: 1 });
  const statusOf = async (path: string, init?: RequestInit): Promise<number> =>
    (await handler.fetch(new Request(`http://dashboard${path}`, init))).status;
  expect(await statusOf("/")).toBe(400);
  expect(await statusOf(`/?collections=${Array.from({ length: 101 }, (_, n) => n).join()}`)).toBe(
    400,
  );
  expect(await statusOf("/?collections=maps", { method: "POST" })).toBe(405);
  const stop = new AbortController();
  expect(await statusOf("/?collections=maps", { signal: stop.signal })).toBe(200);
  expect(await statusOf("/?collections=maps")).toBe(503);
  stop.abort();
  expect(handler.status().streams).toBe(0);
  await backend.stop();
});

test("refuses options that it cannot use", async () => {
  const backend = await startBackend();
  const { informers } = backend;
  // @ts-expect-error it is required
  expect(() => toEventStream(informers, {})).toThrow("authorize");
  // @ts-expect-error it has another name
  expect(() => toEventStream(informers, { authorise: () => true })).toThrow("authorize");
  expect(() => toEventStream({ "a,b": informers.maps }, { authorize: () => true })).toThrow(
    "commas",
  );
  // @ts-expect-error it is not an informer
  expect(() => toEventStream({ maps: {} }, { authorize: () => true })).toThrow("informers.maps");
  await backend.stop();
});

test("keeps no mailbox at any informer if one of them has stopped", async () => {
  const backend = await startBackend();
  const { clock, informers } = backend;
  const stopped = new Informer<object>(eventStreamSource("http://dashboard/").collection("none"), {
    clock,
  });
  await stopped.run(AbortSignal.abort());
  const before = informers.maps.status().handlers.length;
  const collections = { maps: informers.maps, stopped };
  expect(() => toEventStream(collections, { authorize: () => true, clock })).toThrow(
    "the informer has stopped",
  );
  expect(informers.maps.status().handlers.length).toBe(before);
  await backend.stop();
});

test("a quiet page gets its heartbeats while others come and go (PGS-7)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  const handler = backend.serve();
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  for (let tick = 0; tick < 100; tick++) {
    for (let other = 0; other < 9; other++) {
      const request = new Request("http://dashboard/?collections=maps", {
        signal: AbortSignal.abort(),
      });
      expect((await handler(request)).status).toBe(503);
    }
    await clock.advance(1500);
  }
  expect(page.requests.length).toBe(1);
  expect(maps.isFresh({ withinMs: 0 })).toBe(true);
  await page.close();
  await backend.stop();
});

test("a denied collection shows nothing of a question without an answer (PGS-2)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  let isAway = false;
  const handler = backend.serve({
    authorize: (_, name) => {
      if (name === "others") return true;
      return isAway ? Promise.reject(new Error("away")) : false;
    },
  });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  const others = page.informer("others");
  await clock.advance(0);
  isAway = true;
  await clock.advance(60_000);
  isAway = false;
  await clock.advance(60_000);
  expect(page.text()).not.toContain("paused");
  expect(maps.status().problem?.reason).toBe("forbidden");
  expect(others.isFresh({ withinMs: 0 })).toBe(true);
  await page.close();
  await backend.stop();
});
