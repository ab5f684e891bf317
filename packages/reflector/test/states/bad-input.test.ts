import { RealFIFO, type KubernetesObject, type ListwatchError } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import {
  clientGoBehaviour,
  Reflector,
  RetryWatcher,
  type ListerWatcher,
} from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../support/bytes.ts";
import { Cluster } from "../support/cluster.ts";
import { start } from "../support/running.ts";

const named = (name: string, resourceVersion: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, resourceVersion },
});

/** The object of the bookmark that ends a streamed list. */
const endOfList = (resourceVersion: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { resourceVersion, annotations: { "k8s.io/initial-events-end": "true" } },
});

/** A source with these objects in its list. Its watch sends these events and stays open. */
function sending(
  items: readonly unknown[],
  events: readonly unknown[],
  resourceVersion = "5",
): ListerWatcher<KubernetesObject> {
  return {
    watchListSupported: false,
    list: async () =>
      JSON.parse(JSON.stringify({ kind: "ConfigMapList", metadata: { resourceVersion }, items })),
    watch: async (_, { signal }) =>
      (async function* () {
        yield JSON.parse(JSON.stringify(events));
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      })(),
  };
}

describe("a reflector with missing or wrong options", () => {
  test.each([
    ["listerWatcher", undefined, "list and watch"],
    ["listerWatcher", { list: async () => ({ items: [] }) }, "list and watch"],
    ["store", undefined, "add, update, delete and replace"],
    ["store", new Map(), "add, update, delete and replace"],
  ])("is rejected: %s %j", (option, value, functions) => {
    const options = { listerWatcher: sending([], []), store: new RealFIFO() };
    expect(() => new Reflector({ ...options, [option]: value })).toThrow(
      `${option}: expected an object with the functions ${functions}`,
    );
  });
});

describe("a user-supplied lister-watcher that violates its types", () => {
  test.each([
    ["nothing", undefined],
    ["an empty object", {}],
    ["items that are no list", { items: {} }],
    ["items that are a text", { items: "a" }],
  ])("is reported when its list is %s, and called again", async (_, list) => {
    const source = sending([], []);
    let answers = 0;
    const { reflector, errors, stop } = await start(new SimulatedClock(), {
      ...source,
      list: async (options, context) =>
        answers++ === 0 ? JSON.parse(JSON.stringify({ list })).list : source.list(options, context),
    });
    expect(errors).toMatchObject([
      { operation: "list", recovery: "relist", error: { code: "LW_NOT_A_LIST" } },
    ]);
    expect(reflector.status().synced).toBe(false);
    await stop();
  });

  test("is reported when its watch cannot be iterated", async () => {
    const { errors, stop } = await start(new SimulatedClock(), {
      ...sending([], []),
      watch: async () => JSON.parse("{}"),
    });
    expect(errors).toMatchObject([
      {
        error: {
          code: "LW_NOT_A_WATCH",
          advice: "Let `watch` of the lister-watcher return an async iterable of events",
        },
      },
    ]);
    await stop();
  });

  test("fails a RetryWatcher immediately when its watch cannot be iterated", async () => {
    const listerWatcher = { watch: async () => JSON.parse("{}") };
    const watcher = new RetryWatcher({ listerWatcher, resourceVersion: "1" });
    await expect(watcher[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: "LW_NOT_A_WATCH",
    });
  });
});

