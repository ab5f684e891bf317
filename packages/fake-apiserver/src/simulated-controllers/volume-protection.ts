import { memoized, objects, text } from "../base/read-fields.ts";
import type { StorageEvent } from "../storage/event-log.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import { storageKey, type StoredObject } from "../storage/stored-object.ts";
import { type ServerCore, targetOf } from "../verbs/server-core.ts";
import { remove, write } from "../verbs/write.ts";
import type { GarbageCollection } from "./garbage-collector.ts";
import { PendingRun } from "./pending-run.ts";

const claims = "persistentvolumeclaims";
const volumes = "persistentvolumes";
const finalizerOf: ReadonlyMap<string, string> = new Map([
  [claims, "kubernetes.io/pvc-protection"],
  [volumes, "kubernetes.io/pv-protection"],
]);

/**
 * Removes deleted claims that no pod uses and deleted volumes that are not bound, like
 * kube-controller-manager (k8s.io/kubernetes pkg/controller/volume).
 */
export class VolumeProtection {
  readonly #core: ServerCore;
  readonly #mode: GarbageCollection;

  constructor(core: ServerCore, mode: GarbageCollection) {
    this.#core = core;
    this.#mode = mode;
  }

  /** Starts to observe writes. */
  start(): void {
    if (this.#mode === "never") return;
    const pending = new PendingRun(this.#core.clock, this.#mode, () => {
      this.#release(claims, this.#isUsed());
      this.#release(volumes, isBound);
    });
    this.#core.storage.onCommit((store, event) => {
      if (!this.#core.storage.isLoading && mayRelease(store, event)) pending.request();
    });
  }

  #release(resource: string, isNeeded: (stored: StoredObject) => boolean): void {
    const definition = this.#core.registry.get("", resource);
    const finalizer = finalizerOf.get(resource);
    if (definition === undefined) return;
    const target = { ...targetOf(this.#core, definition), dryRun: false };
    const terminating = target.store.objects().filter(({ isTerminating }) => isTerminating);
    for (const stored of terminating) {
      if (isNeeded(stored)) continue;
      const { finalizers = [], ...metadata } = stored.object.metadata;
      const kept = finalizers.filter((name) => name !== finalizer);
      const isHeld = kept.length < finalizers.length;
      if (!isHeld) continue;
      const changed = { ...metadata, finalizers: kept };
      if (kept.length === 0) remove(target, stored);
      else write(target, { ...stored.object, metadata: changed }, stored);
    }
  }

  #isUsed(): (claim: StoredObject) => boolean {
    const pods = this.#core.storage.store("pods");
    let used: ReadonlySet<string> | undefined;
    return ({ key }) => (used ??= new Set(pods.objects().flatMap(claimKeysOf))).has(key);
  }
}

// Many pods may be looked at after each of many deletions, so they are parsed once.
const claimKeysOf = memoized(({ namespace, object }: StoredObject) =>
  objects(object, "spec", "volumes").map((volume) =>
    storageKey(namespace, text(volume, "persistentVolumeClaim", "claimName")),
  ),
);

// A deleted pod may have been the last user of a claim.
function mayRelease({ resource }: ResourceStore, { stored, type }: StorageEvent): boolean {
  if (resource === "pods") return type === "DELETED";
  return finalizerOf.has(resource) && stored.isTerminating;
}

const isBound = memoized(({ object }: StoredObject) => text(object, "status", "phase") === "Bound");
