import {
  InformerView,
  SharedInformer,
  type Informer,
  type SharedInformerOptions,
} from "../../src/index.ts";
import type { SimulatedIndexes } from "./claims.ts";
import type { Cluster, ConfigMap } from "./cluster.ts";

/** The objects that the second half of a subject shows. */
export const webSelector = "app=web";

/** What a schedule is lived by. */
export interface Subject {
  readonly everything: Informer<ConfigMap, SimulatedIndexes>;
  /** A view of the objects that {@link webSelector} selects. */
  readonly web: Informer<ConfigMap, SimulatedIndexes>;
  /** What lists and watches. */
  readonly sources: readonly Informer<ConfigMap, SimulatedIndexes>[];
  /** How likely it is that changes are read from a stream rather than handled. */
  readonly streamProbability: number;
  run(signal: AbortSignal): Promise<void>;
}

type Options = Omit<SharedInformerOptions<ConfigMap, SimulatedIndexes>, "listerWatcher">;

/** Makes the subject of a schedule. */
export type CreateSubject = (cluster: Cluster, options: Options) => Subject;

/** One informer over everything, with handlers only, and a view of it. */
export const oneInformer: CreateSubject = (cluster, options) => {
  const listerWatcher = cluster.source();
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

/** An informer per namespace, shown as one, with readers of streams, and a view of that. */
export const twoInformers: CreateSubject = (cluster, options) => {
  const [a, b] = ["a", "b"].map((namespace) => {
    const listerWatcher = cluster.source({ namespace });
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
