import { untilAborted } from "@listwatch/core-fifo/base";
import { configmaps, type ConfigMap } from "@listwatch/resources/core/v1";
import { Informer, type InformerSink } from "@listwatch/shared-informer";
import { expect, test } from "vitest";
import { contentOf, openPage, startBackend } from "../support/dashboard.ts";

/** The fresh lists that a page has received, with their reasons. */
function listsOf(text: string): string[] {
  return [...text.matchAll(/event: list\ndata: (.*)/g)].map(
    ([, data = "{}"]) => (JSON.parse(data) as { reason: string }).reason,
  );
}

test("a page that was away gets only what it missed (PGS-5)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  for (const name of ["a/one", "a/two", "a/three"]) await backend.write(name, { round: "1" });
  const handler = backend.serve();
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  const before = page.text().length;
  page.breakStream();
  await backend.write("a/one", { round: "2" });
  await backend.remove("a/two");
  await backend.write("a/short-lived", { round: "2" });
  await backend.remove("a/short-lived");
  await backend.write("secret/new", { round: "2" });
  await clock.advance(0);
  expect(maps.status().problem).toMatchObject({ reason: "unreachable", attempts: 1 });
  await clock.advance(1000);
  expect(contentOf(maps)).toEqual({ "a/one": { round: "2" }, "a/three": { round: "1" } });
  expect(listsOf(page.text())).toEqual(["first"]);
  expect(page.text().slice(before)).not.toMatch(/three|secret/);
  expect(maps.status().problem).toBeUndefined();
  await page.close();
  await backend.stop();
});

test.each([
  ["expired", { maxLog: 2 }],
  ["otherHistory", {}],
  ["otherView", {}],
] as const)("a page gets a fresh list: %s (PGS-5)", async (reason, options) => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { round: "1" });
  await backend.write("a/gone", { round: "1" });
  let namespaces = ["a"];
  let handler = backend.serve({ ...options, authorize: () => ({ namespaces }) });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  const events: string[] = [];
  maps.addEventHandler(
    {
      onAdd: ({ metadata }) => void events.push(`add ${metadata.name}`),
      onUpdate: (_, { metadata }) => void events.push(`update ${metadata.name}`),
      onDelete: ({ key }) => void events.push(`delete ${key}`),
    },
    { changesOnly: true },
  );
  await clock.advance(0);
  page.breakStream();
  await backend.remove("a/gone");
  for (const name of ["a/x", "a/y", "a/z"]) await backend.write(name, { round: "2" });
  if (reason === "otherHistory") handler = backend.serve({ authorize: () => ({ namespaces }) });
  if (reason === "otherView") namespaces = ["a", "b"];
  await clock.advance(1000);
  expect(listsOf(page.text())).toEqual(["first", reason]);
  expect(Object.keys(contentOf(maps))).toEqual(["a/one", "a/x", "a/y", "a/z"]);
  expect(events.toSorted()).toEqual(
    ["add gone", "add one", "add x", "add y", "add z", "delete a/gone"].toSorted(),
  );
  await page.close();
  await backend.stop();
});

test("a position of a page with more rights gets another page nothing more (PGS-2)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { round: "1" });
  const handler = backend.serve({
    authorize: (request) => ({ namespaces: [request.headers.get("authorization") ?? "none"] }),
  });
  const rich = openPage(() => handler, { clock, headers: () => ({ authorization: "a" }) });
  rich.informer("maps");
  await clock.advance(0);
  const position = /id: (.*)/.exec(rich.text())?.[1] ?? "";
  const view = /"view":"(.*?)"/.exec(rich.text())?.[1] ?? "";
  await backend.remove("a/one");
  await backend.write("a/two", { round: "1" });
  await clock.advance(0);
  const stop = new AbortController();
  const response = await handler(
    new Request("http://dashboard/?collections=maps", {
      headers: { authorization: "b", "last-event-id": `${position};maps=${view}` },
      signal: stop.signal,
    }),
  );
  await clock.advance(0);
  stop.abort();
  const text = await response.text();
  expect(text).toContain("otherView");
  expect(text).not.toMatch(/one|two/);
  await rich.close();
  await backend.stop();
});

test("a collection that begins later joins the stream, and the others resume", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { round: "1" });
  const handler = backend.serve();
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  const others = page.informer("others");
  await clock.advance(0);
  expect(others.hasSynced).toBe(true);
  expect(page.requests.length).toBe(2);
  expect(listsOf(page.text())).toEqual(["first", "first"]);
  expect(page.text().match(/event: set/g)!.length).toBe(1);
  expect(maps.status().problem).toBeUndefined();
  expect(handler.status().streams).toBe(1);
  await page.close();
  await backend.stop();
});

