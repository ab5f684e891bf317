import type { StorageEvent } from "../storage/event-log.ts";
import type { Storage } from "../storage/storage.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { WatchItem } from "../output/watch-encoder.ts";
import type { ObjectFilter } from "./object-filter.ts";

/** Turns writes into what a watch with a selector sees of them. */
export class WatchTranslator {
  readonly #storage: Storage;
  // Ten watches with selectors share the object that left.
  readonly #departures = new WeakMap<StorageEvent, StoredObject>();

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** The line for a write, or undefined when the write does not concern the filter. */
  translate(event: StorageEvent, filter: ObjectFilter): WatchItem | undefined {
    const { previous, revision, stored, type } = event;
    const was = previous !== undefined && filter.matches(previous);
    const is = type !== "DELETED" && filter.matches(stored);
    if (is) return { type: was ? "MODIFIED" : "ADDED", revision, stored };
    if (!was) return undefined;
    const last = type === "DELETED" ? stored : this.#departed(event, previous);
    return { type: "DELETED", revision, stored: last };
  }

  #departed(event: StorageEvent, previous: StoredObject): StoredObject {
    const known = this.#departures.get(event);
    if (known !== undefined) return known;
    const object = this.#storage.withRevision(previous.object, event.revision);
    const stored = this.#storage.createState(object, event.revision);
    this.#departures.set(event, stored);
    return stored;
  }
}
