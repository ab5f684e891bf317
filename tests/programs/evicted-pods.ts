// A controller that was written with client-node: it deletes pods that were evicted, and keeps the
// newest one of each owner. The import of `makeInformer` and the types of helpers have changed.
//
// Errors of the former types: "TS2345: … The type 'readonly string[]' is 'readonly' and cannot be
// assigned to the mutable type 'string[]'", and for `toWire` "Argument of type 'unknown' …".
import { ApiException, CoreV1Api, type KubeConfig, type V1Pod } from "@kubernetes/client-node";
import type { DeepReadonly } from "listwatch";
import { makeInformer, toWire, type DropInInformer, type Wire } from "listwatch/client-node";

/** A pod of a cache, of a list, or of a watch. */
export type AnyPod = DeepReadonly<Wire<V1Pod>>;

export function isEvicted({ status }: AnyPod): boolean {
  return status?.phase === "Failed" && status.reason === "Evicted";
}

/** The evicted pods of an owner, but for the newest one. */
export function outdated(all: readonly AnyPod[], owner: string): readonly AnyPod[] {
  return all
    .filter((pod) => isEvicted(pod) && pod.metadata?.ownerReferences?.[0]?.uid === owner)
    .toSorted((a, b) => createdMs(b) - createdMs(a))
    .slice(1);
}

function createdMs({ metadata }: AnyPod): number {
  return Date.parse(metadata?.creationTimestamp ?? "");
}

/** A pod may be deleted twice, since the cache learns of the first time later. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof ApiException && error.code === 404)) throw error;
}

/** Deletes evicted pods until it is stopped. */
export function startCleaning(
  config: KubeConfig,
  onError: (error: unknown) => void,
): DropInInformer<V1Pod> {
  const api = config.makeApiClient(CoreV1Api);
  const informer = makeInformer(config, "/api/v1/pods", () => api.listPodForAllNamespaces());
  const clean = async ({ metadata }: AnyPod): Promise<void> => {
    const [owner] = metadata?.ownerReferences ?? [];
    if (owner === undefined) return;
    for (const pod of outdated(informer.informer.store.list(), owner.uid)) {
      const { name = "", namespace = "" } = pod.metadata ?? {};
      await api.deleteNamespacedPod({ name, namespace }).catch(ignoreMissing);
    }
  };
  const onChange = (pod: V1Pod): void => {
    clean(toWire(pod)).catch(onError);
  };
  informer.on("add", onChange);
  informer.on("update", onChange);
  informer.on("error", onError);
  return informer;
}