test("a silent stream is replaced, and heartbeats keep a quiet one (PGS-7)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  const handler = backend.serve();
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  await clock.advance(300_000);
  expect(page.requests.length).toBe(1);
  expect(maps.isFresh({ withinMs: 0 })).toBe(true);
  const go = page.hold();
  await clock.advance(60_000);
  expect(maps.isFresh({ withinMs: 10_000 })).toBe(false);
  go();
  await clock.advance(10_000);
  expect(page.requests.length).toBe(2);
  expect(maps.isFresh({ withinMs: 0 })).toBe(true);
  await page.close();
  await backend.stop();
});

test("reports what the server answers, and ends if the program wants it", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  const page = openPage(() => () => Promise.resolve(new Response("", { status: 401 })), { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  expect(maps.status().problem).toMatchObject({ reason: "unauthorized", attempts: 1 });
  await clock.advance(5000);
  expect(maps.status().problem?.attempts).toBeGreaterThan(2);
  await page.close();

  const other = openPage(() => () => Promise.reject(new TypeError("no network")), { clock });
  const ending = other.informer("maps", { onError: () => "stop" });
  await clock.advance(0);
  expect(ending.phase).toBe("stopped");
  await expect(other.close()).rejects.toThrow("no network");
  await backend.stop();
});

test("a page hears that the informer of the server is stale (PGS-7)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  const handler = backend.serve();
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  backend.api.control.shutdown();
  await clock.advance(10_000);
  expect(maps.status().problem?.reason).toBe("serverError");
  expect(maps.isFresh({ withinMs: 60_000 })).toBe(false);
  backend.api.control.start();
  await clock.advance(120_000);
  expect(maps.status().problem).toBeUndefined();
  expect(maps.isFresh({ withinMs: 0 })).toBe(true);
  await page.close();
  await backend.stop();
});

test("a page that opens later hears of it, also after a pause (PGS-7)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  let isAway = false;
  const handler = backend.serve({
    authorize: () => (isAway ? Promise.reject(new Error("away")) : true),
  });
  backend.api.control.shutdown();
  await clock.advance(10_000);
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  expect(maps.hasSynced).toBe(true);
  expect(maps.status().problem?.reason).toBe("serverError");
  isAway = true;
  await clock.advance(60_000);
  expect(maps.status().problem?.reason).toBe("other");
  isAway = false;
  await clock.advance(10_000);
  expect(maps.status().problem?.reason).toBe("serverError");
  backend.api.control.start();
  await clock.advance(120_000);
  expect(maps.status().problem).toBeUndefined();
  await page.close();
  await backend.stop();
});

test("a second informer of a collection gets all objects", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { round: "1" });
  const handler = backend.serve();
  const page = openPage(() => handler, { clock });
  const first = page.informer("maps");
  await clock.advance(0);
  const second = page.informer("maps");
  await clock.advance(0);
  expect(second.hasSynced).toBe(true);
  for (const informer of [first, second]) {
    expect(contentOf(informer)).toEqual({ "a/one": { round: "1" } });
  }
  await page.close();
  await backend.stop();
});

test("a source that ends while it applies a list begins with a list again", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { round: "1" });
  const handler = backend.serve();
  const page = openPage(() => handler, { clock });
  const source = page.stream.collection<ConfigMap>("maps");
  const applied = Promise.withResolvers<void>();
  const applying = Promise.withResolvers<void>();
  const held = new Informer<ConfigMap>(source, { clock });
  const apply = (): Promise<void> => {
    applying.resolve();
    return applied.promise;
  };
  const sink = { store: held.store, apply, markSynced: () => {}, report: () => "continue" };
  const stop = new AbortController();
  const running = source.run(sink as unknown as InformerSink<ConfigMap>, stop.signal);
  await clock.advance(0);
  await applying.promise;
  stop.abort();
  await running;
  applied.resolve();
  await clock.advance(0);
  const ending = new AbortController();
  const run = held.run(ending.signal);
  await clock.advance(1000);
  expect(contentOf(held)).toEqual({ "a/one": { round: "1" } });
  ending.abort();
  await run;
  await page.close();
  await backend.stop();
});

