// Streamed initial lists whose end does not come, whatever else arrives.
import { createConnection, type WatchEvent } from "@listwatch/client";
import { sleep, type KubernetesObject } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import {
  clientGoBehaviour,
  httpListerWatcher,
  type ListerWatcher,
  type ReflectorOptions,
} from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { Cluster } from "../support/cluster.ts";
import { logTo } from "../support/lines.ts";
import { MapStore, start } from "../support/running.ts";

const second = 1000;
type Events = readonly (WatchEvent<KubernetesObject> | number)[];

const named = (name: string, version: number): KubernetesObject => ({
  metadata: { name, namespace: "shop", uid: name, resourceVersion: String(version) },
});
const added = (name: string, version: number): WatchEvent<KubernetesObject> => ({
  type: "ADDED",
  object: named(name, version),
});
/** Adds the time of creation, in seconds after the start. */
function createdAt(
  seconds: number,
  event: WatchEvent<KubernetesObject>,
): WatchEvent<KubernetesObject> {
  const creationTimestamp = new Date(seconds * second).toISOString();
  const metadata = { ...metadataOf(event.object), creationTimestamp };
  return { type: "ADDED", object: { metadata } };
}
const modified = (name: string, version: number): WatchEvent<KubernetesObject> => ({
  type: "MODIFIED",
  object: named(name, version),
});
const bookmark = (version: number, isEnd = false): WatchEvent<KubernetesObject> => ({
  type: "BOOKMARK",
  object: {
    metadata: {
      resourceVersion: String(version),
      annotations: isEnd ? { "k8s.io/initial-events-end": "true" } : {},
    },
  },
});

/** Returns one item for each number below `count`. */
function each<R>(count: number, item: (index: number) => readonly R[]): R[] {
  return Array.from({ length: count }, (_, index) => item(index)).flat();
}

/** Runs against a server that streams these events; numbers are pauses in milliseconds. */
async function streaming(
  events: Events,
  options: Pick<ReflectorOptions<KubernetesObject>, "behaviour"> = {},
) {
  const clock = new SimulatedClock();
  const requests: string[] = [];
  const lines: string[] = [];
  const listerWatcher: ListerWatcher<KubernetesObject> = {
    list: async () => {
      requests.push(`list at ${clock.now() / second}`);
      return { metadata: { resourceVersion: "2000" }, items: [named("a", 1), named("b", 2)] };
    },
    watch: async ({ sendInitialEvents }, { signal }) => {
      requests.push(
        `${sendInitialEvents === true ? "stream" : "watch"} at ${clock.now() / second}`,
      );
      return (async function* () {
        for (const event of sendInitialEvents === true ? events : []) {
          if (typeof event === "number") await sleep(event, { clock, signal });
          else yield event;
        }
        await sleep(600 * second, { clock, signal });
      })();
    },
  };
  const store = new MapStore<KubernetesObject>();
  const running = await start<KubernetesObject>(clock, listerWatcher, {
    store,
    log: logTo(lines),
    onError: () => "log",
    ...options,
  });
  return { clock, lines, requests, ...running };
}

/** More than arrive during a test. */
const many = 300;

describe("a streamed list that is never marked as complete becomes a list 30 s after its last object", () => {
  test.each<[string, Events]>([
    ["bookmarks each second", each(many, (at) => [second, bookmark(10 + at)])],
    ["bookmarks each 10 s", each(many, (at) => [10 * second, bookmark(10 + at)])],
    ["changes each 5 s", each(many, (at) => [5 * second, modified("a", 10 + at)])],
    [
      "creations each 5 s after a bookmark",
      [bookmark(10), ...each(many, (at) => [5 * second, added(`c${at}`, 11 + at)])],
    ],
    [
      "creations each 5 s, with the time of each",
      each(many, (at) => [5 * second, createdAt(5 * (at + 2), added(`c${at}`, 11 + at))]),
    ],
    ["the same object each 5 s", each(many, () => [5 * second, added("a", 1)])],
    [
      "an object that is created and deleted each second",
      each(many, (at) => [
        second,
        { type: "DELETED", object: named("a", 10 + 2 * at) },
        added("a", 11 + 2 * at),
      ]),
    ],
  ])("while it gets %s", async (_, rest) => {
    const { clock, errors, lines, reflector, requests, stop, store } = await streaming([
      added("a", 1),
      5 * second,
      added("b", 2),
      ...rest,
    ]);
    await clock.advance(34_999);
    expect(requests).toEqual(["stream at 0"]);
    expect(reflector.status().phase).toBe("streamingList");
    await clock.advance(1);
    expect(requests).toEqual(["stream at 0", "list at 35", "watch at 35"]);
    expect([...store.objects.keys()]).toEqual(["shop/a", "shop/b"]);
    expect(errors).toMatchObject([
      { operation: "watch", recovery: "list", error: { code: "LW_NETWORK", kind: "timeout" } },
    ]);
    await clock.advance(300 * second);
    expect(lines).toEqual([
      "Streamed list is given up; reflector=reflector; operation=watch; cause: Cannot watch for " +
        "reflector: no object of the initial list arrived for 30 s; advice: The server, or a " +
        "proxy in front, does not end streamed lists: set list.watchList to false",
    ]);
    expect(reflector.status()).toMatchObject({ attempts: 0, phase: "watching" });
    await stop();
    expect(clock.pendingTimers).toBe(0);
  });

  test("while it gets bytes that belong to no event", async () => {
    const clock = new SimulatedClock();
    const requests: string[] = [];
    const fetch = async (request: Request): Promise<Response> => {
      const { searchParams } = new URL(request.url);
      requests.push(searchParams.get("watch") === "true" ? "watch" : "list");
      if (searchParams.get("sendInitialEvents") !== "true") {
        if (searchParams.get("watch") === "true") return new Response(new ReadableStream());
        return Response.json({ kind: "PodList", metadata: { resourceVersion: "9" }, items: [] });
      }
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          await sleep(second, { clock, signal: request.signal }).catch(() => undefined);
          if (!request.signal.aborted) controller.enqueue(new TextEncoder().encode("\n"));
        },
      });
      return new Response(body);
    };
    const listerWatcher = httpListerWatcher({
      clock,
      connection: createConnection({ server: "http://server.test", fetch }),
      resource: { group: "", version: "v1", resource: "pods" },
    });
    const { stop } = await start(clock, listerWatcher, { store: new MapStore() });
    await clock.advance(29_999);
    expect(requests).toEqual(["watch"]);
    await clock.advance(1);
    expect(requests).toEqual(["watch", "list", "watch"]);
    await stop();
  });

  test("is waited for with client-go's behaviour", async () => {
    const { clock, lines, requests, stop } = await streaming(
      each(many, (at) => [second, bookmark(10 + at)]),
      { behaviour: clientGoBehaviour },
    );
    await clock.advance(280 * second);
    expect(requests).toEqual(["stream at 0"]);
    expect(lines).toEqual([]);
    await stop();
  });
});

