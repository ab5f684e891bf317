import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EventLog, type StorageEvent } from "../../src/storage/event-log.ts";
import { lowerBound, SortedObjects } from "../../src/storage/sorted-objects.ts";
import { Storage } from "../../src/storage/storage.ts";
import { RecentObjects, StoredObject } from "../../src/storage/stored-object.ts";

const recent = new RecentObjects(4);

function stateOf(key: string, revision = 1): StoredObject {
  const [first = "", second] = key.split("/");
  const metadata = second === undefined ? { name: first } : { namespace: first, name: second };
  return new StoredObject({ metadata }, revision, recent);
}

function put(storage: Storage, resource: string, name: string, data: unknown): StoredObject {
  return storage.write(storage.store(resource), { metadata: { name }, data });
}

describe("StoredObject", () => {
  test("keeps the object as a JSON string without its type", () => {
    const object = { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { x: 1 } };
    const stored = new StoredObject(object, 7, recent);
    expect(stored.tail).toBe('"metadata":{"name":"a"},"spec":{"x":1}}');
    expect(stored.object).toEqual({ metadata: { name: "a" }, spec: { x: 1 } });
    expect(stored).toMatchObject({ key: "a", namespace: "", name: "a", revision: 7 });
  });

  test("parses its JSON again when the object was dropped", () => {
    const stored = stateOf("team/a");
    const before = stored.object;
    stored.forget();
    expect(stored.object).not.toBe(before);
    expect(stored.object).toEqual(before);
  });

  test("holds parsed objects only for the most recently used versions", () => {
    const few = new RecentObjects(2);
    const make = (name: string): StoredObject => new StoredObject({ metadata: { name } }, 1, few);
    const first = make("a");
    const parsed = first.object;
    make("b");
    expect(first.object).toBe(parsed);
    make("c");
    make("d");
    expect(first.object).not.toBe(parsed);
  });
});

describe("SortedObjects", () => {
  test("is in byte order of namespace/name, so that a-b comes before a (API-0.13)", () => {
    const sorted = new SortedObjects();
    for (const key of ["a/x", "a-b/x", "b/a", "a/b"]) sorted.insert(stateOf(key));
    expect(sorted.items().map(({ key }) => key)).toEqual(["a-b/x", "a/b", "a/x", "b/a"]);
  });

  test("agrees with sorting a map after any inserts, replacements and removals", () => {
    const step = fc.tuple(fc.constantFrom("put", "put", "put", "remove", "read"), fc.nat(60));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const sorted = new SortedObjects();
        const model = new Map<string, StoredObject>();
        for (const [index, [action, number]] of steps.entries()) {
          const key = `n${number % 4}/${number}`;
          const stored = stateOf(key, index);
          if (action === "put") {
            if (model.has(key)) sorted.replace(stored);
            else sorted.insert(stored);
            model.set(key, stored);
          } else if (action === "remove" && model.delete(key)) {
            sorted.remove(key);
          }
          if (action !== "read") continue;
          const keys = [...model.keys()].toSorted();
          expect(sorted.items()).toEqual(keys.map((each) => model.get(each)));
        }
        const keys = [...model.keys()].toSorted();
        expect(sorted.items()).toEqual(keys.map((each) => model.get(each)));
      }),
    );
  });

  test("finds the first key that is not less than another", () => {
    const objects = ["a", "c", "e"].map((key) => stateOf(key));
    expect(["", "a", "b", "e", "f"].map((key) => lowerBound(objects, key))).toEqual([
      0, 0, 1, 2, 3,
    ]);
  });
});

describe("EventLog", () => {
  const event = (revision: number): StorageEvent => ({
    revision,
    type: "ADDED",
    stored: stateOf("a", revision),
    previous: undefined,
  });

  test("returns the events after a revision, oldest first", () => {
    const log = new EventLog({ events: 10, characters: Infinity, used: 0 }, 0);
    for (const revision of [2, 5, 9]) log.append(event(revision));
    expect(log.after(0).map(({ revision }) => revision)).toEqual([2, 5, 9]);
    expect(log.after(2).map(({ revision }) => revision)).toEqual([5, 9]);
    expect(log.after(9)).toEqual([]);
    expect(log.newest).toBe(9);
  });

  test("drops the oldest events beyond its capacity and keeps their last revision", () => {
    const log = new EventLog({ events: 3, characters: Infinity, used: 0 }, 0);
    for (let revision = 1; revision <= 10; revision++) log.append(event(revision));
    expect(log.floor).toBe(7);
    expect(log.after(log.floor).map(({ revision }) => revision)).toEqual([8, 9, 10]);
    log.dropThrough(10);
    expect(log.newest).toBe(10);
    expect(log.after(10)).toEqual([]);
  });
});