test("a paused collection does not stop the positions of the others (PGS-3, PGS-5)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  const inNamespace = backend.client.in("a").resource(configmaps);
  const writeOther = (round: string): Promise<ConfigMap> => {
    const metadata = { name: "other", labels: { other: "" } };
    return inNamespace.apply({ metadata, data: { round } }, { fieldManager: "test" });
  };
  await backend.write("a/one", { round: "1" });
  let isAway = false;
  const handler = backend.serve({
    maxLog: 3,
    authorize: (_, name) =>
      isAway && name === "maps" ? Promise.reject(new Error("away")) : { namespaces: ["a"] },
  });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  const others = page.informer("others");
  await clock.advance(0);
  isAway = true;
  await clock.advance(60_000);
  await backend.write("a/one", { round: "2" });
  for (let round = 0; round < 5; round++) {
    await writeOther(`${round}`);
    await clock.advance(0);
  }
  expect(contentOf(maps)).toEqual({ "a/one": { round: "1" } });
  expect(contentOf(others)).toEqual({ "a/other": { round: "4" } });
  expect(others.isFresh({ withinMs: 0 })).toBe(true);
  expect(maps.isFresh({ withinMs: 1_000_000 })).toBe(false);

  const before = page.text().length;
  page.breakStream();
  await writeOther("5");
  await clock.advance(1000);
  expect(contentOf(others)).toEqual({ "a/other": { round: "5" } });
  expect(listsOf(page.text().slice(before))).toEqual([]);
  expect(contentOf(maps)).toEqual({ "a/one": { round: "1" } });
  isAway = false;
  await clock.advance(10_000);
  expect(contentOf(maps)).toEqual({ "a/one": { round: "2" } });
  expect(maps.isFresh({ withinMs: 0 })).toBe(true);
  await page.close();
  await backend.stop();
});

test("a paused collection that continues can be resumed again (PGS-5)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { round: "1" });
  let isAway = false;
  const handler = backend.serve({
    authorize: () => (isAway ? Promise.reject(new Error("away")) : { namespaces: ["a"] }),
  });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  isAway = true;
  await clock.advance(60_000);
  await backend.write("a/one", { round: "2" });
  isAway = false;
  await clock.advance(10_000);
  expect(contentOf(maps)).toEqual({ "a/one": { round: "2" } });
  page.breakStream();
  await backend.write("a/one", { round: "3" });
  await clock.advance(1000);
  expect(contentOf(maps)).toEqual({ "a/one": { round: "3" } });
  expect(listsOf(page.text())).toEqual(["first"]);
  await page.close();
  await backend.stop();
});

test.each(["answer", "headers"] as const)("a page tries again without %s (PGS-7)", async (what) => {
  const backend = await startBackend();
  const { clock } = backend;
  const handler = backend.serve();
  let attempts = 0;
  const page = openPage(
    () => (request) =>
      what === "answer" && ++attempts === 1
        ? untilAborted(new Promise<never>(() => {}), request.signal)
        : handler(request),
    {
      clock,
      headers: () => (what === "headers" && ++attempts === 1 ? new Promise<never>(() => {}) : {}),
    },
  );
  const maps = page.informer("maps");
  await clock.advance(44_000);
  expect(maps.status().problem).toBeUndefined();
  await clock.advance(1000);
  expect(maps.status().problem?.reason).toBe("unreachable");
  await clock.advance(1000);
  expect(maps.hasSynced).toBe(true);
  await page.close();
  await backend.stop();
});

test.each([
  ["narrower", ["a", "b"], ["a"], [60, 110, 170, 260, 320]],
  ["wider", ["a"], ["a", "b"], [60, 110, 700, 1100, 1400]],
] as const)(
  "a page whose stream breaks while it gets a %s grant has neither view (PGS-5, PGS-8)",
  async (_, before, after, cuts) => {
    const backend = await startBackend();
    const { clock } = backend;
    const keys = ["a/one", "b/one", "b/two", "b/three"];
    for (const key of keys) await backend.write(key, { round: "1" });
    let namespaces: readonly string[] = before;
    const handler = backend.serve({ authorize: () => ({ namespaces }) });
    const sizes = new Set<number>();
    for (const afterBytes of cuts) {
      const page = openPage(() => handler, { clock });
      const maps = page.informer("maps");
      await clock.advance(59_000);
      const expected = Object.keys(contentOf(maps));
      page.breakStream(afterBytes);
      namespaces = after;
      await clock.advance(1000);
      sizes.add(maps.store.size);
      namespaces = before;
      await clock.advance(1000);
      expect(Object.keys(contentOf(maps))).toEqual(expected);
      await page.close();
    }
    // Some of the objects arrived before the streams broke.
    expect(sizes.size).toBeGreaterThan(2);
    await backend.stop();
  },
);

test("a position goes out after the views of all collections (PGS-5)", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { round: "1" });
  const handler = backend.serve();
  const page = openPage(() => handler, { clock });
  page.informer("maps");
  page.informer("others");
  await clock.advance(0);
  const text = page.text();
  expect(text.match(/event: listed\n/g)).toHaveLength(2);
  expect(text.indexOf("id: ")).toBeGreaterThan(text.lastIndexOf("event: list\n"));
  await page.close();
  await backend.stop();
});
