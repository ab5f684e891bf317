import { EventLog, type HistoryCapacity, type StorageEvent } from "./event-log.ts";
import { byKey, endOfRoot, lowerBound, SortedObjects } from "./sorted-objects.ts";
import type { StoredObject } from "./stored-object.ts";

/** Called with each event of a resource, in order, within the write that caused it. */
export type StorageListener = (event: StorageEvent) => void;

/** Content of a {@link ResourceStore} that can be restored. Shares immutable versions and events. */
export interface ResourceStoreSnapshot {
  readonly objects: readonly StoredObject[];
  readonly events: readonly StorageEvent[];
  readonly logFloor: number;
  readonly watchFloor: number;
}

/** Current and past objects of one resource. */
export class ResourceStore {
  /** `pods`, or with a group `widgets.example.com`. */
  readonly resource: string;
  readonly #current = new Map<string, StoredObject>();
  #sorted = new SortedObjects();
  #log: EventLog;
  readonly #logCapacity: HistoryCapacity;
  #watchFloor: number;
  readonly #listeners = new Set<StorageListener>();
  // Cached because pages of a chunked list request the same past revision.
  #past: { readonly revision: number; readonly objects: readonly StoredObject[] } | undefined;

  constructor(resource: string, revision: number, logCapacity: HistoryCapacity) {
    this.resource = resource;
    this.#logCapacity = logCapacity;
    // Before its first event a resource was empty at any revision.
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

  /** Revision of the oldest event that is kept, Infinity without events. */
  get oldest(): number {
    return this.#log.oldest;
  }

  /** Revision of the newest write to this resource, or the start of its history. */
  get newest(): number {
    return this.#log.newest;
  }

  get(key: string): StoredObject | undefined {
    return this.#current.get(key);
  }

  /** Returns the current objects in key order. Valid until the next write. */
  objects(): readonly StoredObject[] {
    return this.#sorted.items();
  }

  /** Returns the current objects whose keys begin with `root`, in key order. */
  objectsWithin(root: string): readonly StoredObject[] {
    const objects = this.objects();
    return objects.slice(lowerBound(objects, root), endOfRoot(objects, root));
  }

  /** Returns the objects at a revision not below {@link historyFloor}, in key order. */
  objectsAt(revision: number): readonly StoredObject[] {
    if (revision >= this.newest) return this.objects();
    if (this.#past?.revision === revision) return this.#past.objects;
    const objects = this.#rebuild(revision);
    this.#past = { revision, objects };
    return objects;
  }

  /** Returns one object at a revision not below {@link historyFloor}. */
  getAt(key: string, revision: number): StoredObject | undefined {
    if (revision >= this.newest) return this.get(key);
    const objects = this.objectsAt(revision);
    const found = objects[lowerBound(objects, key)];
    return found?.key === key ? found : undefined;
  }

  /** Returns the writes after a revision not below {@link watchFloor}. */
  eventsAfter(revision: number): readonly StorageEvent[] {
    return this.#log.after(revision);
  }

  /** Calls `listener` with each later event until the returned function is called. */
  subscribe(listener: StorageListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  apply(event: StorageEvent): void {
    const { type, stored } = event;
    if (type === "DELETED") {
      this.#current.delete(stored.key);
      this.#sorted.remove(stored.key);
    } else {
      this.#current.set(stored.key, stored);
      if (type === "ADDED") this.#sorted.insert(stored);
      else this.#sorted.replace(stored);
    }
    this.#log.append(event);
    for (const listener of this.#listeners) listener(event);
  }

  /**
   * Replaces all objects, including past ones, without a write, like reading storage under a new
   * schema. The caller must end open watches.
   */
  rewrite(change: (stored: StoredObject) => StoredObject): void {
    const changed = new Map<StoredObject, StoredObject>();
    const once = (stored: StoredObject): StoredObject => {
      const known = changed.get(stored) ?? change(stored);
      changed.set(stored, known);
      return known;
    };
    const { objects, events, ...floors } = this.snapshot();
    this.restore({
      ...floors,
      objects: objects.map(once),
      events: events.map(({ revision, type, stored, previous }) => ({
        revision,
        type,
        stored: once(stored),
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
      objects: [...this.objects()],
      events: this.#log.after(this.#log.floor),
      logFloor: this.#log.floor,
      watchFloor: this.#watchFloor,
    };
  }

  restore(snapshot: ResourceStoreSnapshot): void {
    this.#current.clear();
    for (const stored of snapshot.objects) this.#current.set(stored.key, stored);
    this.#sorted = new SortedObjects(snapshot.objects);
    this.#log.release();
    this.#log = new EventLog(this.#logCapacity, snapshot.logFloor, snapshot.events);
    this.#watchFloor = snapshot.watchFloor;
    this.#past = undefined;
  }

  // Undoes newer events: a key's state at the revision is the one before its oldest newer event.
  #rebuild(revision: number): readonly StoredObject[] {
    const before = new Map<string, StoredObject | undefined>();
    for (const event of this.#log.after(revision).toReversed())
      before.set(event.stored.key, event.previous);
    const objects = this.objects().filter((stored) => !before.has(stored.key));
    for (const stored of before.values()) if (stored !== undefined) objects.push(stored);
    return objects.toSorted(byKey);
  }
}
