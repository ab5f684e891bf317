import type { KubernetesObject, Scope } from "@listwatch/core-fifo";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import type { ResourceEventHandler } from "../delivery/resource-event-handler.ts";
import type { SharedInformerOptions } from "./shared-informer-options.ts";
import { SharedInformer } from "./shared-informer.ts";

/**
 * Creates an informer for one handler, which sets the pace: no further change is applied to the
 * cache while the handler has not processed the last ones, and while many wait, nothing is read
 * from the server. So no backlog ever grows, and the cache is at most one batch ahead of the
 * handler.
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
