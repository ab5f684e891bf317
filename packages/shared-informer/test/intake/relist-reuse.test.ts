import { silentLog } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { jsonDecoder, createConnection } from "@listwatch/client";
import { httpListerWatcher } from "@listwatch/reflector";
import type { NoIndexes } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { SharedInformer, type SharedInformerOptions } from "../../src/index.ts";

interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly resourceVersion: string;
  };
}

const expired = JSON.stringify({
  type: "ERROR",
  object: { kind: "Status", apiVersion: "v1", status: "Failure", reason: "Expired", code: 410 },
});

/** Only a list can show what such an event means. */
const unknown = JSON.stringify({
  type: "MOVED",
  object: { metadata: { name: "a", namespace: "default", uid: "1", resourceVersion: "10" } },
});

const item = (name: string, uid: string, version: string, spec: string): string =>
  `{"metadata":{"name":"${name}","namespace":"default","uid":"${uid}","resourceVersion":"${version}"},"spec":${spec}}`;

const initialEnd = JSON.stringify({
  type: "BOOKMARK",
  object: {
    metadata: { resourceVersion: "10", annotations: { "k8s.io/initial-events-end": "true" } },
  },
});

/** Answers the first list and later ones with these items. */
class Server {
  lists = 0;
  /** Answers further watches with 403. */
  refusesWatches = false;
  readonly #items: readonly (readonly string[])[];
  #watch: ReadableStreamDefaultController<Uint8Array> | undefined;

  constructor(...items: readonly (readonly string[])[]) {
    this.#items = items;
  }

  readonly fetch = async (request: Request): Promise<Response> => {
    const { searchParams } = new URL(request.url);
    if (searchParams.get("watch") === "true") {
      if (this.refusesWatches) return Response.json({ kind: "Status", code: 403 }, { status: 403 });
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void (this.#watch = controller),
      });
      if (searchParams.get("sendInitialEvents") === "true") {
        for (const object of this.#next()) this.send(`{"type":"ADDED","object":${object}}`);
        this.send(initialEnd);
      }
      return new Response(body);
    }
    const items = this.#next();
    return new Response(
      `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"${10 * this.lists}"},"items":[${items.join(",")}]}`,
    );
  };

  readonly end = (): void => this.#watch?.close();

  readonly reset = (): void => this.#watch?.error(new TypeError("terminated"));

  readonly send = (line: string): void => {
    this.#watch?.enqueue(new TextEncoder().encode(`${line}\n`));
  };

  #next(): readonly string[] {
    return this.#items[Math.min(this.lists++, this.#items.length - 1)] ?? [];
  }
}

type Relist = (server: Server, clock: SimulatedClock) => Promise<void> | void;

/** Returns the cache after the first list and after the second one, which `relist` causes. */
async function follow(
  server: Server,
  relist: Relist,
  watchListSupported: boolean,
  cache: SharedInformerOptions<Pod, NoIndexes>["cache"] = {},
): Promise<{ before: Map<string, unknown>; after: Map<string, unknown>; updates: string[] }> {
  const clock = new SimulatedClock();
  const updates: string[] = [];
  const informer = new SharedInformer<Pod>({
    cache,
    clock,
    telemetry: { log: silentLog },
    listerWatcher: httpListerWatcher<Pod>({
      connection: createConnection({ server: "http://server.test", fetch: server.fetch }),
      resource: { group: "", version: "v1", resource: "pods" },
      watchListSupported,
      decoder: jsonDecoder(),
      clock,
    }),
  });
  informer.addEventHandler(
    {
      onUpdate: (old, pod) =>
        void updates.push(`${pod.metadata.name} ${old === pod ? "same" : "new"}`),
    },
    { changesOnly: true },
  );
  const held = (): Map<string, unknown> =>
    new Map(informer.store.listKeys().map((key) => [key, informer.store.getByKey(key)]));
  const stop = new AbortController();
  const ended = informer.run(stop.signal);
  await clock.advance(2000);
  const before = held();
  await relist(server, clock);
  await clock.advance(60_000);
  const after = held();
  stop.abort();
  await ended;
  return { before, after, updates };
}

describe.each([
  { kind: "list", streamed: false },
  { kind: "streamed list", streamed: true },
])("A relist by $kind", ({ streamed }) => {
  // The text between the braces is not JSON: parsing it would fail the list.
  const unreadable = "{never parsed}";

  test("keeps the objects whose uid and resourceVersion are equal, without parsing them, if no watch was lost", async () => {
    const server = new Server(
      [item("a", "1", "5", "{}"), item("b", "2", "6", "{}"), item("c", "3", "7", "{}")],
      [
        item("a", "1", "5", unreadable),
        item("b", "2", "8", '{"changed":true}'),
        item("c", "4", "7", '{"recreated":true}'),
      ],
    );
    const relist: Relist = ({ send }) => send(unknown);
    const { before, after, updates } = await follow(server, relist, streamed);
    expect(server.lists).toBe(2);
    expect(after.get("default/a")).toBe(before.get("default/a"));
    expect(after.get("default/b")).toMatchObject({ spec: { changed: true } });
    expect(after.get("default/c")).toMatchObject({ spec: { recreated: true } });
    // The other object of the name c is delivered as a deletion and a creation.
    expect(updates).toEqual(["b new"]);
  });

  test.each<[string, Relist]>([
    ["expired", ({ send }) => send(expired)],
    [
      "ended",
      async ({ end, send }, clock) => {
        end();
        await clock.advance(2000);
        send(unknown);
      },
    ],
    [
      "was reset",
      async ({ reset, send }, clock) => {
        reset();
        await clock.advance(2000);
        send(unknown);
      },
    ],
    [
      "was silent",
      async ({ send }, clock) => {
        await clock.advance(92_000);
        send(unknown);
      },
    ],
    [
      "was refused",
      async (server, clock) => {
        server.refusesWatches = true;
        server.end();
        await clock.advance(500);
        server.refusesWatches = false;
      },
    ],
  ])("parses every object after a watch %s, and delivers what is different", async (_, relist) => {
    const server = new Server(
      [item("a", "1", "5", '{"n":1}'), item("b", "2", "6", "{}")],
      [item("a", "1", "5", '{"n":2}'), item("b", "2", "6", "{}")],
    );
    const { before, after, updates } = await follow(server, relist, streamed);
    expect(server.lists).toBe(2);
    expect(after.get("default/a")).toMatchObject({ spec: { n: 2 } });
    expect(after.get("default/b")).toBe(before.get("default/b"));
    expect(updates).toEqual(["a new"]);
  });

  test("parses every object when a transform makes the cached ones different from the server's", async () => {
    const pods = [item("a", "1", "5", "{}")];
    let transformed = 0;
    const transform = (pod: Pod): Pod => {
      transformed += 1;
      return { ...pod };
    };
    const relist: Relist = ({ send }) => send(unknown);
    const { before, after, updates } = await follow(new Server(pods, pods), relist, streamed, {
      transform,
    });
    expect(transformed).toBe(2);
    expect(after.get("default/a")).toEqual(before.get("default/a"));
    expect(updates).toEqual([]);
  });
});
