import type { DecodeError } from "../errors/decode-errors.ts";
import type { ReuseFunction, WatchDecoder } from "../json/decoder.ts";
import type { ObjectLimit } from "../json/object-limit.ts";
import type { BookmarkEvent, WatchEvent } from "../resource/list-watch.ts";
import { openEnvelope } from "../wire/envelope.ts";
import { readStatus } from "../wire/read-status.ts";
import { WireReader } from "../wire/wire-reader.ts";
import { asDecodeError, unknownKindError } from "./message-reader.ts";
import type { ProtobufObjectReader } from "./object-reader.ts";
import { PieceBuffer, type Piece } from "./piece-buffer.ts";

/** Bytes of the length before each event: apimachinery framer.go, `lengthDelimitedFrameWriter`. */
const frameHeadLength = 4;

/** Tags of WatchEvent and its RawExtension. */
const eventTags = { type: 0x0a, object: 0x12 } as const;
const rawTag = 0x0a;

/** Types of all events. */
type EventType = WatchEvent<unknown>["type"];
const eventTypes: ReadonlySet<string> = new Set<EventType>([
  "ADDED",
  "MODIFIED",
  "DELETED",
  "BOOKMARK",
  "ERROR",
]);

/**
 * Decodes the events of a watch:
 *
 * ```
 *   length in 4 bytes │ 1: type │ 2: object { 1: k8s\0 │ 1: TypeMeta │ 2: raw }
 * ```
 */
export class ProtobufWatchDecoder<T> implements WatchDecoder<T> {
  readonly #objects: ProtobufObjectReader;
  readonly #limit: ObjectLimit;
  /** Used until the first bookmark, which ends a streamed list. */
  #reuse: ReuseFunction<T> | undefined;
  readonly #beforeEvents: () => void;
  readonly #reader = new WireReader();
  readonly #pieces = new PieceBuffer();

  /** @param beforeEvents called before events are decoded */
  constructor(
    objects: ProtobufObjectReader,
    limit: ObjectLimit,
    reuse: ReuseFunction<T> | undefined,
    beforeEvents: () => void,
  ) {
    this.#objects = objects;
    this.#limit = limit;
    this.#reuse = reuse;
    this.#beforeEvents = beforeEvents;
  }

  write(chunk: Uint8Array, into: WatchEvent<T>[]): void {
    this.#beforeEvents();
    try {
      this.#pieces.write(chunk, (piece) => this.#take(piece, into));
    } catch (error) {
      throw asDecodeError(error, this.#reader, this.#pieces.taken);
    }
  }

  /** An event that is cut short is dropped. */
  end(): void {}

  #take(piece: Piece, into: WatchEvent<T>[]): number {
    const { bytes, end, position } = piece;
    if (end - position < frameHeadLength) return frameHeadLength;
    const start = position + frameHeadLength;
    const length = lengthAt(bytes, position);
    if (length > this.#limit.maxBytes) throw this.#tooLarge(bytes, start);
    const eventEnd = start + length;
    if (eventEnd > end) return eventEnd - position;
    this.#reader.open(bytes, start);
    into.push(this.#readEvent(eventEnd));
    piece.position = eventEnd;
    return 0;
  }

  #readEvent(end: number): WatchEvent<T> {
    const reader = this.#reader;
    let type = "";
    let objectStart = end;
    let objectEnd = end;
    while (reader.position < end) {
      const tag = reader.varint();
      if (tag === eventTags.type) type = reader.text(reader.delimitedEnd(end));
      else if (tag === eventTags.object) {
        const outerEnd = reader.delimitedEnd(end);
        [objectStart, objectEnd] = findRaw(reader, outerEnd);
        reader.position = outerEnd;
      } else reader.skip(tag, end);
    }
    reader.finish(end);
    if (!isEventType(type)) throw reader.error(`the type of an event, got ${JSON.stringify(type)}`);
    reader.position = objectStart;
    return this.#readObject(type, objectEnd);
  }

  #readObject(type: EventType, end: number): WatchEvent<T> {
    const reader = this.#reader;
    const typeMeta = { apiVersion: "", kind: "" };
    const rawEnd = openEnvelope(reader, end, typeMeta);
    if (typeMeta.kind === "Status") {
      const status = readStatus(reader, rawEnd);
      if (type !== "ERROR") throw reader.error(`an object in an event ${type}, got a Status`);
      return { type, object: status };
    }
    const objectType = this.#objects.typeOf(typeMeta);
    if (objectType === undefined) throw unknownKindError(typeMeta);
    if (type === "BOOKMARK") {
      this.#reuse = undefined;
      const object = this.#objects.readAll<BookmarkEvent["object"]>(
        reader,
        objectType,
        rawEnd,
        undefined,
      );
      return { type, object };
    }
    const reuse = type === "ADDED" ? this.#reuse : undefined;
    return { type, object: this.#objects.read<T>(reader, objectType, rawEnd, reuse) };
  }

  #tooLarge(bytes: Uint8Array, start: number): DecodeError {
    const text = String.fromCharCode(...bytes.subarray(start, start + 200));
    return this.#limit.error("a watch event", text, this.#pieces.taken);
  }
}

function isEventType(text: string): text is EventType {
  return eventTypes.has(text);
}

function lengthAt(bytes: Uint8Array, position: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(position, position + 4);
  return first * 2 ** 24 + ((second << 16) | (third << 8) | fourth);
}

/** Returns the start and end of an object's bytes within a RawExtension. */
function findRaw(reader: WireReader, end: number): readonly [start: number, end: number] {
  let found: readonly [number, number] = [end, end];
  while (reader.position < end) {
    const tag = reader.varint();
    if (tag === rawTag) {
      const rawEnd = reader.delimitedEnd(end);
      found = [reader.position, rawEnd];
      reader.position = rawEnd;
    } else reader.skip(tag, end);
  }
  reader.finish(end);
  return found;
}
