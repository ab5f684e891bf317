import { RealFIFO } from "@listwatch/core-fifo";
import { Indexer, Lister, namespaceIndex } from "@listwatch/store-indexer";
import {
  fixed,
  nanosecondsPer,
  type Benchmark,
  type Sampler,
  type Suite,
} from "./framework/suite.ts";
import { NaiveQueue } from "./naive-queue.ts";
import { keyOf, NaiveStore } from "./naive-store.ts";

interface Pod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    readonly resourceVersion: string;
    readonly labels: Readonly<Record<string, string>>;
  };
}

type Pods = Indexer<Pod, { namespace: string }>;

const namespaceCount = 500;
const sizes = [10_000, 100_000, 1_000_000] as const;

export const suite: Suite = {
  name: "store-indexer",
  benchmarks() {
    const fixtures = sizes.map((size) => new Fixture(size));
    return [
      pipeline("steady, bursts of 16", 10_000, 16, 1.6),
      pipeline("relist, burst of 50,000", 50_000, 50_000, 1.6),
      ...sizes.map(memory),
      ...fixtures.flatMap(operations),
      ...scaling(fixtures),
    ];
  },
};

/** Two versions of the same pods and a store of each kind that holds them, made when first needed. */
class Fixture {
  readonly size: number;
  #versions: readonly [readonly Pod[], readonly Pod[]] | undefined;
  #keys: readonly string[] | undefined;
  #naive: NaiveStore<Pod> | undefined;
  #pods: Pods | undefined;

  constructor(size: number) {
    this.size = size;
  }

