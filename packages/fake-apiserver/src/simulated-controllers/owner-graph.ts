import { isRecord, stringOf } from "@listwatch/core-fifo/base";
import { type ResourceRegistry, storageName } from "../api/registry.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import type { Storage } from "../storage/storage.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import { foregroundFinalizer } from "../validation/finalizers.ts";

/** An entry of `metadata.ownerReferences`. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly blockOwnerDeletion: boolean;
}

/** An object and its resource. */
export interface OwnedObject {
  readonly definition: ResourceDefinition;
  readonly stored: StoredObject;
}

/** State of an owner that a reference names. */
export type OwnerState = "absent" | "present" | "waiting";

interface Place {
  readonly resource: string;
  readonly key: string;
}

interface KnownDefinitions {
  /** The registry's version when they were read. */
  readonly version: number;
  readonly ofStorage: Map<string, ResourceDefinition>;
  /** By group and kind: `apps/Deployment`, `/Pod`. */
  readonly ofKind: Map<string, ResourceDefinition>;
}

/** Returns the owner references of an object. */
export function ownerReferencesOf({ metadata }: ApiObject): readonly OwnerReference[] {
  const references: OwnerReference[] = [];
  for (const item of metadata.ownerReferences ?? []) {
    if (!isRecord(item)) continue;
    references.push({
      apiVersion: stringOf(item["apiVersion"]),
      kind: stringOf(item["kind"]),
      name: stringOf(item["name"]),
      uid: stringOf(item["uid"]),
      blockOwnerDeletion: item["blockOwnerDeletion"] === true,
    });
  }
  return references;
}

/** Whether an object is being deleted and waits for its dependents. */
export function isWaitingForDependents({ metadata }: ApiObject): boolean {
  const { deletionTimestamp, finalizers = [] } = metadata;
  return deletionTimestamp !== undefined && finalizers.includes(foregroundFinalizer);
}

/** Finds dependents by owner. Objects without owners cost nothing. */
export class OwnerGraph {
  readonly #storage: Storage;
  readonly #registry: ResourceRegistry;
  readonly #dependents = new Map<string, Map<string, Place>>();
  // References by uid of the owner that block its deletion.
  readonly #blocking = new Map<string, number>();
  #known: KnownDefinitions | undefined;

  constructor(storage: Storage, registry: ResourceRegistry) {
    this.#storage = storage;
    this.#registry = registry;
  }

  /** Records the owners of a changed object. */
  change(
    resource: string,
    before: StoredObject | undefined,
    after: StoredObject | undefined,
  ): void {
    const removed = before === undefined ? [] : ownerReferencesOf(before.object);
    for (const { blockOwnerDeletion, uid } of removed) {
      if (blockOwnerDeletion) this.#blocking.set(uid, (this.#blocking.get(uid) ?? 0) - 1);
      const known = this.#dependents.get(uid);
      known?.delete(`${resource} ${before?.key}`);
      if (known?.size !== 0) continue;
      this.#dependents.delete(uid);
      this.#blocking.delete(uid);
    }
    if (after === undefined) return;
    const { key } = after;
    for (const { blockOwnerDeletion, uid } of ownerReferencesOf(after.object)) {
      if (blockOwnerDeletion) this.#blocking.set(uid, (this.#blocking.get(uid) ?? 0) + 1);
      let known = this.#dependents.get(uid);
      if (known === undefined) this.#dependents.set(uid, (known = new Map()));
      known.set(`${resource} ${key}`, { resource, key });
    }
  }

  /** Reads all objects again. */
  rebuild(): void {
    this.#dependents.clear();
    this.#blocking.clear();
    for (const store of this.#storage.stores()) {
      for (const stored of store.objects()) this.change(store.resource, undefined, stored);
    }
  }

  /** Whether an owner reference blocks the deletion of the object with a uid. */
  isBlocked(uid: string): boolean {
    return (this.#blocking.get(uid) ?? 0) > 0;
  }

  /** Returns the objects with an owner reference to a uid. */
  dependentsOf(uid: string): readonly OwnedObject[] {
    const places = [...(this.#dependents.get(uid)?.values() ?? [])];
    return places.flatMap(({ key, resource }) => {
      const found = this.find(resource, key);
      return found === undefined ? [] : [found];
    });
  }

  /** Returns an object by resource and key; `undefined` if it is gone. */
  find(resource: string, key: string): OwnedObject | undefined {
    const stored = this.#storage.store(resource).get(key);
    const definition = this.#definitions().ofStorage.get(resource);
    return stored === undefined || definition === undefined ? undefined : { definition, stored };
  }

  /**
   * Returns the state of an owner. Kind, name and uid must match, and it must be in the dependent's
   * namespace or cluster-scoped. An owner that cannot be looked up counts as present: one of an
   * unknown kind, or a namespaced owner of a cluster-scoped object.
   */
  stateOf(reference: OwnerReference, namespace: string): OwnerState {
    const definition = this.#definitionOf(reference);
    if (definition === undefined || (definition.namespaced && namespace === "")) return "present";
    const owner = this.ownerOf(reference, namespace);
    if (owner === undefined) return "absent";
    return isWaitingForDependents(owner.stored.object) ? "waiting" : "present";
  }

  /** Returns the owner of a reference; `undefined` if it does not exist. */
  ownerOf(reference: OwnerReference, namespace: string): OwnedObject | undefined {
    const definition = this.#definitionOf(reference);
    if (definition === undefined) return undefined;
    const inNamespace = definition.namespaced && namespace !== "";
    const key = inNamespace ? `${namespace}/${reference.name}` : reference.name;
    const stored = this.#storage.store(storageName(definition)).get(key);
    if (stored === undefined || stored.object.metadata.uid !== reference.uid) return undefined;
    return { definition, stored };
  }

  #definitionOf({ apiVersion, kind }: OwnerReference): ResourceDefinition | undefined {
    const slash = apiVersion.indexOf("/");
    const group = slash < 0 ? "" : apiVersion.slice(0, slash);
    return this.#definitions().ofKind.get(`${group}/${kind}`);
  }

  // Definitions change far less often than objects.
  #definitions(): KnownDefinitions {
    const { version } = this.#registry;
    if (this.#known?.version !== version) {
      this.#known = { version, ofStorage: new Map(), ofKind: new Map() };
      for (const one of this.#registry.definitions()) {
        if (one.storedAs === undefined) this.#known.ofStorage.set(storageName(one), one);
        const kind = `${one.group}/${one.kind}`;
        if (!this.#known.ofKind.has(kind)) this.#known.ofKind.set(kind, one);
      }
    }
    return this.#known;
  }
}
