import {
  createConnection,
  httpListerWatcher,
  SharedInformer,
  silentLog,
  type KubernetesObject,
} from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { SimulatedClock } from "listwatch/testing";
import { expect, onTestFinished, test } from "vitest";
import { catchUp, compareWithServer } from "../src/comparison.ts";
import { EventFeed, writtenAt, writtenNow } from "../src/event-feed.ts";

const resource = { group: "", version: "v1", resource: "namespaces" };

/** Distinguishes the requests of the informer. */
const ofInformer = { "x-by": "informer" };

interface StageOptions {
  /** Selects the objects of the cache. */
  readonly keep?: (object: KubernetesObject) => boolean;
  readonly transform?: (object: KubernetesObject) => KubernetesObject;
  /** Selects the objects that the server shows to the comparison. */
  readonly fieldSelector?: string;
}

/** A cache of the four namespaces of a server. */
async function startCache({ fieldSelector, keep, transform }: StageOptions = {}) {
  const clock = new SimulatedClock();
  const server = new FakeApiServer({ clock });
  const { fetch } = server;
  const connection = createConnection({ server: "http://fake", fetch });
  const own = createConnection({ server: "http://fake", fetch, headers: ofInformer });
  const stop = new AbortController();
  const informer = new SharedInformer<KubernetesObject>({
    listerWatcher: httpListerWatcher({ connection: own, resource, clock }),
    clock,
    cache: { keep, transform },
    telemetry: { log: silentLog },
  });
  const running = informer.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  await clock.advance(2000);
  const source = httpListerWatcher({ connection, resource, clock, fieldSelector });
  const sides = { informer, source, clock, signal: stop.signal };
  const compare = async () => {
    const comparing = catchUp(sides).then((newest) => compareWithServer(sides, newest));
    await clock.advance(10_000);
    return comparing;
  };
  return { clock, compare, server, sides };
}

async function createNamespace(server: FakeApiServer, name: string): Promise<void> {
  const init = { method: "POST", headers: { "content-type": "application/json" } };
  const body = JSON.stringify({ metadata: { name } });
  await server.fetch(new Request("http://fake/api/v1/namespaces", { ...init, body }));
}

test("a cache that equals the server, member by member, is proved equal", async () => {
  const { compare } = await startCache();
  expect(await compare()).toEqual({ isEqual: true, text: "cache = server (4 = 4)" });
});

test("one object too few, too many, or with another member is a difference", async () => {
  const isOther = ({ metadata }: KubernetesObject): boolean => metadata?.name !== "default";
  const fewer = await startCache({ keep: isOther });
  expect(await fewer.compare()).toEqual({
    isEqual: false,
    text: "cache ≠ server (3, 4): 1 missing, 0 surplus, 0 different",
  });
  const more = await startCache({ fieldSelector: "metadata.name!=default" });
  expect(await more.compare()).toEqual({
    isEqual: false,
    text: "cache ≠ server (4, 3): 0 missing, 1 surplus, 0 different",
  });
  // As many objects with the same uids and versions, one of them with a wrong label.
  const wrong = await startCache({
    transform: (object) =>
      isOther(object)
        ? object
        : { ...object, metadata: { ...object.metadata, labels: { a: "b" } } },
  });
  expect(await wrong.compare()).toEqual({
    isEqual: false,
    text: "cache ≠ server (4, 4): 0 missing, 0 surplus, 1 different",
  });
});

test("a refusal and a compaction during a comparison do not spoil it", async () => {
  const { compare, server } = await startCache();
  for (const [code, query] of [
    [429, { limit: "1" }],
    [410, { resourceVersionMatch: "Exact" }],
  ] as const) {
    const action = { type: "status", status: { code } } as const;
    server.control.faults.add({ match: { verb: "list", query }, action });
  }
  expect(await compare()).toEqual({ isEqual: true, text: "cache = server (4 = 4)" });
  server.control.faults.assertConsumed();
});

test("a quiet collection of a busy server counts as complete after some seconds", async () => {
  const { clock, server, sides } = await startCache();
  // The version of the server moves, that of the watch does not.
  server.control.advanceRevision();
  let caughtUpMs = 0;
  const startMs = clock.now();
  void catchUp(sides).then(() => (caughtUpMs = clock.now() - startMs));
  await clock.advance(10_000);
  expect(caughtUpMs).toBeGreaterThanOrEqual(3000);
  expect(caughtUpMs).toBeLessThan(3100);
});

test("a cache that is behind is waited for, however long its watch is broken", async () => {
  const { clock, server, sides } = await startCache();
  const action = { type: "status", status: { code: 503 } } as const;
  const outage = server.control.faults.add({
    match: { headers: ofInformer },
    action,
    times: Infinity,
  });
  server.control.watches.reset();
  await createNamespace(server, "late");
  let isCaughtUp = false;
  void catchUp(sides).then(() => (isCaughtUp = true));
  await clock.advance(60_000);
  expect(isCaughtUp).toBe(false);
  outage.remove();
  await clock.advance(60_000);
  expect(isCaughtUp).toBe(true);
  expect(sides.informer.store.listKeys()).toContain("late");
});

test("the age of a change is known from its write, and the median of those since a time", async () => {
  const clock = new SimulatedClock({ startMs: 1000 });
  const metadata = { name: "web", annotations: writtenNow(clock) };
  expect(writtenAt({ metadata })).toBe(1000);
  expect(writtenAt({ metadata: { name: "web" } })).toBe(undefined);
  const feed = new EventFeed();
  for (const [atMs, ageMs] of [
    [1000, 30],
    [1100, 10],
    [1200, undefined],
    [1300, 20],
  ] as const) {
    feed.record({ kind: "add", key: "web", detail: "", atMs, ageMs });
  }
  expect(feed.medianAge(0)).toEqual({ ageMs: 20, count: 3 });
  expect(feed.medianAge(1050)).toEqual({ ageMs: 20, count: 2 });
  expect(feed.medianAge(1301)).toBe(undefined);
});

test("the feed counts events by kind and second, and keeps the newest", () => {
  const feed = new EventFeed();
  for (let index = 0; index < 3000; index++) {
    const kind = index % 3 === 0 ? "add" : "delete";
    feed.record({ kind, key: `pod-${index}`, detail: "", atMs: index * 50, ageMs: undefined });
  }
  expect(feed.totals).toEqual({ add: 1000, update: 0, delete: 2000 });
  expect(feed.total).toBe(3000);
  expect(feed.newest(2).map(({ key }) => key)).toEqual(["pod-2999", "pod-2998"]);
  expect(feed.newest(0)).toEqual([]);
  const history = feed.history(155_000);
  expect(history.length).toBe(60);
  expect(history.slice(-6)).toEqual([20, 0, 0, 0, 0, 0]);
});
