import { silentLog } from "@listwatch/core-fifo";
import { namespaceIndex } from "@listwatch/store-indexer";
import {
  SharedInformer,
  type ResourceEventHandler,
  type SharedInformerOptions,
} from "../../src/index.ts";
import type { Cluster, ConfigMap } from "./cluster.ts";

type Options = Partial<SharedInformerOptions<ConfigMap, { namespace: string }>>;

export function informerOf(
  cluster: Cluster,
  options: Options = {},
): SharedInformer<ConfigMap, { namespace: string }> {
  return new SharedInformer<ConfigMap, { namespace: string }>({
    listerWatcher: cluster.source(),
    indexers: namespaceIndex,
    clock: cluster.clock,
    random: cluster.random,
    telemetry: { log: silentLog },
    ...options,
  });
}

/** A handler that records its calls. */
export function recorder(calls: string[]): ResourceEventHandler<ConfigMap> {
  return {
    onAdd: ({ metadata }, isInInitialList) =>
      calls.push(`add ${metadata.name}${isInInitialList ? " initially" : ""}`),
    onUpdate: (old, { data, metadata }) =>
      calls.push(`update ${metadata.name} ${old.data?.["n"]} ${data?.["n"]}`),
    onDelete: ({ key, stale }) => calls.push(`delete ${key}${stale ? " unseen" : ""}`),
  };
}
