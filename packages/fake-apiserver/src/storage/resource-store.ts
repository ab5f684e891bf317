import { EventLog, type StorageEvent } from "./event-log.ts";
import { byKey, endOfRoot, lowerBound, SortedObjects } from "./sorted-objects.ts";
import type { StoredObject } from "./stored-object.ts";

/** Receives each event of a resource, in order, within the write that caused it. */
export type StorageListener = (event: StorageEvent) => void;

/**
 * What a {@link ResourceStore} holds, to be put back later. Versions and events are immutable and
 * shared.
 */
export interface ResourceStoreSnapshot {
  readonly versions: readonly StoredObject[];
  readonly events: readonly StorageEvent[];
  readonly logFloor: number;
  readonly watchFloor: number;
}

/** All objects of one resource, now and in the past. */
export class ResourceStore {
  /** `pods`, or with its group `widgets.example.com`. */
  readonly resource: string;
  readonly #current = new Map<string, StoredObject>();
  #sorted = new SortedObjects();
  #log: EventLog;
  readonly #logCapacity: number;
  #watchFloor: number;
  readonly #listeners = new Set<StorageListener>();
  // Pages of one chunked list ask for the same past revision again and again.
  #past: { readonly revision: number; readonly versions: readonly StoredObject[] } | undefined;

  constructor(resource: string, revision: number, logCapacity: number) {
    this.resource = resource;
    this.#logCapacity = logCapacity;
    // Before its first event a resource was empty, at any revision.
    this.#log = new EventLog(logCapacity, 0);
    this.#watchFloor = revision;
  }

  get size(): number {
    return this.#current.size;
  }

  /** Watches from an older revision are refused. */
  get watchFloor(): number {
    return Math.max(this.#watchFloor, this.#log.floor);
  }

  /** Exact lists of an older revision are refused. */
  get historyFloor(): number {
    return this.#log.floor;
  }

  /** Revision of the newest write to this resource, or where its history begins. */
  get newest(): number {
    return this.#log.newest;
  }

  get(key: string): StoredObject | undefined {
    return this.#current.get(key);
  }

  /** The current versions in key order; valid until the next write. */
  objects(): readonly StoredObject[] {
    return this.#sorted.items();
  }

  /** The current versions whose keys begin with `root`, in key order. */
  objectsWithin(root: string): readonly StoredObject[] {
    const versions = this.objects();
    return versions.slice(lowerBound(versions, root), endOfRoot(versions, root));
  }

  /** The versions in key order as they were at a revision not below {@link historyFloor}. */
  objectsAt(revision: number): readonly StoredObject[] {
    if (revision >= this.newest) return this.objects();
    if (this.#past?.revision === revision) return this.#past.versions;
    const versions = this.#rebuild(revision);
    this.#past = { revision, versions };
    return versions;
  }

  /** One object as it was at a revision not below {@link historyFloor}. */
  getAt(key: string, revision: number): StoredObject | undefined {
    if (revision >= this.newest) return this.get(key);
    const versions = this.objectsAt(revision);
    const found = versions[lowerBound(versions, key)];
    return found?.key === key ? found : undefined;
  }

  /** The writes after a revision not below {@link watchFloor}. */
  eventsAfter(revision: number): readonly StorageEvent[] {
    return this.#log.after(revision);
  }

  /** Calls `listener` with each later event until the returned function is called. */
  subscribe(listener: StorageListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  apply(event: StorageEvent): void {
    const { type, version } = event;
    if (type === "DELETED") {
      this.#current.delete(version.key);
      this.#sorted.remove(version.key);
    } else {
      this.#current.set(version.key, version);
      if (type === "ADDED") this.#sorted.insert(version);
      else this.#sorted.replace(version);
    }
    this.#log.append(event);
    for (const listener of this.#listeners) listener(event);
  }

  /**
   * Replaces every version, past ones too, without a write: what reading from storage under a new
   * schema does. Watches have to begin anew.
   */
  rewrite(change: (version: StoredObject) => StoredObject): void {
    const changed = new Map<StoredObject, StoredObject>();
    const once = (version: StoredObject): StoredObject => {
      const known = changed.get(version) ?? change(version);
      changed.set(version, known);
      return known;
    };
    const { versions, events, ...floors } = this.snapshot();
    this.restore({
      ...floors,
      versions: versions.map(once),
      events: events.map(({ revision, type, version, previous }) => ({
        revision,
        type,
        version: once(version),
        previous: previous === undefined ? undefined : once(previous),
      })),
    });
  }

  dropHistory(revision: number): void {
    this.#log.dropThrough(revision);
    if (this.#past !== undefined && this.#past.revision < revision) this.#past = undefined;
  }

  raiseWatchFloor(revision: number): void {
    this.#watchFloor = Math.max(this.#watchFloor, revision);
  }

  snapshot(): ResourceStoreSnapshot {
    return {
      versions: [...this.objects()],
      events: this.#log.after(this.#log.floor),
      logFloor: this.#log.floor,
      watchFloor: this.#watchFloor,
    };
  }

  restore(snapshot: ResourceStoreSnapshot): void {
    this.#current.clear();
    for (const version of snapshot.versions) this.#current.set(version.key, version);
    this.#sorted = new SortedObjects(snapshot.versions);
    this.#log = new EventLog(this.#logCapacity, snapshot.logFloor, snapshot.events);
    this.#watchFloor = snapshot.watchFloor;
    this.#past = undefined;
  }

  // Undoes the newer events one by one: what a key held before its oldest newer event is what it held at the revision.
  #rebuild(revision: number): readonly StoredObject[] {
    const before = new Map<string, StoredObject | undefined>();
    for (const event of this.#log.after(revision).toReversed())
      before.set(event.version.key, event.previous);
    const versions = this.objects().filter((version) => !before.has(version.key));
    for (const version of before.values()) if (version !== undefined) versions.push(version);
    return versions.toSorted(byKey);
  }
}
