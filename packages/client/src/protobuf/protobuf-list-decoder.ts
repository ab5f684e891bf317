import { createNotAListError, type DecodeError } from "../errors/decode-errors.ts";
import { NetworkError } from "../errors/network-error.ts";
import type { ListDecoder, ReuseFunction } from "../json/decoder.ts";
import type { ObjectLimit } from "../json/object-limit.ts";
import type { ListMeta } from "../resource/list-watch.ts";
import { envelopeTags, prefixLength, readPrefix, readTypeMeta } from "../wire/envelope.ts";
import { wireType, WireReader } from "../wire/wire-reader.ts";
import { asDecodeError, unknownKindError } from "./message-reader.ts";
import { readListMeta } from "./list-meta.ts";
import type { ObjectType, ProtobufObjectReader } from "./object-reader.ts";
import { PieceBuffer, type Piece } from "./piece-buffer.ts";

/** Tags of the messages of lists. */
const listTags = { metadata: 0x0a, items: 0x12 } as const;

const wireTypeMask = 7;
/** Number of bytes of the longest tag and length. */
const maxHeadLength = 20;
const listSuffix = "List";

/**
 * Decodes a list item by item, each as soon as its bytes have arrived.
 *
 * ```
 *   k8s\0 │ 1: TypeMeta │ 2: raw  { 1: ListMeta │ 2: item │ 2: item │ ... } │ 3, 4
 *   start │ envelope              │ list                                    │ envelope
 * ```
 */
export class ProtobufListDecoder<T> implements ListDecoder<T> {
  apiVersion: string | undefined;
  kind: string | undefined;
  metadata: ListMeta | undefined;
  readonly #objects: ProtobufObjectReader;
  readonly #limit: ObjectLimit;
  readonly #reuse: ReuseFunction<T> | undefined;
  readonly #reader = new WireReader();
  readonly #pieces = new PieceBuffer();
  readonly #listType = { apiVersion: "", kind: "" };
  #state: "start" | "envelope" | "list" | "end" = "start";
  /** Number of bytes of the response up to the end of the list; known in the state "list". */
  #listEnd = 0;
  #itemType: ObjectType | undefined;

  constructor(
    objects: ProtobufObjectReader,
    limit: ObjectLimit,
    reuse: ReuseFunction<T> | undefined,
  ) {
    this.#objects = objects;
    this.#limit = limit;
    this.#reuse = reuse;
  }

  write(chunk: Uint8Array, into: T[]): void {
    try {
      this.#pieces.write(chunk, (piece) => this.#take(piece, into));
    } catch (error) {
      throw asDecodeError(error, this.#reader, this.#pieces.taken);
    }
    this.#endList();
  }

  end(): void {
    this.#endList();
    if (this.#pieces.held === 0 && this.#state === "end") return;
    throw new NetworkError(
      "unexpected-eof",
      `Cannot read the list: it ended after ${this.#pieces.taken} bytes, in the middle`,
    );
  }

  #endList(): void {
    if (this.#state === "list" && this.#pieces.taken >= this.#listEnd) this.#state = "end";
  }

  #take(piece: Piece, into: T[]): number {
    this.#endList();
    const { bytes, position, end } = piece;
    const reader = this.#reader;
    reader.open(bytes, position);
    if (this.#state === "start") {
      if (end - position < prefixLength) return prefixLength;
      readPrefix(reader);
      this.#state = "envelope";
      piece.position = reader.position;
      return 0;
    }
    if (!hasHead(piece)) return end - position + 1;
    const tag = reader.varint();
    if ((tag & wireTypeMask) !== wireType.delimited) return this.#skipScalar(tag, piece);
    const limit = this.#state === "list" ? position + this.#listEnd - this.#pieces.taken : Infinity;
    const fieldEnd = reader.delimitedEnd(limit);
    if (this.#state === "envelope" && tag === envelopeTags.raw) {
      this.#beginList(fieldEnd - position);
      piece.position = reader.position;
      return 0;
    }
    if (fieldEnd - position > this.#limit.maxBytes) throw this.#tooLarge(position);
    if (fieldEnd > end) return fieldEnd - position;
    this.#readField(tag, fieldEnd, into);
    piece.position = fieldEnd;
    return 0;
  }

  #readField(tag: number, end: number, into: T[]): void {
    const reader = this.#reader;
    if (this.#state === "envelope" && tag === envelopeTags.typeMeta) {
      readTypeMeta(reader, end, this.#listType);
    } else if (this.#state === "list" && tag === listTags.items) {
      if (this.#itemType === undefined) throw unknownKindError(this.#listType);
      into.push(this.#objects.read<T>(reader, this.#itemType, end, this.#reuse));
    } else if (this.#state === "list" && tag === listTags.metadata) {
      this.metadata = readListMeta(reader, end);
    } else if (tag >>> 3 === 0) throw reader.error("the number of a field");
  }

  /** @param length number of bytes from the tag of the list to its end */
  #beginList(length: number): void {
    const { apiVersion, kind } = this.#listType;
    if (!kind.endsWith(listSuffix)) {
      throw createNotAListError(`an object of kind ${JSON.stringify(kind)}`);
    }
    this.apiVersion = apiVersion;
    this.kind = kind;
    const itemKind = kind.slice(0, -listSuffix.length);
    this.#itemType = this.#objects.typeOf({ apiVersion, kind: itemKind });
    this.#listEnd = this.#pieces.taken + length;
    this.#state = "list";
  }

  /** Skips a field without a length, which the list of a newer server may contain. */
  #skipScalar(tag: number, piece: Piece): number {
    const { end, position } = piece;
    if (end - position < maxHeadLength && this.#isScalarCut(tag, end)) return end - position + 1;
    const limit = this.#state === "list" ? position + this.#listEnd - this.#pieces.taken : end;
    this.#reader.skip(tag, Math.min(limit, end));
    piece.position = this.#reader.position;
    return 0;
  }

  #isScalarCut(tag: number, end: number): boolean {
    const { bytes, position } = this.#reader;
    switch (tag & wireTypeMask) {
      case wireType.varint:
        return varintEnd(bytes, position, end) < 0;
      case wireType.fixed64:
        return end - position < 8;
      case wireType.fixed32:
        return end - position < 4;
      default:
        return false;
    }
  }

  #tooLarge(position: number): DecodeError {
    const text = String.fromCharCode(...this.#reader.bytes.subarray(position, position + 200));
    return this.#limit.error("an item", text, this.#pieces.taken);
  }
}

/** Whether a tag and its length, if it has one, have arrived. */
function hasHead({ bytes, position, end }: Piece): boolean {
  if (end - position >= maxHeadLength) return true;
  const lengthStart = varintEnd(bytes, position, end);
  if (lengthStart < 0) return false;
  const isDelimited = ((bytes[position] ?? 0) & wireTypeMask) === wireType.delimited;
  return !isDelimited || varintEnd(bytes, lengthStart, end) >= 0;
}

/** Returns the position after a number; -1 if it has not arrived. */
function varintEnd(bytes: Uint8Array, start: number, end: number): number {
  for (let position = start; position < end; position++) {
    if ((bytes[position] ?? 0) < 128) return position + 1;
  }
  return -1;
}
