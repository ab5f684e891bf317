import type { Cluster } from "./cluster.ts";
import { controllerOf, type KeysOf } from "./controller.ts";
import { podSelectorOf } from "./ownership.ts";

/**
 * Returns the keys of the controllers of a changed pod; for a pod without a controller, those of
 * the objects that may adopt it.
 */
export function podKeysOf(keysOf: KeysOf, cluster: Cluster, resource: string): KeysOf {
  return (change) => {
    const keys = new Set(keysOf(change));
    const { isDeleted, stored } = change;
    if (isDeleted || stored.isTerminating || controllerOf(stored.object) !== undefined) return keys;
    for (const { key, object } of cluster.list(resource, stored.namespace)) {
      if (podSelectorOf(object)(stored.labels)) keys.add(key);
    }
    return keys;
  };
}
