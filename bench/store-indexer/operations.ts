import { Lister } from "@listwatch/store-indexer";
import { nanosecondsPer, type Benchmark, type Sampler } from "../framework/suite.ts";
import { NaiveStore } from "./naive-store.ts";
import type { Fixture } from "./fixture.ts";
import { expectCount, namespaceCount, newStore, type Pod } from "./pods.ts";

/**
 * One operation on each kind of store. A function performs it once per pod, or returns the number
 * of operations.
 */
interface Operation {
  readonly name: string;
  readonly naive: (fixture: Fixture) => () => void;
  readonly subject: (fixture: Fixture) => () => void;
  /** Repetitions that make a sample long enough. */
  readonly repetitions: (size: number) => number;
}

/** About 200,000 operations per sample, and at least one per pod. */
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

export function operations(fixture: Fixture): Benchmark[] {
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

/**
 * The cost of an operation must not depend on the number of objects more than that of the naive
 * store, which uses a `Map`.
 */
export function scaling(fixtures: readonly Fixture[]): Benchmark[] {
  const [small, , large] = fixtures;
  if (small === undefined || large === undefined) return [];
  const row = (
    name: string,
    { repetitions }: Operation,
    prepare: Operation["subject"],
    goal?: number,
  ): Benchmark => ({
    name: `${name}, 1,000,000 against 10,000`,
    unit: "ns/object",
    rounds: 5,
    yardstick: {
      name: "10,000",
      sample: sampler(small.size * repetitions(small.size), small, prepare),
    },
    subject: {
      name: "1,000,000",
      sample: sampler(large.size * repetitions(large.size), large, prepare),
    },
    ...(goal === undefined ? {} : { goal }),
  });
  return [upsert, deleteAndAdd, get, byIndex].flatMap((operation) => [
    row(operation.name, operation, operation.subject, 0.5),
    row(`${operation.name}, naive`, operation, operation.naive),
  ]);
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
  // A million objects need no separate warm-up, which would take long.
  if (times > 1) return nanosecondsPer(total, () => () => run(prepare(fixture)));
  return () => {
    const once = prepare(fixture);
    const startMs = performance.now();
    once();
    return ((performance.now() - startMs) * 1e6) / total;
  };
}

/** Writes two versions of all pods in turn. */
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