describe("a malformed event", () => {
  test.each([
    ["a bookmark without metadata", { type: "BOOKMARK", object: { kind: "ConfigMap" } }],
    [
      "a Table (REF-40)",
      { type: "ADDED", object: { kind: "Table", apiVersion: "meta.k8s.io/v1", metadata: {} } },
    ],
    ["another kind (REF-2)", { type: "ADDED", object: { ...named("x", "6"), kind: "Secret" } }],
    [
      "another version (REF-2)",
      { type: "ADDED", object: { ...named("x", "6"), apiVersion: "v2" } },
    ],
  ])("is reported and skipped: %s; the events around it are processed", async (_, strange) => {
    const good = (name: string, version: string) => ({
      type: "ADDED",
      object: named(name, version),
    });
    const source = sending([], [good("a", "6"), strange, good("b", "7")]);
    const { store, reflector, errors, stop } = await start(new SimulatedClock(), source, {
      watch: { expectedType: { apiVersion: "v1", kind: "ConfigMap" } },
    });
    expect(Object.keys(store.state())).toEqual(["a", "b"]);
    expect(reflector.lastSyncResourceVersion).toBe("7");
    expect(errors).toMatchObject([{ recovery: "skip", error: { code: "LW_UNEXPECTED_OBJECT" } }]);
    await stop();
  });

  test.each([
    ["an object without metadata", { kind: "ConfigMap" }],
    ["metadata that is a text", { kind: "ConfigMap", metadata: "a" }],
    ["a Status", { kind: "Status", metadata: {} }],
    ["null", null],
  ])(
    "causes a relist when it carries %s: the change is not lost, and a streamed list is abandoned",
    async (_, object) => {
      for (const type of ["ADDED", "MODIFIED"]) {
        const clock = new SimulatedClock();
        const items = [named("a", "4")];
        const watching = await start(clock, sending(items, [{ type, object }]));
        expect(watching.errors[0]).toMatchObject({ operation: "watch", recovery: "relist" });
        items.push(named("b", "6"));
        await clock.advance(2000);
        expect(Object.keys(watching.store.state())).toEqual(["a", "b"]);
        await watching.stop();

        const events = [
          { type: "ADDED", object: named("a", "4") },
          { type, object },
          { type: "BOOKMARK", object: endOfList("9") },
        ];
        const source = { ...sending(items, events), watchListSupported: true };
        const listing = await start(clock, source);
        expect(listing.errors[0]).toMatchObject({ operation: "watch", recovery: "list" });
        expect(Object.keys(listing.store.state())).toEqual(["a", "b"]);
        await listing.stop();
      }
    },
  );

  test("is reported and skipped when its type is unknown, but moves the resourceVersion, with client-go's behaviour (REF-30)", async () => {
    const source = sending([], [{ type: "RENAMED", object: named("a", "9") }]);
    const { reflector, errors, stop } = await start(new SimulatedClock(), source, {
      behaviour: clientGoBehaviour,
    });
    expect(reflector.lastSyncResourceVersion).toBe("9");
    expect(errors).toMatchObject([{ recovery: "skip", error: { code: "LW_UNEXPECTED_OBJECT" } }]);
    await stop();
  });

  test("causes a relist from its resourceVersion when its type is unknown: the change is not lost (REF-30)", async () => {
    const clock = new SimulatedClock();
    const items: KubernetesObject[] = [];
    const lists: (string | undefined)[] = [];
    const source = sending(items, [{ type: "RENAMED", object: named("a", "9") }]);
    const { reflector, store, errors, stop } = await start(clock, {
      ...source,
      list: (options, context) => {
        lists.push(options.resourceVersion);
        return source.list(options, context);
      },
    });
    expect(reflector.lastSyncResourceVersion).toBe("9");
    expect(errors).toMatchObject([{ recovery: "relist", error: { code: "LW_UNEXPECTED_OBJECT" } }]);
    items.push(named("a", "9"));
    await clock.advance(2000);
    expect(Object.keys(store.state())).toEqual(["a"]);
    expect(lists.slice(0, 2)).toEqual(["0", "9"]);
    await stop();
  });

  test("causes an ordinary list when its type is unknown in a streamed list: its object is not lost", async () => {
    const events = [
      { type: "ADDED", object: named("a", "6") },
      { type: "RENAMED", object: named("b", "7") },
      { type: "BOOKMARK", object: endOfList("9") },
    ];
    const items = [named("a", "6"), named("b", "7")];
    const source = { ...sending(items, events), watchListSupported: true };
    const { store, errors, stop } = await start(new SimulatedClock(), source);
    expect(errors[0]).toMatchObject({
      operation: "watch",
      recovery: "list",
      error: { code: "LW_UNEXPECTED_OBJECT" },
    });
    expect(Object.keys(store.state())).toEqual(["a", "b"]);
    await stop();
  });

  test("is reported and skipped in a streamed list when its type is unknown, with client-go's behaviour", async () => {
    const events = [
      { type: "RENAMED", object: named("b", "7") },
      { type: "BOOKMARK", object: endOfList("9") },
    ];
    const source = { ...sending([], events), watchListSupported: true };
    const { reflector, errors, stop } = await start(new SimulatedClock(), source, {
      behaviour: clientGoBehaviour,
    });
    expect(reflector.lastSyncResourceVersion).toBe("9");
    expect(errors).toMatchObject([
      { operation: "watch", recovery: "skip", error: { code: "LW_UNEXPECTED_OBJECT" } },
    ]);
    await stop();
  });

  test("does not set the resourceVersion of a watch that began at 0 (REF-31)", async () => {
    const renamed = { type: "RENAMED", object: named("a", "9") };
    const added = { type: "ADDED", object: named("b", "8") };
    const source = sending([], [renamed, added], "0");
    const { reflector, store, stop } = await start(new SimulatedClock(), source, {
      behaviour: clientGoBehaviour,
    });
    expect(Object.keys(store.state())).toEqual(["b"]);
    expect(reflector.lastSyncResourceVersion).toBe("0");
    await stop();
  });

  test.each(["ADDED", "MODIFIED"])(
    "is reported and skipped in a streamed list when it has no name: %s (REF-28)",
    async (type) => {
      const events = [
        { type: "ADDED", object: named("a", "6") },
        { type, object: named("", "7") },
        { type: "BOOKMARK", object: endOfList("9") },
      ];
      const source = { ...sending([], events), watchListSupported: true };
      const { store, reflector, errors, stop } = await start(new SimulatedClock(), source);
      expect(Object.keys(store.state())).toEqual(["a"]);
      expect(reflector.lastSyncResourceVersion).toBe("9");
      expect(errors).toMatchObject([{ operation: "store", recovery: "skip" }]);
      await stop();
    },
  );

  test.each([
    ["no metadata", { kind: "ConfigMap" }],
    ["another kind", { ...named("a", "7"), kind: "Secret" }],
    ["no name", named("", "7")],
  ])("causes a list when it is a DELETED with %s (REF-2)", async (_, object) => {
    const items = [named("a", "4"), named("b", "5")];
    const source = sending(items, [{ type: "DELETED", object }]);
    const clock = new SimulatedClock();
    const { store, errors, stop } = await start(clock, source, {
      watch: { expectedType: { apiVersion: "v1", kind: "ConfigMap" } },
    });
    expect(errors).toMatchObject([{ recovery: "relist" }]);
    items.shift();
    await clock.advance(2000);
    expect(Object.keys(store.state())).toEqual(["b"]);
    await stop();
  });

  test("causes an ordinary list when it is a DELETED in a streamed list (REF-2)", async () => {
    const events = [
      { type: "ADDED", object: named("a", "6") },
      { type: "DELETED", object: { kind: "ConfigMap" } },
    ];
    const source = { ...sending([named("b", "7")], events), watchListSupported: true };
    const { store, errors, stop } = await start(new SimulatedClock(), source);
    expect(errors[0]).toMatchObject({
      operation: "watch",
      recovery: "list",
      error: { code: "LW_UNEXPECTED_OBJECT" },
    });
    expect(store.calls[0]).toBe("replace 1 at 5");
    await stop();
  });

  test("is skipped, even a DELETED, with client-go's behaviour (REF-2)", async () => {
    const source = sending([named("a", "4")], [{ type: "DELETED", object: { kind: "ConfigMap" } }]);
    const { errors, stop } = await start(new SimulatedClock(), source, {
      behaviour: clientGoBehaviour,
    });
    expect(errors).toMatchObject([{ recovery: "skip" }]);
    await stop();
  });

  test("causes a relist when it has no name, which no store accepts", async () => {
    const clock = new SimulatedClock();
    const source = sending([named("a", "4")], [{ type: "ADDED", object: named("", "6") }]);
    const { store, errors, stop } = await start(clock, source);
    expect(errors).toMatchObject([{ operation: "store", recovery: "relist" }]);
    expect(Object.keys(store.state())).toEqual(["a"]);
    await stop();
  });
});

