import assert from "node:assert/strict";
import { createConnection } from "@listwatch/client";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { httpListerWatcher, type ReflectorStatus } from "@listwatch/reflector";
import { checkCache, type CacheCheck } from "../../apps/demo/src/cache-check.ts";
import { ChangeAges } from "../../apps/demo/src/change-ages.ts";
import { Recoveries } from "../../apps/demo/src/recoveries.ts";
import { Tally } from "../../apps/demo/src/tally.ts";
import { test } from "./harness.ts";

const resource = { group: "", version: "v1", resource: "namespaces" };

/** Compares a cache with a server of four namespaces, after the cache was changed. */
async function checkAfter(
  change: (objects: KubernetesObject[]) => KubernetesObject[],
  server: FakeApiServer = new FakeApiServer(),
): Promise<CacheCheck> {
  const { control, fetch } = server;
  const connection = createConnection({ server: "http://fake", fetch });
  const listerWatcher = httpListerWatcher({ connection, resource });
  const { signal } = new AbortController();
  const { items } = await listerWatcher.list({}, { signal });
  const objects: KubernetesObject[] = [];
  for await (const page of Symbol.asyncIterator in items ? items : [items]) objects.push(...page);
  assert.equal(objects.length, 4);
  const changed = change(objects);
  const informer = {
    lastStoreSyncResourceVersion: String(control.revision),
    status: () => assert.fail("expected the version to be reached"),
    waitForResourceVersion: () => Promise.resolve(),
    store: { list: () => changed },
  };
  return checkCache({ informer, listerWatcher, signal });
}

test("a cache that equals the server, member by member, is proved equal", async () => {
  const { isEqual, text } = await checkAfter((objects) => objects);
  assert.deepEqual({ isEqual, text }, { isEqual: true, text: "cache = server (4 = 4)" });
});

test("one object too few, too many, or with another member is a difference", async () => {
  const fewer = await checkAfter((objects) => objects.slice(1));
  assert.equal(fewer.text, "cache ≠ server (3, 4): 1 missing, 0 surplus, 0 different");
  const metadata = { name: "ghost", uid: "ghost" };
  const more = await checkAfter((objects) => [...objects, { metadata }]);
  assert.equal(more.text, "cache ≠ server (5, 4): 0 missing, 1 surplus, 0 different");
  // As many objects with the same uids and versions, one of them with a wrong label.
  const other = await checkAfter(([first, ...rest]) => {
    return [{ ...first, metadata: { ...first?.metadata, labels: { wrong: "yes" } } }, ...rest];
  });
  assert.equal(other.text, "cache ≠ server (4, 4): 0 missing, 0 surplus, 1 different");
  assert.ok(!fewer.isEqual && !more.isEqual && !other.isEqual);
});

test("a refusal and a compaction during a proof do not spoil it", async () => {
  const server = new FakeApiServer();
  const { faults } = server.control;
  const check = checkAfter((objects) => {
    for (const [code, query] of [
      [429, { limit: "1" }],
      [410, { resourceVersionMatch: "Exact" }],
    ] as const) {
      const action = { type: "status", status: { code } } as const;
      faults.add({ match: { verb: "list", query }, action });
    }
    return objects;
  }, server);
  assert.deepEqual(await check, { isEqual: true, text: "cache = server (4 = 4)" });
  faults.assertConsumed();
});

/** What a reflector says that watches since a time, in milliseconds since 1970. */
function watchingSince(lastWatchMs: number | undefined): {
  readonly source: ReflectorStatus;
  readonly problem: undefined;
} {
  const source: ReflectorStatus = {
    name: "pods",
    phase: "watching",
    synced: true,
    resourceVersion: "7",
    lastListMs: undefined,
    lastEventMs: undefined,
    lastBookmarkMs: undefined,
    lastWatchMs,
    silentUntilMs: undefined,
    waitingUntilMs: undefined,
    attempts: 0,
    failingSinceMs: undefined,
    lastFailure: undefined,
  };
  return { source, problem: undefined };
}

test("a recovery is from the first failure to a watch that the server accepted after the last", () => {
  const recoveries = new Recoveries();
  recoveries.look(watchingSince(undefined));
  assert.equal(recoveries.hasWorked, false, "expected no watch before the server accepts one");
  recoveries.look(watchingSince(Date.now() - 60_000));
  assert.equal(recoveries.isWorking, true);
  assert.equal(recoveries.noteFailure("away", 12), true);
  assert.equal(recoveries.noteFailure("away", 14), false);
  assert.equal(recoveries.look(watchingSince(Date.now() - 60_000)), undefined);
  assert.equal(recoveries.look(watchingSince(Date.now() + 5)), undefined, "not settled yet");
  const failedMs = Date.now();
  while (Date.now() < failedMs + 150);
  const recovery = recoveries.look(watchingSince(failedMs + 20));
  assert.deepEqual([recovery?.hadWorked, recovery?.eventsBefore], [true, 12]);
  assert.ok((recovery?.tookMs ?? 0) >= 20, `got ${recovery?.tookMs}`);
  assert.equal(recoveries.look(watchingSince(failedMs + 20)), undefined);
  assert.equal(recoveries.count, 1);
});

test("ages count from the write to the arrival, whichever is noted first", () => {
  const ages = new ChangeAges();
  ages.noteWrite("5", 1000);
  ages.noteArrival("5", 1030);
  ages.noteArrival("6", 1100);
  ages.noteWrite("6", 1090);
  ages.noteArrival("7", 2000);
  assert.deepEqual(ages.medianSince(0), { ageMs: 30, count: 2 });
  assert.deepEqual(ages.medianSince(1050), { ageMs: 10, count: 1 });
  assert.equal(ages.medianSince(1101), undefined);
});

test("two handlers saw the same only with the same events in the same order", () => {
  const tallyOf = (...keys: readonly string[]): Tally => {
    const tally = new Tally();
    for (const key of keys) tally.note({ kind: "add", key, resourceVersion: "1" });
    return tally;
  };
  assert.ok(tallyOf("a", "b").equals(tallyOf("a", "b")));
  assert.ok(!tallyOf("a", "b").equals(tallyOf("b", "a")));
  assert.ok(!tallyOf("a").equals(tallyOf("a", "a")));
});
