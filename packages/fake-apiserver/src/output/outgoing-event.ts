import type { WatchEvent } from "../faults/stream/watch-event.ts";
import type { StoredObject } from "../storage/stored-object.ts";
import type { WatchEncoder, WatchItem } from "./watch-encoder.ts";

/** An item for one client: filters look at it before it is encoded. */
export class OutgoingEvent implements WatchEvent {
  readonly #item: WatchItem;
  readonly #encoder: WatchEncoder;
  readonly #shared: boolean;

  /** @param shared other watches are about to send the same line */
  constructor(item: WatchItem, encoder: WatchEncoder, shared: boolean) {
    this.#item = item;
    this.#encoder = encoder;
    this.#shared = shared;
  }

  get type(): WatchItem["type"] {
    return this.#item.type;
  }

  get revision(): number {
    return this.#item.type === "ERROR" ? 0 : this.#item.revision;
  }

  get namespace(): string | undefined {
    return this.stored?.namespace || undefined;
  }

  get name(): string | undefined {
    return this.stored?.name;
  }

  get isInitialEnd(): boolean {
    return this.#item.type === "BOOKMARK" && this.#item.initialEventsEnd;
  }

  createBookmark(): WatchEvent {
    const { revision } = this;
    const item: WatchItem = { type: "BOOKMARK", revision, initialEventsEnd: false };
    return new OutgoingEvent(item, this.#encoder, false);
  }

  withRevision(revision: number): WatchEvent {
    return new OutgoingEvent({ ...this.#item, revision }, this.#encoder, false);
  }

  encode(): Uint8Array {
    return this.#encoder.encode(this.#item, this.#shared);
  }

  /** The object of the event, if it has one. */
  get stored(): StoredObject | undefined {
    const item = this.#item;
    return item.type === "BOOKMARK" || item.type === "ERROR" ? undefined : item.stored;
  }
}
