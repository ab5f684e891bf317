import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import type { ResourceEventHandler } from "../delivery/resource-event-handler.ts";
import type { SharedInformerOptions } from "./shared-informer-options.ts";
import { SharedInformer } from "./shared-informer.ts";

/**
 * Creates an informer for one handler, which sets the pace. The cache waits until the handler has
 * processed the previous changes, and the informer reads nothing from the server while many changes
 * wait. So no backlog grows, and the cache is at most one batch ahead of the handler.
 */
export function newInformer<
  T extends KubernetesObject = KubernetesObject,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
>(
  handler: ResourceEventHandler<T>,
  options: SharedInformerOptions<T, I, S>,
): SharedInformer<T, I, S> {
  const informer = new SharedInformer(options);
  informer.addEventHandler(handler, { maxBacklog: 0 });
  return informer;
}
