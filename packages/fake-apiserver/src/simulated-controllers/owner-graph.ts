import { isRecord, stringOf } from "@listwatch/core-fifo/base";
import { type ResourceRegistry, storageName } from "../api/registry.ts";
import type { ApiObject, ResourceDefinition } from "../api/resource-definition.ts";
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

/** An object and the resource it is one of. */
export interface OwnedObject {
  readonly definition: ResourceDefinition;
  readonly stored: StoredObject;
}

/** What an owner reference leads to. */
export type OwnerState = "absent" | "present" | "waiting";

/** Where an object is. */
interface Place {
  readonly resource: string;
  readonly key: string;
}

/** The definitions of a registry, found by what objects and references say. */
interface KnownDefinitions {
  /** Of the registry when they were read. */
  readonly version: number;
  readonly ofStorage: Map<string, ResourceDefinition>;
  /** By group and kind: `apps/Deployment`, `/Pod`. */
  readonly ofKind: Map<string, ResourceDefinition>;
}

/** The owner references of an object. */
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

/** Which objects name which owners. Only objects with owners cost anything. */
export class OwnerGraph {
  readonly #storage: Storage;
  readonly #registry: ResourceRegistry;
  readonly #dependents = new Map<string, Map<string, Place>>();
  #known: KnownDefinitions | undefined;

  constructor(storage: Storage, registry: ResourceRegistry) {
    this.#storage = storage;
    this.#registry = registry;
  }

  /** Notes who owns an object from now on. */
  change(
    resource: string,
    before: StoredObject | undefined,
    after: StoredObject | undefined,
  ): void {
    for (const { uid } of before === undefined ? [] : ownerReferencesOf(before.object)) {
      const known = this.#dependents.get(uid);
      known?.delete(`${resource} ${before?.key}`);
      if (known?.size === 0) this.#dependents.delete(uid);
    }
    if (after === undefined) return;
    const { key } = after;
    for (const { uid } of ownerReferencesOf(after.object)) {
      let known = this.#dependents.get(uid);
      if (known === undefined) this.#dependents.set(uid, (known = new Map()));
      known.set(`${resource} ${key}`, { resource, key });
    }
  }

  /** Forgets what is known and reads all objects. */
  rebuild(): void {
    this.#dependents.clear();
    for (const store of this.#storage.stores()) {
      for (const stored of store.objects()) this.change(store.resource, undefined, stored);
    }
  }

  /** The objects that name an owner. */
  dependentsOf(uid: string): readonly OwnedObject[] {
    const places = [...(this.#dependents.get(uid)?.values() ?? [])];
    return places.flatMap(({ key, resource }) => {
      const found = this.find(resource, key);
      return found === undefined ? [] : [found];
    });
  }

  /** An object by its place; `undefined` if it is gone. */
  find(resource: string, key: string): OwnedObject | undefined {
    const stored = this.#storage.store(resource).get(key);
    const definition = this.#definitions().ofStorage.get(resource);
    return stored === undefined || definition === undefined ? undefined : { definition, stored };
  }

  /**
   * Whether an owner exists. It has to be of the kind and name, with the uid, in the namespace of
   * its dependent or in none. What cannot be looked up counts as present: a kind that the server
   * does not have, and one in namespaces as owner of a cluster-scoped object.
   */
  stateOf(reference: OwnerReference, namespace: string): OwnerState {
    const definition = this.#definitionOf(reference);
    if (definition === undefined || (definition.namespaced && namespace === "")) return "present";
    const owner = this.ownerOf(reference, namespace);
    if (owner === undefined) return "absent";
    return isWaitingForDependents(owner.stored.object) ? "waiting" : "present";
  }

  /** The owner that a reference means; `undefined` if there is none. */
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

  // Definitions change far more rarely than objects.
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
