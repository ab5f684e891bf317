import type { ApiObject } from "../api/api-object.ts";
import { exceedsBytes } from "../base/go-text.ts";
import { plainServerError } from "../api/errors.ts";
import type { HistoryCapacity, StorageEvent } from "./event-log.ts";
import { ResourceStore, type ResourceStoreSnapshot } from "./resource-store.ts";
import { RecentObjects, StoredObject } from "./stored-object.ts";
import { Versions } from "./versions.ts";

/** Limits of a {@link Storage}. */
export interface StorageOptions {
  /**
   * Events kept per resource. Watches and exact lists from before them fail with 410.
   *
   * @default 10_000
   */
  readonly historyEvents?: number | undefined;
  /**
   * Characters of JSON kept in a resource's history, with the same consequence.
   *
   * @default 67_108_864 (64 MiB)
   */
  readonly historyBytes?: number | undefined;
  /**
   * Characters of JSON kept in the histories of all resources together; the oldest events go first.
   *
   * @default 134_217_728 (128 MiB)
   */
  readonly totalHistoryBytes?: number | undefined;
  /**
   * Maximum size of an object in bytes of JSON.
   *
   * @default 1_572_864 (1.5 MiB)
   */
  readonly objectBytes?: number | undefined;
  /**
   * Number of objects kept parsed, in addition to their JSON.
   *
   * @default 64
   */
  readonly parsedObjects?: number | undefined;
  /** resourceVersion of the first state. @default 1n */
  readonly firstVersion?: bigint | undefined;
}

/** Complete state of a {@link Storage}. */
export interface StorageSnapshot {
  readonly revision: number;
  readonly compactRevision: number;
  readonly stores: ReadonlyMap<string, ResourceStoreSnapshot>;
}

/** Called within each write. */
export type CommitListener = (store: ResourceStore, event: StorageEvent) => void;

// A real store is never at revision 0, which means "any state".
const firstRevision = 1;
// A real server's largest watch cache has 102,400 events. 10,000 limit memory to about 40 MB per
// busy resource.
const defaultHistoryEvents = 10_000;
// 64 MiB: 10,000 events of 6 kB.
const defaultHistoryBytes = 67_108_864;
// 128 MiB: two resources at their limit, and a quarter of a heap of 512 MiB.
const defaultTotalHistoryBytes = 134_217_728;
// etcd, server/embed/config.go `DefaultMaxRequestBytes`.
const defaultObjectBytes = 1_572_864;
// Enough for objects that are read soon after their write. Few enough to die young: the garbage
// collector copies what survives a scavenge.
const defaultParsedObjects = 64;

/**
 * Counterpart of etcd and the watch caches: one revision for everything, and the objects and
 * history of each resource.
 *
 * All methods are synchronous, so code between two awaits of a caller is a transaction.
 */
export class Storage {
  /**
   * Whether objects are being loaded. Simulated controllers then leave them alone: what an object
   * needs may be loaded after it.
   */
  isLoading = false;
  /** The resourceVersions of revisions. */
  readonly versions: Versions;
  readonly #stores = new Map<string, ResourceStore>();
  readonly #recent: RecentObjects;
  readonly #history: HistoryCapacity;
  readonly #objectBytes: number;
  readonly #totalHistoryBytes: number;
  #revision = firstRevision;
  #compactRevision = 0;
  readonly #waiters = new Set<() => void>();
  readonly #observers = new Set<CommitListener>();

