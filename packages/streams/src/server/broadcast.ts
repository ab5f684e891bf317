import type { Change } from "../log/collection-log.ts";
import { endOfMessage, formatPosition } from "../protocol/frames.ts";
import type { PageStream } from "./page-stream.ts";
import type { View } from "./view.ts";

const encoder = /* @__PURE__ */ new TextEncoder();

/** Idle streams with the same views. */
interface Group {
  /** Names of the views. */
  readonly name: string;
  readonly views: readonly (View | undefined)[];
  readonly streams: Set<PageStream>;
}

/**
 * Sends changes to all streams. Idle streams with equal views get the same bytes, which are encoded
 * once; all others note the changes.
 */
export class Broadcast {
  readonly #bufferBytes: number;
  readonly #groups = new Map<string, Group>();
  readonly #places = new Map<PageStream, Group>();
  readonly #busy = new Set<PageStream>();

  constructor(bufferBytes: number) {
    this.#bufferBytes = bufferBytes;
  }

  /** Adds a stream, or moves it between the idle and the busy ones. */
  place(stream: PageStream, isIdle: boolean): void {
    this.remove(stream);
    if (!isIdle) {
      this.#busy.add(stream);
      return;
    }
    const name = stream.viewNames;
    let group = this.#groups.get(name);
    if (group === undefined) {
      const views = stream.subscriptions.map(({ liveView }) => liveView);
      group = { name, views, streams: new Set() };
      this.#groups.set(name, group);
    }
    group.streams.add(stream);
    this.#places.set(stream, group);
  }

  /** Removes a stream. */
  remove(stream: PageStream): void {
    this.#busy.delete(stream);
    const group = this.#places.get(stream);
    if (group === undefined) return;
    this.#places.delete(stream);
    group.streams.delete(stream);
    if (group.streams.size === 0) this.#groups.delete(group.name);
  }

  /** Sends changes; `position` is the one after them. */
  send(changes: readonly Change[], position: string): void {
    // Streams that become busy or idle meanwhile have what they need.
    const busy = [...this.#busy];
    for (const { streams, views } of [...this.#groups.values()]) {
      const bytes = encodeChanges(changes, views, position);
      if (bytes === undefined) continue;
      const isLarge = bytes.byteLength > this.#bufferBytes;
      // A stream may leave its group and enter it again meanwhile.
      for (const stream of [...streams]) {
        if (!isLarge && stream.hasRoom) stream.send(bytes);
        else stream.note(changes);
      }
    }
    for (const stream of busy) stream.note(changes);
  }
}

/** `undefined` if pages with these views see nothing of the changes. */
function encodeChanges(
  changes: readonly Change[],
  views: readonly (View | undefined)[],
  position: string,
): Uint8Array | undefined {
  const frames: string[] = [];
  for (const change of changes) {
    const view = views.find((each) => each?.log === change.log);
    const frame = view?.frameOf(change) ?? "";
    if (frame !== "") frames.push(frame);
  }
  if (frames.length === 0) return undefined;
  return encoder.encode(frames.join(endOfMessage) + formatPosition(position));
}