test("an object without a name in a list is omitted from a RealFIFO and reported; the others arrive", async () => {
  const clock = new SimulatedClock();
  const left: ListwatchError[] = [];
  const queue = new RealFIFO<KubernetesObject>({ onError: (error) => left.push(error) });
  const controller = new AbortController();
  const reflector = new Reflector({
    listerWatcher: sending([named("a", "1"), { kind: "ConfigMap" }, named("b", "2")], []),
    store: queue,
    clock,
  });
  const ended = reflector.run(controller.signal);
  await clock.settle();
  await queue.pop(([delta]) => {
    expect(delta).toMatchObject({
      objects: [{ metadata: { name: "a" } }, { metadata: { name: "b" } }],
    });
  });
  expect(left).toMatchObject([{ code: "LW_KEY" }]);
  controller.abort();
  await ended;
});

test("a line that is not JSON ends the watch after the events before it; a relist follows, nothing is lost (RST-2)", async () => {
  const cluster = new Cluster();
  let spoil = true;
  const source = cluster.source(
    { watchListSupported: false, encoding: "json" },
    {
      fetch: async (request) => {
        const response = await cluster.api.fetch(request);
        if (!request.url.includes("watch=true") || !spoil || response.body === null)
          return response;
        spoil = false;
        let chunks = 0;
        return new Response(
          response.body.pipeThrough(
            new TransformStream<Uint8Array, Uint8Array>({
              transform: (chunk, controller) => {
                controller.enqueue(chunk);
                if (++chunks === 1) controller.enqueue(bytesOf("<html>oops\n"));
              },
            }),
          ),
        );
      },
    },
  );
  const { store, errors, stop } = await start(cluster.clock, source);
  await cluster.create("a", { data: { text: "\u2028\u2029" } });
  await cluster.create("b");
  await cluster.clock.settle();
  expect(store.calls.slice(1)).toEqual(["add default/a"]);
  expect(errors).toMatchObject([
    { operation: "watch", recovery: "relist", error: { code: "LW_DECODE", start: "<html>oops" } },
  ]);
  await cluster.clock.advance(2000);
  expect(store.state()).toEqual(await cluster.state());
  await stop();
});
