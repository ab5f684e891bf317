import { isJsonEqual, recordOf, stringOf } from "@listwatch/core-fifo/base";
import { memoized } from "../base/read-fields.ts";
import { timestamp } from "../base/server-clock.ts";
import { groupResource, storageVersionOf } from "../api/registry.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { ServerCore } from "../verbs/server-core.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import type { StorageEvent } from "../storage/event-log.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { type CrdCondition, hasCondition, withConditions } from "./crd-conditions.ts";
import { definitionOf } from "./crd-definition.ts";
import { rereadObject } from "../schema/conform-object.ts";
import { deleteInternally } from "../verbs/delete.ts";
import { decideNames } from "./crd-names.ts";
import { type CrdNames, crdNames, crdResource } from "./crd-object.ts";

/** Keeps a definition until its objects are gone. */
export const cleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

/**
 * Serves custom resources: accepts names, registers resources, cleans up after deletions. All of it
 * happens synchronously within the write. A definition is therefore served before its create is
 * answered.
 */
export class CrdController {
  readonly #core: ServerCore;
  // Deleted definitions whose last objects have finalizers.
  readonly #waiting = new Map<string, () => void>();

  // The stored definitions of each group by their keys.
  readonly #groups = new Map<string, Map<string, StoredObject>>();

  constructor(core: ServerCore) {
    this.#core = core;
    core.storage.onCommit((store, event) => {
      if (store.resource === crdResource) this.#note(event);
    });
  }

  /** Handles a write to a definition. */
  written(stored: StoredObject | undefined, previous: StoredObject | undefined): void {
    if (stored === undefined) {
      if (previous !== undefined) this.#removed(previous);
      return;
    }
    const { metadata } = stored.object;
    // A new definition that is being deleted comes from a dump. Its objects may follow.
    if (metadata.deletionTimestamp !== undefined && previous !== undefined) {
      this.#cleanUp(stored);
      return;
    }
    const sameSpec = isJsonEqual(stored.object["spec"], previous?.object["spec"]);
    if (previous === undefined || !sameSpec) this.#establish(stored);
  }

  /** Registers the stored definitions after the server's state was replaced. */
  reload(): void {
    const { registry } = this.#core;
    for (const definition of registry.definitions()) {
      if (definition.custom) registry.delete(definition);
    }
    this.#groups.clear();
    for (const stored of this.#store.objects()) {
      this.#note({ type: "ADDED", stored });
      if (hasCondition(stored.object, "Established")) this.#serve(definitionOf(stored.object));
    }
  }

