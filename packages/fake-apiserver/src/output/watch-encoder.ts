import type { JsonObject } from "@listwatch/core-fifo/base";
import type { Presenter } from "./presenter.ts";
import type { ApiObject } from "../api/resource-definition.ts";
import { withRevision } from "../storage/storage.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { WatchItem } from "./watch-item.ts";

type ObjectItem = Exclude<WatchItem, { type: "BOOKMARK" | "ERROR" }>;

/** Writes the lines of one watch. */
export interface WatchEncoder {
  /** @param shared other watches are about to write the same line */
  encode(item: WatchItem, shared: boolean): Uint8Array;
}

// Fast watches take a line within microseconds of each other; those that lag write it again.
const sharedLineCount = 256;
const initialEventsEnd = "k8s.io/initial-events-end";
const utf8 = new TextEncoder();

/**
 * Writes whole objects as JSON. One for all such watches of a resource and version: a live line is
 * made once.
 */
export class JsonWatchEncoder implements WatchEncoder {
  readonly #presenter: Presenter;
  readonly #lines = new Map<StoredObject, { readonly type: string; readonly line: Uint8Array }>();

  constructor(presenter: Presenter) {
    this.#presenter = presenter;
  }

  encode(item: WatchItem, shared: boolean): Uint8Array {
    if (item.type === "ERROR") return eventLine(item.type, item.status);
    if (item.type === "BOOKMARK") {
      return eventLine(item.type, bookmarkObject(this.#presenter, item));
    }
    const { revision, stored, type } = item;
    if (revision !== stored.revision) return eventLine(type, objectOf(this.#presenter, item));
    return shared ? this.#sharedLine(type, stored) : this.#line(type, stored);
  }

  #sharedLine(type: string, stored: StoredObject): Uint8Array {
    const known = this.#lines.get(stored);
    if (known?.type === type) return known.line;
    const line = this.#line(type, stored);
    this.#lines.set(stored, { type, line });
    if (this.#lines.size > sharedLineCount) {
      const [oldest] = this.#lines.keys();
      if (oldest !== undefined) this.#lines.delete(oldest);
    }
    return line;
  }

  #line(type: string, stored: StoredObject): Uint8Array {
    return utf8.encode(`{"type":"${type}","object":${this.#presenter.text(stored)}}\n`);
  }
}

/**
 * Writes another view of each object; one for each watch, because the first line of a table is
 * special.
 */
export class ViewWatchEncoder implements WatchEncoder {
  readonly #presenter: Presenter;
  readonly #view: (object: ApiObject) => JsonObject;

  /** @param view what is written instead of an object */
  constructor(presenter: Presenter, view: (object: ApiObject) => JsonObject) {
    this.#presenter = presenter;
    this.#view = view;
  }

  encode(item: WatchItem): Uint8Array {
    if (item.type === "ERROR") return eventLine(item.type, item.status);
    const object =
      item.type === "BOOKMARK"
        ? bookmarkObject(this.#presenter, item)
        : objectOf(this.#presenter, item);
    return eventLine(item.type, this.#view(object));
  }
}

/** The object of an item, with the item's revision. */
function objectOf(presenter: Presenter, item: ObjectItem): ApiObject {
  const object = presenter.object(item.stored);
  return item.revision === item.stored.revision ? object : withRevision(object, item.revision);
}

/** One line of a watch. */
function eventLine(type: string, object: unknown): Uint8Array {
  return utf8.encode(`${JSON.stringify({ type, object })}\n`);
}

/** The object of a bookmark: its kind and how far the watch has come. */
function bookmarkObject(
  presenter: Presenter,
  item: Extract<WatchItem, { type: "BOOKMARK" }>,
): ApiObject {
  const annotations = item.initialEventsEnd ? { annotations: { [initialEventsEnd]: "true" } } : {};
  return presenter.withTypeMeta({
    metadata: { resourceVersion: String(item.revision), ...annotations },
  });
}
