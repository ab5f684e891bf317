import type { ListerWatcher } from "@listwatch/reflector";
import {
  InformerView,
  SharedInformer,
  type Informer,
  type SharedInformerOptions,
} from "../../src/index.ts";
import type { SimulatedIndexes } from "./claims.ts";
import type { ConfigMap } from "./cluster.ts";

/** Selects the objects of the view. */
export const webSelector = "app=web";

/** Informers that a schedule runs against. */
export interface Subject {
  readonly everything: Informer<ConfigMap, SimulatedIndexes>;
  readonly web: Informer<ConfigMap, SimulatedIndexes>;
  /** Informers that list and watch. */
  readonly sources: readonly Informer<ConfigMap, SimulatedIndexes>[];
  /** Probability that changes are read from a stream rather than handled. */
  readonly streamProbability: number;
  run(signal: AbortSignal): Promise<void>;
}

type Options = Omit<SharedInformerOptions<ConfigMap, SimulatedIndexes>, "listerWatcher">;

/** @param sourceOf lists and watches a namespace, or all of them */
export type CreateSubject = (
  options: Options,
  sourceOf: (namespace?: string) => ListerWatcher<ConfigMap>,
) => Subject;

/** One informer over everything, with handlers only, and a view of it. */
export const oneInformer: CreateSubject = (options, sourceOf) => {
  const listerWatcher = sourceOf();
  const everything = new SharedInformer({ ...options, listerWatcher });
  const { clock, indexers, resyncMs, telemetry } = options;
  const web = new InformerView([everything], {
    clock,
    resyncMs,
    telemetry,
    indexers,
    labelSelector: webSelector,
  });
  const sources = [everything];
  return { everything, web, sources, streamProbability: 0, run: runAll(everything, web) };
};

/** An informer per namespace, combined into a view with readers of streams, and a view of that. */
export const twoInformers: CreateSubject = (options, sourceOf) => {
  const [a, b] = ["a", "b"].map((namespace) => {
    const listerWatcher = sourceOf(namespace);
    return new SharedInformer<ConfigMap, SimulatedIndexes>({ ...options, listerWatcher });
  });
  if (a === undefined || b === undefined) throw new Error("unreachable");
  const { clock, indexers, resyncMs, telemetry } = options;
  const everything = new InformerView<ConfigMap, SimulatedIndexes>([a, b], {
    clock,
    resyncMs,
    telemetry,
    indexers,
  });
  const web = new InformerView<ConfigMap, SimulatedIndexes>([everything], {
    clock,
    telemetry,
    indexers,
    labelSelector: webSelector,
  });
  const run = runAll(a, b, everything, web);
  return { everything, web, sources: [a, b], streamProbability: 0.5, run };
};

function runAll(
  ...informers: readonly Informer<ConfigMap, SimulatedIndexes>[]
): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    await Promise.all(informers.map((informer) => informer.run(signal)));
  };
}