  get versions(): readonly [readonly Pod[], readonly Pod[]] {
    return (this.#versions ??= [podsOf(this.size, "1"), podsOf(this.size, "2")]);
  }

  get keys(): readonly string[] {
    return (this.#keys ??= this.versions[0].map(keyOf));
  }

  get naive(): NaiveStore<Pod> {
    if (this.#naive === undefined) {
      this.#naive = new NaiveStore();
      this.#naive.replace(this.versions[0]);
    }
    return this.#naive;
  }

  get pods(): Pods {
    if (this.#pods === undefined) {
      this.#pods = newStore();
      this.#pods.replace(this.versions[0], "1");
    }
    return this.#pods;
  }
}

function newStore(): Pods {
  return new Indexer<Pod, { namespace: string }>({ indexers: namespaceIndex });
}

// Shared, so that a million pods fit in the memory of a small machine twice.
const webLabels = { app: "web", tier: "1" };
const otherLabels = { app: "db", tier: "2" };

/** Neighbours are in different namespaces, as in the order in which pods come into being. */
function podsOf(size: number, version: string): Pod[] {
  return Array.from({ length: size }, (_, index) => ({
    metadata: {
      namespace: flat(`namespace-${index % namespaceCount}`),
      name: flat(`pod-${index}`),
      resourceVersion: `${version}${index}`,
      labels: index % 40 === 0 ? webLabels : otherLabels,
    },
  }));
}

/** One operation on each kind of store. A function does it once for every pod, or returns for how many it did it. */
interface Operation {
  readonly name: string;
  readonly naive: (fixture: Fixture) => () => void;
  readonly subject: (fixture: Fixture) => () => void;
  /** Repetitions that one sample needs to be long enough. */
  readonly repetitions: (size: number) => number;
}

/** About 200,000 operations a sample, and each pod at least once. */
const often = (size: number): number => Math.max(1, Math.round(200_000 / size));

const upsert: Operation = {
  name: "upsert, same namespace",
  repetitions: often,
  naive: (fixture) => alternately(fixture, (pod) => void fixture.naive.upsert(pod)),
  subject: (fixture) => alternately(fixture, (pod) => fixture.pods.update(pod)),
};

const insert: Operation = {
  name: "insert",
  repetitions: often,
  naive:
    ({ versions: [pods] }) =>
    () => {
      const store = new NaiveStore<Pod>();
      for (const pod of pods) store.upsert(pod);
    },
  subject:
    ({ versions: [pods] }) =>
    () => {
      const store = newStore();
      for (const pod of pods) store.add(pod);
    },
};

const replace: Operation = {
  name: "replace",
  repetitions: often,
  naive:
    ({ naive, versions: [pods] }) =>
    () =>
      naive.replace(pods),
  subject: (fixture) => () => fixture.pods.replace(fixture.versions[0], "1"),
};

const deleteAndAdd: Operation = {
  name: "delete and add",
  repetitions: often,
  naive:
    ({ naive, versions: [pods] }) =>
    () => {
      for (const pod of pods) {
        naive.delete(pod);
        naive.upsert(pod);
      }
    },
  subject:
    ({ pods: store, versions: [pods] }) =>
    () => {
      for (const pod of pods) {
        store.delete(pod);
        store.add(pod);
      }
    },
};

const get: Operation = {
  name: "get by key",
  repetitions: often,
  naive:
    ({ keys, naive }) =>
    () =>
      check(keys, (key) => naive.get(key)),
  subject:
    ({ keys, pods }) =>
    () =>
      check(keys, (key) => pods.getByKey(key)),
};

const byIndex: Operation = {
  name: "byIndex, all namespaces",
  repetitions: often,
  naive: (fixture) => eachNamespace(fixture, (namespace) => fixture.naive.byNamespace(namespace)),
  subject: (fixture) =>
    eachNamespace(fixture, (namespace) => fixture.pods.byIndex("namespace", namespace)),
};

const list: Operation = {
  name: "list",
  repetitions: often,
  naive:
    ({ naive, size }) =>
    () =>
      expectCount(naive.list().length, size),
  subject:
    ({ pods, size }) =>
    () =>
      expectCount(pods.list().length, size),
};

const selectorList: Operation = {
  name: "list by label selector, 1 in 40",
  repetitions: often,
  naive:
    ({ naive, size }) =>
    () => {
      const found = naive.list().filter(({ metadata: { labels } }) => labels["app"] === "web");
      expectCount(found.length, size / 40);
    },
  subject: ({ pods, size }) => {
    const lister = new Lister(pods, { resource: "pods" });
    return () => expectCount(lister.list({ labelSelector: "app=web" }).length, size / 40);
  },
};

function operations(fixture: Fixture): Benchmark[] {
  const { size } = fixture;
  return [insert, upsert, replace, deleteAndAdd, get, byIndex, list, selectorList].map(
    ({ name, repetitions, naive, subject }) => ({
      name: `${name}, ${size.toLocaleString("en-US")}`,
      unit: "ns/object",
      rounds: 5,
      yardstick: { name: "naive", sample: sampler(size * repetitions(size), fixture, naive) },
      subject: { name: "Indexer", sample: sampler(size * repetitions(size), fixture, subject) },
    }),
  );
}

/** The cost of an operation must not depend on how many objects there are. */
function scaling(fixtures: readonly Fixture[]): Benchmark[] {
  const [small, , large] = fixtures;
  if (small === undefined || large === undefined) return [];
  return [upsert, deleteAndAdd, get, byIndex].map(({ name, repetitions, subject }) => ({
    name: `${name}, 1,000,000 against 10,000`,
    unit: "ns/object",
    rounds: 5,
    goal: 0.5,
    yardstick: {
      name: "10,000",
      sample: sampler(small.size * repetitions(small.size), small, subject),
    },
    subject: {
      name: "1,000,000",
      sample: sampler(large.size * repetitions(large.size), large, subject),
    },
  }));
}

function sampler(
  total: number,
  fixture: Fixture,
  prepare: (fixture: Fixture) => () => void,
): Sampler {
  const times = total / fixture.size;
  const run = (once: () => void): void => {
    for (let time = 0; time < times; time += 1) once();
  };
  // A million objects warm up by themselves, and take long.
  if (times > 1) return nanosecondsPer(total, () => () => run(prepare(fixture)));
  return () => {
    const once = prepare(fixture);
    const startMs = performance.now();
    once();
    return ((performance.now() - startMs) * 1e6) / total;
  };
}

/** Writes the one version of all pods and the other version the next time. */
function alternately({ versions }: Fixture, write: (pod: Pod) => void): () => void {
  let turn = 0;
  return () => {
    turn += 1;
    for (const pod of versions[turn % 2 === 0 ? 0 : 1]) write(pod);
  };
}

function eachNamespace(
  { size }: Fixture,
  read: (namespace: string) => readonly unknown[],
): () => void {
  const namespaces = Array.from({ length: namespaceCount }, (_, index) => `namespace-${index}`);
  return () => {
    let count = 0;
    for (const namespace of namespaces) count += read(namespace).length;
    expectCount(count, size);
  };
}

function check(keys: readonly string[], read: (key: string) => unknown): void {
  let count = 0;
  for (const key of keys) if (read(key) !== undefined) count += 1;
  expectCount(count, keys.length);
}

function expectCount(got: number, expected: number): void {
  if (got !== expected) throw new Error(`Expected ${expected} objects, got ${got}`);
}

/** Heap per object with its index entry, besides the object and its key. */
function memory(size: number): Benchmark {
  return {
    name: `memory besides object and key, ${size.toLocaleString("en-US")}`,
    unit: "bytes/object",
    rounds: 5,
    goal: 1,
    yardstick: fixed("limit", 120),
    subject: {
      name: "Indexer",
      sample: () => {
        const pods = podsOf(size, "1");
        const keys = flatKeysOf(pods);
        const store = newStore().keyed;
        const before = heapBytes();
        for (const [index, pod] of pods.entries()) store.add(keys[index] ?? "", pod);
        const bytes = (heapBytes() - before) / size;
        // Keeps everything alive until here that was alive before.
        expectCount(store.size + pods.length + keys.length, 3 * size);
        return bytes;
      },
    },
  };
}

/** Keys in one piece of memory each, as they are once a store has compared them. */
function flatKeysOf(pods: readonly Pod[]): readonly string[] {
  return pods.map((pod) => flat(keyOf(pod)));
}

// V8 joins strings lazily and makes the joined text when it is first read, which would count as the store's memory.
function flat(text: string): string {
  return String(JSON.parse(JSON.stringify(text)));
}

const collectGarbage: unknown = Reflect.get(globalThis, "gc");

function heapBytes(): number {
  if (typeof collectGarbage === "function") {
    collectGarbage();
    collectGarbage();
  }
  return process.memoryUsage().heapUsed;
}

/** Queue → store → index by namespace → one listener, without any parsing. */
function pipeline(name: string, keyCount: number, burst: number, goal: number): Benchmark {
  const events = Math.max(200_000, burst);
  const [before, after] = [podsOf(keyCount, "1"), podsOf(keyCount, "2")];
  const event = (index: number): Pod | undefined =>
    (Math.floor(index / keyCount) % 2 === 0 ? before : after)[index % keyCount];
  return {
    name: `pipeline, ${name}`,
    unit: "ns/event",
    goal,
    yardstick: {
      name: "naive",
      sample: nanosecondsPer(events, () => {
        const queue = new NaiveQueue<Pod>(keyOf);
        const store = new NaiveStore<Pod>();
        const listener = new Listener();
        return () => {
          for (let written = 0; written < events;) {
            for (const end = Math.min(written + burst, events); written < end; written += 1) {
              const pod = event(written);
              if (pod !== undefined) queue.write("Updated", pod);
            }
            while (queue.length > 0) {
              queue.pop((deltas) => {
                for (const { object } of deltas) listener.onChange(store.upsert(object), object);
              });
            }
          }
          listener.expect(events);
        };
      }),
    },
    subject: {
      name: "RealFIFO and Indexer",
      sample: nanosecondsPer(events, () => {
        const queue = new RealFIFO<Pod>();
        const store = newStore().keyed;
        const listener = new Listener();
        return () => {
          for (let written = 0; written < events;) {
            for (const end = Math.min(written + burst, events); written < end; written += 1) {
              const pod = event(written);
              if (pod !== undefined) queue.update(pod);
            }
            while (queue.length > 0) {
              void queue.pop((deltas) => {
                for (const delta of deltas) {
                  if (delta.type !== "Updated") continue;
                  listener.onChange(store.update(delta.key, delta.object), delta.object);
                }
              });
            }
          }
          listener.expect(events);
        };
      }),
    },
  };
}

class Listener {
  #calls = 0;
  #updates = 0;

  onChange(previous: unknown, _current: unknown): void {
    this.#calls += 1;
    if (previous !== undefined) this.#updates += 1;
  }

  expect(events: number): void {
    expectCount(this.#calls, events);
    if (this.#updates === 0) throw new Error("Expected updates, got none");
    this.#calls = 0;
  }
}
