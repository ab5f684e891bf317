import { configmaps } from "@listwatch/resources/core/v1";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import { toEventStream, type EventStreamOptions } from "@listwatch/streams";
import { expect, test } from "vitest";
import { contentOf, openPage, startBackend, type Backend } from "../support/dashboard.ts";

type Fields = NonNullable<EventStreamOptions<Backend["informers"]>["fields"]>;

const wrongFields = [
  null,
  false,
  "",
  0,
  "data",
  ["data."],
  ["data", null],
  [[]],
  {},
  Promise.resolve([]),
];

test.each(wrongFields.map((wrong) => [wrong]))(
  "fields other than paths send nothing, and change no other page: %o (PGS-2)",
  async (wrong) => {
    const backend = await startBackend();
    const { clock } = backend;
    await backend.write("a/one", { color: "red" });
    const lines: string[] = [];
    const warn = (message: string): void => void lines.push(message);
    const handler = backend.serve({
      log: { debug: () => {}, info: () => {}, warn, error: () => {} },
      fields: ((request) => (request.headers.has("x-wrong") ? wrong : undefined)) as Fields,
    });
    const pages = [{ "x-wrong": "" }, {}].map((headers: Record<string, string>) => {
      const page = openPage(() => handler, { clock, headers: () => headers });
      return { page, maps: page.informer("maps") };
    });
    await clock.advance(20_000);
    expect(pages.map(({ maps }) => contentOf(maps))).toEqual([{}, { "a/one": { color: "red" } }]);
    expect(pages[0]!.page.text()).not.toContain("red");
    expect(pages[0]!.maps.status().problem?.reason).toBe("other");
    expect(lines[0]).toBe("Selection of fields failed");
    for (const { page } of pages) await page.close();
    await backend.stop();
  },
);

test("a field may be an array of names, which contain dots", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  await backend.write("a/one", { "app.color": "red", size: "large" });
  const handler = backend.serve({ fields: () => [["data", "app.color"]] });
  const page = openPage(() => handler, { clock });
  const maps = page.informer("maps");
  await clock.advance(0);
  expect(contentOf(maps)).toEqual({ "a/one": { "app.color": "red" } });
  await page.close();
  await backend.stop();
});

test.each(["constructor", "toString", "__proto__"])(
  "a collection may have the name %s, and needs no filter",
  async (name) => {
    const backend = await startBackend();
    const { clock } = backend;
    await backend.write("a/one", { color: "red" });
    const factory = new SharedInformerFactory({ connection: backend.connection, clock });
    const informers = { ["other"]: factory.informer(configmaps), [name]: backend.informers.maps };
    const handler = toEventStream(informers, {
      authorize: () => true,
      clock,
      filter: { other: () => true },
    });
    const page = openPage(() => handler, { clock });
    const maps = page.informer(name);
    await clock.advance(0);
    expect(Object.keys(contentOf(maps))).toEqual(["a/one"]);
    await page.close();
    await handler[Symbol.asyncDispose]();
    await factory[Symbol.asyncDispose]();
    await backend.stop();
  },
);

test("refuses filters that would select nothing or everything by mistake", async () => {
  const backend = await startBackend();
  const open = (filter: object) => () =>
    toEventStream(backend.informers, { authorize: () => true, filter });
  expect(open({ map: () => true })).toThrow("names of the informers");
  expect(open({ toString: () => true })).toThrow("names of the informers");
  for (const filter of [null, false, ""]) expect(open({ maps: filter })).toThrow("filter.maps");
  await backend.stop();
});

test("a page that leaves while its grant is unknown leaves its place at once", async () => {
  const backend = await startBackend();
  const { clock } = backend;
  let asked = 0;
  const handler = backend.serve({
    maxStreams: 1,
    authorize: () => {
      asked++;
      return new Promise<boolean>(() => {});
    },
  });
  const open = (signal: AbortSignal): Promise<Response> =>
    handler(new Request("http://dashboard/?collections=maps", { signal }));
  expect((await open(AbortSignal.abort())).status).toBe(503);
  expect(asked).toBe(0);
  const leaving = new AbortController();
  const answer = open(leaving.signal);
  await clock.advance(0);
  expect([asked, handler.status().streams]).toEqual([1, 1]);
  leaving.abort();
  expect(handler.status().streams).toBe(0);
  await clock.advance(10_000);
  expect((await answer).status).toBe(503);
  await backend.stop();
});