describe("a long streamed list that is marked in the end", () => {
  test.each<[string, Events]>([
    ["in ascending order", each(20, (at) => [20 * second, added(`o${at}`, 100 + at)])],
    [
      "with times of creation of a clock that is ahead",
      each(20, (at) => [20 * second, createdAt(1e6 + at, added(`o${at}`, 100 + at))]),
    ],
    ["in descending order", each(20, (at) => [20 * second, added(`o${at}`, 500 - at)])],
    [
      "with a change and a bookmark between the objects",
      each(20, (at) => [
        20 * second,
        added(`o${at}`, 100 + at),
        modified(`o${at}`, 1000 + at),
        bookmark(1000 + at),
      ]),
    ],
  ])("is not given up while its objects arrive, %s", async (_, objects) => {
    const { clock, errors, requests, stop, store } = await streaming([
      ...objects,
      bookmark(1500, true),
    ]);
    await clock.advance(401 * second);
    expect(requests).toEqual(["stream at 0"]);
    expect(errors).toEqual([]);
    expect(store.objects.size).toBe(20);
    await stop();
  });
});

describe("a streamed list that ends each time with a 410", () => {
  test.each([
    ["in the stream", { type: "errorEvent", status: { code: 410 }, after: { events: 2 } }],
    ["at its opening", { type: "status", status: { code: 410 } }],
  ] as const)("becomes a list after two in a row: %s", async (_, action) => {
    const cluster = new Cluster();
    for (const name of ["a", "b", "c"]) await cluster.create(name);
    const match = { verb: "watch", query: { sendInitialEvents: "true" } } as const;
    cluster.api.control.faults.add({ match, action, times: Infinity });
    const lines: string[] = [];
    const { errors, stop, store } = await start(cluster.clock, cluster.source(), {
      log: logTo(lines),
      onError: () => "log",
    });
    await cluster.clock.advance(3_600_000);
    expect(errors).toMatchObject([
      { recovery: "newest", error: { reason: "Expired" } },
      {
        recovery: "list",
        error: { code: "LW_STREAMED_LIST_CUT", cause: { reason: "Expired" } },
      },
    ]);
    expect(cluster.requests().slice(0, 3)).toEqual([
      'watch-list ""',
      'watch-list ""',
      'list "" limit 500',
    ]);
    expect(lines[0]).toContain("List and watch failed");
    expect(store.state()).toEqual(await cluster.state());
    await stop();
  });
});

describe("an ordinary list in which no item arrives for 90 s is requested again", () => {
  test.each<[string, (count: number) => object]>([
    ["although pages without items do", (count) => ({ continue: `page-${count}` })],
    ["although bytes do", () => ({})],
  ])("%s", async (_, metadata) => {
    const clock = new SimulatedClock();
    let lists = 0;
    let pages = 0;
    const listerWatcher: ListerWatcher<KubernetesObject> = {
      watchListSupported: false,
      list: async (options, { signal }) => {
        if (options.continue === undefined) lists += 1;
        pages += 1;
        await sleep(20 * second, { clock, signal });
        return {
          metadata: { resourceVersion: "5", ...metadata(pages) },
          items: (async function* () {
            while (!("continue" in metadata(pages))) {
              await sleep(20 * second, { clock, signal });
              yield [];
            }
          })(),
        };
      },
      watch: async () => (async function* () {})(),
    };
    const { errors, stop } = await start(clock, listerWatcher, { store: new MapStore() });
    await clock.advance(89_999);
    expect(errors).toEqual([]);
    await clock.advance(5 * second);
    expect(errors).toMatchObject([
      {
        operation: "list",
        recovery: "relist",
        error: { message: "Cannot list for reflector: no item arrived for 90 s" },
      },
    ]);
    expect(lists).toBe(2);
    await stop();
  });
});