  #note({ stored, type }: Pick<StorageEvent, "stored" | "type">): void {
    const { group } = summaryOf(stored);
    const known = this.#groups.get(group) ?? new Map<string, StoredObject>();
    if (type === "DELETED") known.delete(stored.key);
    else known.set(stored.key, stored);
    this.#groups.set(group, known);
  }

  get #store(): ResourceStore {
    return this.#core.storage.store(crdResource);
  }

  #establish(stored: StoredObject): void {
    const { clock } = this.#core;
    const crd = stored.object;
    const decision = decideNames(crdNames(recordOf(crd["spec"])), this.#namesOfOthers(stored));
    const { conflict, names } = decision;
    const wasEstablished = hasCondition(crd, "Established");
    const conditions: CrdCondition[] = [
      conflict === undefined
        ? {
            type: "NamesAccepted",
            status: "True",
            reason: "NoConflicts",
            message: "no conflicts found",
          }
        : { type: "NamesAccepted", status: "False", ...conflict },
    ];
    if (!wasEstablished) conditions.push(establishedCondition(conflict === undefined));
    const status = withConditions(
      { ...recordOf(crd["status"]), acceptedNames: names },
      conditions,
      timestamp(clock.now()),
    );
    const current = isJsonEqual(status, crd["status"])
      ? stored
      : this.#core.storage.write(this.#store, { ...crd, status });
    if (hasCondition(current.object, "Established")) this.#serve(definitionOf(current.object));
  }

  #namesOfOthers(stored: StoredObject): readonly CrdNames[] {
    const { group } = summaryOf(stored);
    const others = this.#groups.get(group)?.values() ?? [];
    return [...others]
      .filter(({ key }) => key !== stored.key)
      .map((other) => summaryOf(other).names);
  }

  #serve(definition: ResourceDefinition): void {
    const { registry, storage, watches } = this.#core;
    const replaced = registry.get(definition.group, definition.plural);
    const store = storage.store(groupResource(definition));
    registry.set(definition);
    if (replaced === undefined) return;
    // The real server replaces the resource's handler, including its watch cache
    // (apiextensions-apiserver customresource_handler.go, `updateCustomResourceDefinition`).
    const served = storageVersionOf(definition);
    if (served !== undefined || definition.conversionWebhook !== undefined) {
      store.rewrite((stored) => this.#reread(stored, replaced, definition));
    }
    store.raiseWatchFloor(storage.revision);
    watches.finish(groupResource(definition));
  }

  /** An object by a changed definition. With a webhook it keeps its version until it is written. */
  #reread(
    stored: StoredObject,
    replaced: ResourceDefinition,
    definition: ResourceDefinition,
  ): StoredObject {
    const { storage, storedVersions } = this.#core;
    const { object, revision } = stored;
    const version = storedVersions.of(stored, replaced);
    const isKept =
      definition.conversionWebhook !== undefined && version !== definition.storageVersion;
    const served = isKept
      ? definition.versions.find(({ name }) => name === version)
      : storageVersionOf(definition);
    const reread = served === undefined ? object : rereadObject(object, served);
    const state = storage.createState(reread, revision);
    if (isKept) storedVersions.keep(state, version);
    return state;
  }

  #cleanUp(stored: StoredObject): void {
    const definition = definitionOf(stored.object);
    const resource = groupResource(definition);
    if (this.#waiting.has(resource)) return;
    const { registry, storage } = this.#core;
    const served = registry.get(definition.group, definition.plural);
    const store = storage.store(resource);
    if (served?.custom === true) {
      for (const object of [...store.objects()]) deleteInternally(this.#core, served, object);
    }
    if (store.size === 0) {
      this.#finish(stored.key);
      return;
    }
    const stop = store.subscribe(({ type }) => {
      if (type !== "DELETED" || store.size > 0) return;
      stop();
      this.#waiting.delete(resource);
      // The write that removed the last object has not finished.
      queueMicrotask(() => this.#finish(stored.key));
    });
    this.#waiting.set(resource, stop);
  }

  #finish(key: string): void {
    const current = this.#store.get(key);
    if (current === undefined) return;
    const { clock, storage } = this.#core;
    const { metadata } = current.object;
    const rest = (metadata.finalizers ?? []).filter((name) => name !== cleanupFinalizer);
    if (rest.length === 0) {
      storage.remove(this.#store, current);
      this.#removed(current);
      return;
    }
    const status = withConditions(
      recordOf(current.object["status"]),
      [
        {
          type: "Terminating",
          status: "False",
          reason: "InstanceDeletionCompleted",
          message: "removed all instances",
        },
      ],
      timestamp(clock.now()),
    );
    this.#core.storage.write(this.#store, {
      ...current.object,
      metadata: { ...metadata, finalizers: rest },
      status,
    });
  }

  #removed(stored: StoredObject): void {
    const { registry, storage, watches } = this.#core;
    const definition = definitionOf(stored.object);
    const resource = groupResource(definition);
    const served = registry.get(definition.group, definition.plural);
    if (served?.custom === true) {
      registry.delete(definition);
      watches.finish(resource);
      storage.drop(resource);
    }
    // The names may be available to other definitions now.
    for (const other of [...(this.#groups.get(definition.group)?.values() ?? [])]) {
      if (!summaryOf(other).isAccepted) this.#establish(other);
    }
  }
}

function establishedCondition(accepted: boolean): CrdCondition {
  return accepted
    ? {
        type: "Established",
        status: "True",
        reason: "InitialNamesAccepted",
        message: "the initial names have been accepted",
      }
    : {
        type: "Established",
        status: "False",
        reason: "NotAccepted",
        message: "not all names are accepted",
      };
}

// Parsing a definition again takes milliseconds, and a write needs this of all others in its group.
const summaryOf = memoized(({ object }: StoredObject) => ({
  group: stringOf(recordOf(object["spec"])["group"]),
  names: crdNames({ names: recordOf(object["status"])["acceptedNames"] }),
  isAccepted: hasCondition(object, "NamesAccepted"),
}));
