import { Deque, isJsonEqual, isRecord } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { flag } from "../base/read-fields.ts";
import type { DeleteOptions } from "../input/delete-options.ts";
import type { StorageEvent } from "../storage/event-log.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import { foregroundFinalizer, orphanFinalizer } from "../validation/finalizers.ts";
import { runInTurn } from "../base/steps.ts";
import { deleteStored } from "../verbs/delete.ts";
import { type ServerCore, targetOf } from "../verbs/server-core.ts";
import { remove, write } from "../verbs/write.ts";
import {
  isWaitingForDependents,
  OwnerGraph,
  type OwnedObject,
  type OwnerReference,
  ownerReferencesOf,
} from "./owner-graph.ts";
import { type ControllerPace, PendingRun } from "./pending-run.ts";

/** Delay of deleting dependents. */
export type GarbageCollection = ControllerPace | "never";

/** A pending step for the object at a key. */
interface Task {
  readonly type: "check" | "orphan";
  readonly resource: string;
  readonly key: string;
}

/**
 * Deletes objects whose owners are gone and finishes foreground and orphaning deletions, like
 * kube-controller-manager (k8s.io/kubernetes pkg/controller/garbagecollector).
 */
export class GarbageCollector {
  readonly #core: ServerCore;
  readonly #graph: OwnerGraph;
  readonly #tasks = new Deque<Task>();
  /** Undefined if garbage collection is disabled. */
  readonly #pending: PendingRun | undefined;

  constructor(core: ServerCore, mode: GarbageCollection) {
    this.#core = core;
    this.#graph = new OwnerGraph(core.storage, core.registry);
    if (mode === "never") return;
    this.#pending = new PendingRun(core.clock, mode, () => this.#run());
    core.storage.onCommit((store, event) => this.#committed(store, event));
  }

  /** Starts over after the server's state was replaced. */
  reload(): void {
    if (this.#pending === undefined) return;
    this.#tasks.clear();
    this.#graph.rebuild();
  }

  /** Returns the owners of an object that do not exist. */
  absentOwnersOf(object: ApiObject, namespace: string): readonly OwnerReference[] {
    return ownerReferencesOf(object).filter(
      (reference) => this.#graph.stateOf(reference, namespace) === "absent",
    );
  }

  #committed({ resource }: ResourceStore, { previous, stored, type }: StorageEvent): void {
    const after = type === "DELETED" ? undefined : stored;
    this.#graph.change(resource, previous, after);
    if (this.#core.storage.isLoading) return;
    if (after === undefined) {
      this.#checkDependentsOf(stored.object);
      this.#checkOwnersOf(stored.object);
      return;
    }
    const { deletionTimestamp, finalizers = [], ownerReferences = [] } = after.object.metadata;
    const { key } = after;
    // Owners that stayed the same are not looked up again (`processGraphChanges`).
    const isNew = !isJsonEqual(ownerReferences, previous?.object.metadata.ownerReferences);
    if (ownerReferences.length > 0 && isNew) this.#add({ type: "check", resource, key });
    if (isNew && previous !== undefined) this.#checkOwnersOf(previous.object);
    if (deletionTimestamp === undefined) return;
    if (finalizers.includes(orphanFinalizer)) this.#add({ type: "orphan", resource, key });
    if (!finalizers.includes(foregroundFinalizer)) return;
    this.#checkDependentsOf(after.object);
    this.#add({ type: "check", resource, key });
  }

  #checkDependentsOf({ metadata }: ApiObject): void {
    for (const { definition, stored } of this.#graph.dependentsOf(metadata.uid ?? "")) {
      this.#add({
        type: "check",
        resource: targetOf(this.#core, definition).store.resource,
        key: stored.key,
      });
    }
  }

  // An owner may have waited for this dependent, which is gone or blocks it no longer.
  #checkOwnersOf(object: ApiObject): void {
    for (const reference of ownerReferencesOf(object)) {
      const owner = this.#graph.ownerOf(reference, object.metadata.namespace ?? "");
      if (owner === undefined || !isWaitingForDependents(owner.stored.object)) continue;
      const { resource } = targetOf(this.#core, owner.definition).store;
      this.#add({ type: "check", resource, key: owner.stored.key });
    }
  }