describe("Storage", () => {
  test("counts effective writes to all resources in one revision (API-1.1)", () => {
    const storage = new Storage();
    const start = storage.revision;
    put(storage, "pods", "a", 1);
    put(storage, "nodes", "n", 1);
    const stored = put(storage, "pods", "a", 2);
    expect(stored.revision).toBe(start + 3);
    const last = storage.remove(storage.store("pods"), stored);
    expect(last.revision).toBe(start + 4);
    expect(last.object).toMatchObject({
      metadata: { resourceVersion: String(start + 4) },
      data: 2,
    });
  });

  test("returns every past state exactly, for any history", () => {
    const step = fc.tuple(fc.constantFrom("put", "put", "remove"), fc.nat(12));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        const storage = new Storage();
        const store = storage.store("pods");
        const states = new Map([[storage.revision, new Map<string, string>()]]);
        let state = new Map<string, string>();
        for (const [index, [action, number]] of steps.entries()) {
          const name = `p${number}`;
          const existing = store.get(name);
          state = new Map(state);
          if (action === "put") {
            state.set(name, put(storage, "pods", name, index).tail);
          } else if (existing !== undefined) {
            storage.remove(store, existing);
            state.delete(name);
          }
          states.set(storage.revision, state);
        }
        for (const [revision, expected] of states) {
          const versions = store.objectsAt(revision);
          expect(versions.map(({ key }) => key)).toEqual([...expected.keys()].toSorted());
          for (const { key, tail } of versions) expect(tail).toBe(expected.get(key));
          for (const key of expected.keys()) {
            expect(store.getAt(key, revision)?.tail).toBe(expected.get(key));
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  test("restores a snapshot with its history, and drops newer resources", () => {
    const storage = new Storage();
    put(storage, "pods", "a", 1);
    const snapshot = storage.snapshot();
    put(storage, "pods", "a", 2);
    put(storage, "widgets.example.com", "w", 1);
    storage.restore(snapshot);
    expect(storage.revision).toBe(snapshot.revision);
    expect(storage.store("pods").get("a")?.object["data"]).toBe(1);
    expect(storage.store("pods").eventsAfter(0)).toHaveLength(1);
    expect(storage.store("widgets.example.com").size).toBe(0);
  });

  test("rewrites all current and past objects without a new revision", () => {
    const storage = new Storage();
    put(storage, "pods", "a", 1);
    put(storage, "pods", "a", 2);
    const store = storage.store("pods");
    const revision = storage.revision;
    store.rewrite(({ object, revision: each }) =>
      storage.createState({ ...object, mode: "auto" }, each),
    );
    expect(storage.revision).toBe(revision);
    expect(store.get("a")?.object).toMatchObject({ data: 2, mode: "auto" });
    expect(store.objectsAt(revision - 1)[0]?.object).toMatchObject({ data: 1, mode: "auto" });
  });

  test("keeps no more events of a resource than its option allows", () => {
    const storage = new Storage({ historyEvents: 5 });
    for (let index = 0; index < 20; index++) put(storage, "pods", "a", index);
    const store = storage.store("pods");
    expect(store.eventsAfter(store.watchFloor)).toHaveLength(5);
    expect(store.historyFloor).toBe(storage.revision - 5);
  });

  test("keeps no more history of all resources together than its option allows", () => {
    const limit = 50_000;
    const storage = new Storage({ totalHistoryBytes: limit });
    const fill = "x".repeat(1000);
    for (let index = 0; index < 300; index++) put(storage, `r${index % 10}`, "a", [index, fill]);
    expect(heldBytes(storage)).toBeLessThanOrEqual(limit);
    expect(storage.historyBytes).toBeGreaterThan(limit - 2000);
    // The oldest went first, so that each resource has its newest.
    for (let index = 0; index < 10; index++) {
      const store = storage.store(`r${index}`);
      expect(store.eventsAfter(store.watchFloor).length).toBeGreaterThanOrEqual(4);
      expect(store.watchFloor).toBe(store.historyFloor);
    }
  });

  test("counts what a small event keeps of a large object before it", () => {
    const limit = 100_000;
    const storage = new Storage({ totalHistoryBytes: limit });
    for (let index = 0; index < 100; index++) {
      put(storage, "pods", `p${index}`, "x".repeat(10_000));
      put(storage, "pods", `p${index}`, "");
    }
    expect(heldBytes(storage)).toBeLessThanOrEqual(limit);
  });

  test("knows the size of its history after every kind of change", () => {
    const storage = new Storage({ totalHistoryBytes: 20_000 });
    const sizes = (): void => expect(storage.historyBytes).toBe(countedBytes(storage));
    for (let index = 0; index < 40; index++) put(storage, `r${index % 4}`, "a", index);
    const snapshot = storage.snapshot();
    const { oldest } = storage.store("r1");
    storage.store("r1").dropHistory(oldest);
    sizes();
    storage
      .store("r2")
      .rewrite(({ object, revision }) =>
        storage.createState({ ...object, mode: "x".repeat(100) }, revision),
      );
    sizes();
    storage.drop("r3");
    sizes();
    for (let index = 0; index < 200; index++) put(storage, `r${index % 8}`, "b", index);
    sizes();
    storage.restore(snapshot);
    sizes();
    expect(storage.historyBytes).toBeGreaterThan(0);
  });
});

/** Characters of the distinct states that only the history refers to, and those of its events. */
function heldBytes(storage: Storage): number {
  const held = new Set<StoredObject>();
  for (const store of storage.stores()) {
    for (const { previous, stored } of store.eventsAfter(0)) {
      held.add(stored);
      if (previous !== undefined) held.add(previous);
    }
    for (const current of store.objects()) held.delete(current);
  }
  return [...held].reduce((sum, { tail }) => sum + tail.length, 0);
}

function countedBytes(storage: Storage): number {
  let bytes = 0;
  for (const store of storage.stores()) {
    for (const { previous, stored } of store.eventsAfter(0)) {
      bytes += Math.max(stored.tail.length, previous?.tail.length ?? 0);
    }
  }
  return bytes;
}
