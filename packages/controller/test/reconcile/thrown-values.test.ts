import { silentLog } from "@listwatch/core-fifo";
import { Controller } from "@listwatch/controller";
import { SharedInformer } from "@listwatch/shared-informer";
import { expect, test } from "vitest";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { metricsSink } from "../support/metrics-sink.ts";

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable(new Error("revoked"), {});
  revoke();
  return proxy;
}

const refuse = (): never => {
  throw new Error("trapped");
};
const trapped = new Proxy(new Error("trapped"), {
  get: refuse,
  getPrototypeOf: refuse,
  has: refuse,
  ownKeys: refuse,
  getOwnPropertyDescriptor: refuse,
});
const circular: Record<string, unknown> = {};
circular["self"] = circular;

/** Values that programs may throw, and at which reading fails. */
const values: Readonly<Record<string, unknown>> = {
  "a revoked proxy": revoked(),
  "a proxy whose traps throw": trapped,
  "an object without a string": { toString: refuse, [Symbol.toPrimitive]: refuse },
  "an error whose members throw": Object.defineProperties(new Error("hidden"), {
    message: { get: refuse },
    name: { get: refuse },
    code: { get: refuse },
    cause: { get: refuse },
  }),
  null: null,
  undefined,
  "a symbol": Symbol("thrown"),
  "a bigint": 1n,
  "a function": () => 1,
  "a frozen object": Object.freeze({ a: 1 }),
  "an object without a prototype": Object.create(null),
  "a circular object": circular,
};

const throwIt = (value: unknown) => (): never => {
  // oxlint-disable-next-line typescript/only-throw-error
  throw value;
};
const rejectIt = (value: unknown) => (): Promise<never> =>
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors
  Promise.reject(value);

interface Places {
  readonly reconcile?: () => unknown;
  readonly mapping?: () => never;
  readonly predicate?: () => never;
  readonly handler?: () => unknown;
  readonly index?: () => never;
  readonly keep?: () => never;
  readonly transform?: () => never;
  readonly log?: () => unknown;
  readonly onError?: () => never;
  readonly metric?: () => never;
}

/** Each place where a function of the program is called for an object. */
const places: Readonly<Record<string, (value: unknown) => Places>> = {
  "reconcile throws": (value) => ({ reconcile: throwIt(value) }),
  "reconcile rejects with": (value) => ({ reconcile: rejectIt(value) }),
  "a mapping throws": (value) => ({ mapping: throwIt(value) }),
  "a predicate throws": (value) => ({ predicate: throwIt(value) }),
  "a handler throws": (value) => ({ handler: throwIt(value) }),
  "a handler rejects with": (value) => ({ handler: rejectIt(value) }),
  "an index function throws": (value) => ({ index: throwIt(value) }),
  "keep throws": (value) => ({ keep: throwIt(value) }),
  "a transform throws": (value) => ({ transform: throwIt(value) }),
  "a log throws": (value) => ({ log: throwIt(value), reconcile: throwIt(value) }),
  "a log rejects with": (value) => ({ log: rejectIt(value), reconcile: throwIt(value) }),
  "the hook for errors throws": (value) => ({ onError: throwIt(value), reconcile: throwIt(value) }),
  "a metric throws": (value) => ({ metric: throwIt(value) }),
};

const cases = Object.entries(places).flatMap(([place, at]) =>
  Object.entries(values).map(([name, value]) => [place, name, at(value)] as const),
);

/** Calls a function for the object "broken", and for lines about it. */
const forBroken = <R>(action: (() => R) | undefined, object: unknown): R | undefined =>
  action !== undefined && JSON.stringify(object).includes("broken") ? action() : undefined;

test.each(cases)("a controller and its informer go on when %s %s", async (_, __, place) => {
  const cluster = new Cluster();
  const { clock } = cluster;
  const log =
    place.log === undefined
      ? silentLog
      : { debug: place.log, info: place.log, warn: place.log, error: place.log };
  const informer = new SharedInformer<ConfigMap, { readonly named: string }>({
    clock,
    listerWatcher: cluster.source(),
    telemetry: { log },
    indexers: {
      named: (object) => {
        forBroken(place.index, object);
        return [object.metadata.name];
      },
    },
    cache: {
      keep: (object) => forBroken(place.keep, object) ?? true,
      transform: (object) => forBroken(place.transform, object) ?? object,
    },
  });
  informer.addEventHandler({ onAdd: (object) => forBroken(place.handler, object) });
  const reconciled = new Set<string>();
  const controller = new Controller<never>({
    clock,
    telemetry: {
      log,
      metrics: metricsSink(({ name }) => {
        if (name === "controller_runtime_reconcile_time_seconds") place.metric?.();
      }),
    },
    onError: place.onError,
    reconcile: async (key) => {
      await forBroken(place.reconcile, key);
      reconciled.add(key);
    },
  });
  controller.for(informer, {
    predicate: { add: (object) => forBroken(place.predicate, object) ?? true },
  });
  controller.watches(informer, (object) => forBroken(place.mapping, object) ?? []);
  const stop = new AbortController();
  const running = Promise.all([informer.run(stop.signal), controller.run(stop.signal)]);
  await cluster.create("broken");
  await cluster.create("first");
  await clock.advance(5000);
  await cluster.create("later");
  await clock.advance(5000);
  expect([...reconciled].filter((key) => !key.includes("broken")).toSorted()).toEqual([
    "default/first",
    "default/later",
  ]);
  stop.abort();
  await clock.advance(1000);
  await expect(running).resolves.toHaveLength(2);
});
