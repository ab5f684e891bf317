import { namespaceIndex } from "@listwatch/store-indexer";
import {
  InformerView,
  SharedInformer,
  type Informer,
  type SharedInformerOptions,
} from "../../src/index.ts";
import type { Cluster, ConfigMap } from "./cluster.ts";

/** The objects that the second half of a subject shows. */
export const webSelector = "app=web";

/** What a schedule is lived by. */
export interface Subject {
  readonly everything: Informer<ConfigMap, Namespaces>;
  /** A view of the objects that {@link webSelector} selects. */
  readonly web: Informer<ConfigMap, Namespaces>;
  /** How likely it is that changes are read from a stream rather than handled. */
  readonly streamProbability: number;
  run(signal: AbortSignal): Promise<void>;
}

// oxlint-disable-next-line typescript/consistent-type-definitions -- an interface has no index signature
type Namespaces = { readonly namespace: string };
type Options = Omit<SharedInformerOptions<ConfigMap, Namespaces>, "indexers" | "listerWatcher">;

/** Makes the subject of a schedule. */
export type CreateSubject = (cluster: Cluster, options: Options) => Subject;

const indexers = namespaceIndex;

/** One informer over everything, with handlers only, and a view of it. */
export const oneInformer: CreateSubject = (cluster, options) => {
  const listerWatcher = cluster.source();
  const everything = new SharedInformer({ ...options, indexers, listerWatcher });
  const { clock, resyncMs } = options;
  const web = new InformerView([everything], {
    clock,
    resyncMs,
    indexers,
    labelSelector: webSelector,
  });
  return { everything, web, streamProbability: 0, run: runAll(everything, web) };
};

/** An informer per namespace, shown as one, with readers of streams, and a view of that. */
export const twoInformers: CreateSubject = (cluster, options) => {
  const [a, b] = ["a", "b"].map((namespace) => {
    const listerWatcher = cluster.source({ namespace });
    return new SharedInformer<ConfigMap, Namespaces>({ ...options, indexers, listerWatcher });
  });
  if (a === undefined || b === undefined) throw new Error("unreachable");
  const { clock, resyncMs } = options;
  const everything = new InformerView<ConfigMap, Namespaces>([a, b], { clock, resyncMs, indexers });
  const web = new InformerView<ConfigMap, Namespaces>([everything], {
    clock,
    indexers,
    labelSelector: webSelector,
  });
  return { everything, web, streamProbability: 0.5, run: runAll(a, b, everything, web) };
};

function runAll(
  ...informers: readonly Informer<ConfigMap, Namespaces>[]
): (signal: AbortSignal) => Promise<void> {
  return async (signal) => {
    await Promise.all(informers.map((informer) => informer.run(signal)));
  };
}