  #add(task: Task): void {
    this.#tasks.push(task);
    this.#pending?.request();
  }

  #run(): void {
    for (let task = this.#tasks.shift(); task !== undefined; task = this.#tasks.shift()) {
      const found = this.#graph.find(task.resource, task.key);
      if (found === undefined) continue;
      if (task.type === "orphan") this.#orphan(found);
      else this.#check(found);
    }
  }

  #check(owned: OwnedObject): void {
    const { object } = owned.stored;
    if (isWaitingForDependents(object)) {
      this.#awaitDependents(owned);
      return;
    }
    if (object.metadata.deletionTimestamp !== undefined) return;
    const references = ownerReferencesOf(object);
    if (references.length === 0) return;
    const namespace = object.metadata.namespace ?? "";
    const states = references.map((reference) => this.#graph.stateOf(reference, namespace));
    if (states.includes("present")) {
      const gone = references.filter((_reference, index) => states[index] !== "present");
      if (gone.length > 0) this.#disown(owned, new Set(gone.map(({ uid }) => uid)));
      return;
    }
    const dependents = this.#graph.dependentsOf(object.metadata.uid ?? "");
    if (!states.includes("waiting") || dependents.length === 0) {
      this.#delete(owned, undefined);
      return;
    }
    // Perhaps a circle of owners, which would wait for one another.
    const isCircle = dependents.some(({ stored }) => isWaitingForDependents(stored.object));
    if (isCircle) this.#unblockOwners(owned);
    const { resource } = targetOf(this.#core, owned.definition).store;
    const current = this.#graph.find(resource, owned.stored.key);
    if (current !== undefined) this.#delete(current, "Foreground");
  }

  #unblockOwners(owned: OwnedObject): void {
    const { object } = owned.stored;
    const { ownerReferences = [], ...metadata } = object.metadata;
    const unblocked = ownerReferences.map(withoutBlock);
    this.#write(owned, { ...object, metadata: { ...metadata, ownerReferences: unblocked } });
  }

  // The owner is removed once no dependent blocks its deletion.
  #awaitDependents(owner: OwnedObject): void {
    if (!this.#graph.isBlocked(owner.stored.object.metadata.uid ?? ""))
      this.#dropFinalizer(owner, foregroundFinalizer);
  }

  #orphan(owner: OwnedObject): void {
    const { uid = "" } = owner.stored.object.metadata;
    for (const dependent of this.#graph.dependentsOf(uid)) this.#disown(dependent, new Set([uid]));
    this.#dropFinalizer(owner, orphanFinalizer);
  }

  #delete({ definition, stored }: OwnedObject, asked: DeleteOptions["propagationPolicy"]): void {
    const { finalizers = [], uid } = stored.object.metadata;
    let propagationPolicy = asked ?? "Background";
    if (asked === undefined) {
      if (finalizers.includes(orphanFinalizer)) propagationPolicy = "Orphan";
      else if (finalizers.includes(foregroundFinalizer)) propagationPolicy = "Foreground";
    }
    const options = {
      dryRun: false,
      gracePeriodSeconds: undefined,
      propagationPolicy,
      uid,
      resourceVersion: undefined,
    };
    runInTurn(deleteStored(targetOf(this.#core, definition), stored, options));
  }

  #disown(dependent: OwnedObject, owners: ReadonlySet<string>): void {
    const { ownerReferences: _references, ...metadata } = dependent.stored.object.metadata;
    const { ownerReferences = [] } = dependent.stored.object.metadata;
    const kept = ownerReferences.filter((reference) => !owners.has(uidOf(reference)));
    const changed = kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept };
    this.#write(dependent, { ...dependent.stored.object, metadata: changed });
  }

  #dropFinalizer(owner: OwnedObject, finalizer: string): void {
    const { finalizers = [], ...metadata } = owner.stored.object.metadata;
    const kept = finalizers.filter((name) => name !== finalizer);
    const target = { ...targetOf(this.#core, owner.definition), dryRun: false };
    const isDone = kept.length === 0 && (metadata.deletionGracePeriodSeconds ?? 0) === 0;
    if (isDone && target.strategy.staysWhenDeleted?.(owner.stored.object) !== true) {
      remove(target, owner.stored);
      return;
    }
    const changed = kept.length === 0 ? metadata : { ...metadata, finalizers: kept };
    this.#write(owner, { ...owner.stored.object, metadata: changed });
  }

  #write({ definition, stored }: OwnedObject, object: ApiObject): void {
    write({ ...targetOf(this.#core, definition), dryRun: false }, object, stored);
  }
}

function withoutBlock(reference: unknown): unknown {
  if (!isRecord(reference) || !flag(reference, "blockOwnerDeletion")) return reference;
  return { ...reference, blockOwnerDeletion: false };
}

function uidOf(reference: unknown): string {
  const [found] = ownerReferencesOf({ metadata: { ownerReferences: [reference] } });
  return found?.uid ?? "";
}
