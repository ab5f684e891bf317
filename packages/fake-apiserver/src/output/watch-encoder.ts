import type { JsonObject } from "@listwatch/core-fifo/base";
import { loadedProtobuf } from "../protobuf/protobuf.ts";
import type { Presenter } from "./presenter.ts";
import type { ApiObject } from "../api/api-object.ts";
import { withVersion } from "../storage/storage.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { EventFraming } from "../faults/stream/event-counter.ts";

type ObjectItem = Exclude<WatchItem, { type: "BOOKMARK" | "ERROR" }>;

/** Writes the lines of one watch. */
export interface WatchEncoder {
  /** How its events follow each other. */
  readonly framing: EventFraming;
  /** @param shared other watches are about to write the same line */
  encode(item: WatchItem, shared: boolean): Uint8Array;
}

// Fast watches take a line within microseconds of each other; those that lag write it again.
const sharedLineCount = 256;
// k8s.io/apimachinery framer.go: `lengthDelimitedFrameWriter`.
const lengthBytes = 4;
const utf8 = new TextEncoder();

/** How the events of a watch are put into bytes. */
export interface EventFormat {
  readonly framing: EventFraming;
  event(type: string, object: JsonObject): Uint8Array;
  /** An event with a whole object as it is stored. */
  stored(type: string, stored: StoredObject, presenter: Presenter): Uint8Array;
}

/** Events as lines of JSON. */
export const jsonEvents: EventFormat = {
  framing: "lines",
  event: (type, object) => utf8.encode(`${JSON.stringify({ type, object })}\n`),
  stored: (type, stored, presenter) =>
    utf8.encode(`{"type":"${type}","object":${presenter.text(stored)}}\n`),
};

/** Events in protobuf, each after its length in four bytes. The codec has to be loaded. */
export const protobufEvents: EventFormat = {
  framing: "lengths",
  event: (type, object) => {
    const bytes = loadedProtobuf().encodeEvent(type, object);
    const framed = new Uint8Array(lengthBytes + bytes.length);
    new DataView(framed.buffer).setUint32(0, bytes.length);
    framed.set(bytes, lengthBytes);
    return framed;
  },
  stored: (type, stored, presenter) => protobufEvents.event(type, presenter.object(stored)),
};

/**
 * Writes whole objects. One for all such watches of a resource, version and format: a live event is
 * written once.
 */
export class ObjectWatchEncoder implements WatchEncoder {
  readonly framing: EventFraming;
  readonly #presenter: Presenter;
  readonly #format: EventFormat;
  readonly #lines = new Map<StoredObject, { readonly type: string; readonly line: Uint8Array }>();

  constructor(presenter: Presenter, format: EventFormat) {
    this.framing = format.framing;
    this.#presenter = presenter;
    this.#format = format;
  }

  encode(item: WatchItem, shared: boolean): Uint8Array {
    if (item.type === "ERROR") return this.#format.event(item.type, item.status);
    if (item.type === "BOOKMARK") {
      return this.#format.event(item.type, bookmarkObject(this.#presenter, item));
    }
    const { revision, stored, type } = item;
    if (revision !== stored.revision) {
      return this.#format.event(type, objectOf(this.#presenter, item));
    }
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
    return this.#format.stored(type, stored, this.#presenter);
  }
}

/**
 * Writes another view of each object; one for each watch, because the first line of a table is
 * special.
 */
export class ViewWatchEncoder implements WatchEncoder {
  readonly framing: EventFraming;
  readonly #presenter: Presenter;
  readonly #format: EventFormat;
  readonly #view: (object: ApiObject) => JsonObject;

  /** @param view what is written instead of an object */
  constructor(presenter: Presenter, format: EventFormat, view: (object: ApiObject) => JsonObject) {
    this.framing = format.framing;
    this.#presenter = presenter;
    this.#format = format;
    this.#view = view;
  }

  encode(item: WatchItem): Uint8Array {
    if (item.type === "ERROR") return this.#format.event(item.type, item.status);
    const object =
      item.type === "BOOKMARK"
        ? bookmarkObject(this.#presenter, item)
        : objectOf(this.#presenter, item);
    return this.#format.event(item.type, this.#view(object));
  }
}

/** The object of an item, with the item's revision. */
function objectOf(presenter: Presenter, item: ObjectItem): ApiObject {
  const object = presenter.object(item.stored);
  return item.revision === item.stored.revision
    ? object
    : withVersion(object, presenter.versions.textOf(item.revision));
}

/** The object of a bookmark: its kind and how far the watch has come. */
function bookmarkObject(
  presenter: Presenter,
  item: Extract<WatchItem, { type: "BOOKMARK" }>,
): ApiObject {
  const annotations = item.initialEventsEnd ? { annotations: { [initialEventsEnd]: "true" } } : {};
  return presenter.withTypeMeta({
    metadata: { resourceVersion: presenter.versions.textOf(item.revision), ...annotations },
  });
}

/** One line of a watch. */
export type WatchItem =
  | {
      readonly type: "ADDED" | "MODIFIED" | "DELETED";
      /** The object's own, unless a fault has changed it. */
      readonly revision: number;
      readonly stored: StoredObject;
    }
  | { readonly type: "BOOKMARK"; readonly revision: number; readonly initialEventsEnd: boolean }
  | { readonly type: "ERROR"; readonly revision: number; readonly status: JsonObject };

/** Annotation of the bookmark that ends the initial events of a watch. */
export const initialEventsEnd = "k8s.io/initial-events-end";