  constructor(options: StorageOptions = {}) {
    this.#history = {
      events: options.historyEvents ?? defaultHistoryEvents,
      characters: options.historyBytes ?? defaultHistoryBytes,
      used: 0,
    };
    this.#totalHistoryBytes = options.totalHistoryBytes ?? defaultTotalHistoryBytes;
    this.#objectBytes = options.objectBytes ?? defaultObjectBytes;
    this.#recent = new RecentObjects(options.parsedObjects ?? defaultParsedObjects);
    this.versions = new Versions(options.firstVersion ?? 1n);
  }

  /** Revision of the newest effective write to any resource. */
  get revision(): number {
    return this.#revision;
  }

  /** Exact lists and continue tokens of an older revision are refused. */
  get compactRevision(): number {
    return this.#compactRevision;
  }

  /** Characters of JSON in the histories of all resources. */
  get historyBytes(): number {
    return this.#history.used;
  }

  /** Returns the store of a resource, whose history begins with the first call. */
  store(resource: string): ResourceStore {
    let store = this.#stores.get(resource);
    if (store === undefined) {
      store = new ResourceStore(resource, this.#revision, this.#history);
      this.#stores.set(resource, store);
    }
    return store;
  }

  stores(): IterableIterator<ResourceStore> {
    return this.#stores.values();
  }

  /** Removes a resource. Its objects must have been deleted before. */
  drop(resource: string): void {
    this.#stores.get(resource)?.dropHistory(Infinity);
    this.#stores.delete(resource);
  }

  /** Returns the object with the resourceVersion of a revision. */
  withRevision(object: ApiObject, revision: number): ApiObject {
    return withVersion(object, this.versions.textOf(revision));
  }

  /** Creates a state of an object without storing it. The object must not be modified afterwards. */
  createState(object: ApiObject, revision: number): StoredObject {
    return new StoredObject(object, revision, this.#recent);
  }

  /**
   * Stores an object under the next revision and replaces the previous one. The object must not be
   * modified afterwards.
   *
   * @throws {ApiError} 500 with etcd's message if the object is too large
   */
  write(store: ResourceStore, object: ApiObject): StoredObject {
    const revision = this.#revision + 1;
    const stored = this.createState(this.withRevision(object, revision), revision);
    if (exceedsBytes(stored.tail, this.#objectBytes)) {
      throw plainServerError("etcdserver: request is too large");
    }
    const previous = store.get(stored.key);
    const type = previous === undefined ? "ADDED" : "MODIFIED";
    this.#commit(store, { revision, type, stored, previous });
    return stored;
  }

  /** Removes a stored object. Returns its last state with the revision of the deletion. */
  remove(store: ResourceStore, previous: StoredObject): StoredObject {
    const revision = this.#revision + 1;
    const stored = this.createState(this.withRevision(previous.object, revision), revision);
    this.#commit(store, { revision, type: "DELETED", stored, previous });
    return stored;
  }

  /** Advances the revision without a write. Returns the new one. */
  advance(to: number = this.#revision + 1): number {
    this.#revision = Math.max(to, this.#revision);
    for (const waiter of this.#waiters) waiter();
    return this.#revision;
  }

  /**
   * Calls `listener` after each effective write to any resource until the returned function is
   * called.
   */
  onRevision(listener: () => void): () => void {
    this.#waiters.add(listener);
    return () => this.#waiters.delete(listener);
  }

  /** Calls `listener` with each effective write to any resource. */
  onCommit(listener: CommitListener): void {
    this.#observers.add(listener);
  }

  /** Drops history older than the revision. */
  compact(revision: number): void {
    const limit = Math.min(revision, this.#revision);
    this.#compactRevision = Math.max(this.#compactRevision, limit);
  }

  /** Restores a snapshot and its revision. Resources that it does not contain are removed. */
  restore(snapshot: StorageSnapshot): void {
    for (const resource of this.#stores.keys()) {
      if (!snapshot.stores.has(resource)) this.drop(resource);
    }
    for (const [resource, state] of snapshot.stores) this.store(resource).restore(state);
    this.#revision = snapshot.revision;
    this.#compactRevision = snapshot.compactRevision;
    this.#trimHistory();
  }

  snapshot(): StorageSnapshot {
    const stores = new Map<string, ResourceStoreSnapshot>();
    for (const [resource, store] of this.#stores) stores.set(resource, store.snapshot());
    return { revision: this.#revision, compactRevision: this.#compactRevision, stores };
  }

  #commit(store: ResourceStore, event: StorageEvent): void {
    this.#revision = event.revision;
    store.apply(event);
    this.#trimHistory();
    for (const observer of this.#observers) observer(store, event);
    for (const waiter of this.#waiters) waiter();
  }

  #trimHistory(): void {
    while (this.#history.used > this.#totalHistoryBytes) {
      let oldest: ResourceStore | undefined;
      for (const store of this.#stores.values()) {
        if (store.oldest < (oldest?.oldest ?? Infinity)) oldest = store;
      }
      if (oldest === undefined) return;
      oldest.dropHistory(oldest.oldest);
    }
  }
}

/** Returns the object with another resourceVersion. */
export function withVersion(object: ApiObject, resourceVersion: string): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}
