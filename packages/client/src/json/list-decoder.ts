import { DecodeError } from "../errors/decode-errors.ts";
import { NetworkError } from "../errors/network-error.ts";
import {
  closeBrace,
  closeBracket,
  closes,
  colon,
  openBracket,
  opens,
  skipSpaceFrom,
  type Structure,
} from "../structure/structure.ts";
import type { ListDecoder, ReuseFunction } from "./decoder.ts";
import { listGrammar, type ListState } from "./list-grammar.ts";
import { ListMembers } from "./list-members.ts";
import type { ObjectLimit } from "./object-limit.ts";
import type { ObjectReader, ObjectTaker } from "./object-reader.ts";
import { StructureUse } from "./structure-use.ts";

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Decodes a list from left to right by its structure, which contains the boundaries of items. A
 * reader creates the objects. It rejects everything that `JSON.parse` rejects between the items.
 * Positions in errors are in bytes.
 */
export class JsonListDecoder<T> extends ListMembers implements ListDecoder<T> {
  readonly #reader: ObjectReader<T>;
  readonly #limit: ObjectLimit;
  readonly #reuse: ReuseFunction<T> | undefined;
  readonly #structure: Structure;
  readonly #use: StructureUse;
  #state: ListState = "start";
  /** Next position to read, and the first record at or after it. */
  #position = 0;
  #record = 0;
  /** Record up to which the end of the current value was searched for, and its depth. */
  #searched = 0;
  #depth = 0;
  /** Number of dropped bytes. */
  #offset = 0;

  /** @param structure an empty one, with the records that the reader needs */
  constructor(
    reader: ObjectReader<T>,
    structure: Structure,
    limit: ObjectLimit,
    reuse: ReuseFunction<T> | undefined,
  ) {
    super();
    this.#reader = reader;
    this.#limit = limit;
    this.#reuse = reuse;
    this.#structure = structure;
    this.#use = new StructureUse(structure);
  }

  write(chunk: Uint8Array, into: T[]): void {
    this.#use.step(() => this.#write(chunk, into));
  }

  #write(chunk: Uint8Array, into: T[]): void {
    this.#structure.append(chunk);
    const taker = { take: (object: T) => void into.push(object), reuse: this.#reuse };
    try {
      while (this.#step(taker));
    } finally {
      // Runs even before a fault: objects before it are delivered first.
      this.#flush();
    }
    if (this.#structure.length - this.#position > this.#limit.maxBytes) {
      throw this.#tooLarge();
    }
    this.#drop();
  }

  end(): void {
    this.#use.end(() => this.#checkEnd());
  }

  #checkEnd(): void {
    if (this.#state !== "end") {
      throw new NetworkError(
        "unexpected-eof",
        `Cannot read the list: it ended after ${this.#offset} bytes, in the middle`,
      );
    }
    this.checkIsList();
  }

  #flush(): void {
    const fault = this.#reader.flush();
    if (fault !== undefined) throw this.#unexpected("an item as JSON", fault.start);
  }

  #drop(): void {
    this.#structure.drop(this.#position, this.#record);
    this.#offset += this.#position;
    this.#searched -= this.#record;
    this.#position = 0;
    this.#record = 0;
  }

  /** Consumes one token or item. Returns false if it needs more text, or if the list is complete. */
  #step(taker: ObjectTaker<T>): boolean {
    const { bytes, length } = this.#structure;
    this.#position = skipSpaceFrom(bytes, this.#position, length);
    if (this.#position === length) return false;
    const character = String.fromCharCode(bytes[this.#position] ?? 0);
    const [expected, next] = listGrammar[this.#state];
    const state = next[character];
    if (state === undefined) throw this.#unexpected(expected);
    if (character === '"') return this.#member();
    if (state === "item-end") return this.#item(taker);
    if (state === "end") {
      this.#flush();
      this.#reader.types.finish(this.apiVersion, this.kind);
    }
    return this.#token(state);
  }

  /** Consumes the byte of one record. */
  #token(next: ListState): true {
    return this.#advance(this.#position + 1, this.#record + 1, next);
  }

  #advance(position: number, record: number, next: ListState): true {
    this.#position = position;
    this.#record = record;
    this.#searched = record;
    this.#depth = 0;
    this.#state = next;
    return true;
  }

  #member(): boolean {
    const { bytes, length, records, count } = this.#structure;
    if (this.#record === count) return false;
    const end = records[this.#record] ?? 0;
    if (bytes[end] !== colon) throw this.#unexpected("a colon");
    const key = String(this.#parse(this.#position, end, "a key"));
    const start = skipSpaceFrom(bytes, end + 1, length);
    if (start === length) return false;
    if (key === "items" && bytes[start] === openBracket) return this.#beginItems(start);
    // The search starts after the colon.
    if (this.#searched === this.#record) this.#searched++;
    const last = this.#search((byte, depth) => depth === 0 && !opens(byte));
    if (last < 0) return false;
    const close = records[last] ?? 0;
    if (bytes[close] === colon || bytes[close] === closeBracket)
      throw this.#unexpected(`${key} as JSON`);
    const value = this.#parse(start, close, `${key} as JSON`);
    const expected = this.take(key, value);
    if (expected !== undefined) throw this.#unexpected(expected);
    return this.#advance(close, last, "member-end");
  }

  #beginItems(start: number): true {
    const expected = this.take("items", null);
    if (expected !== undefined) throw this.#unexpected(expected);
    this.#reader.types.start(this.apiVersion, this.kind);
    return this.#advance(start + 1, this.#record + 2, "first-item");
  }

  #item(taker: ObjectTaker<T>): boolean {
    const { bytes, records } = this.#structure;
    const last = this.#search((byte, depth) => depth === 1 && closes(byte));
    if (last < 0) return false;
    const start = this.#position;
    const end = (records[last] ?? 0) + 1;
    if (end - start > this.#limit.maxBytes) throw this.#tooLarge();
    const place = { structure: this.#structure, record: this.#record, start, end };
    const isObject = bytes[end - 1] === closeBrace && this.#reader.read(place, taker);
    if (!isObject) throw this.#unexpected("an item as JSON");
    return this.#advance(end, last + 1, "item-end");
  }

  /**
   * Returns the first record, from the last one searched, that ends a value; -1 if none has
   * arrived.
   */
  #search(isEnd: (byte: number, depth: number) => boolean): number {
    const { bytes, records, count } = this.#structure;
    let depth = this.#depth;
    for (let record = this.#searched; record < count; record++) {
      const byte = bytes[records[record] ?? 0] ?? 0;
      if (isEnd(byte, depth)) return record;
      if (opens(byte)) depth++;
      else if (closes(byte)) depth--;
    }
    this.#searched = count;
    this.#depth = depth;
    return -1;
  }

  #parse(start: number, end: number, expected: string): unknown {
    try {
      return JSON.parse(utf8.decode(this.#structure.bytes.subarray(start, end)));
    } catch (cause) {
      throw this.#unexpected(expected, start, { cause });
    }
  }

  #textAt(start: number): string {
    const { bytes, length } = this.#structure;
    return utf8.decode(bytes.subarray(start, Math.min(length, start + 200)));
  }

  #tooLarge(): DecodeError {
    const what = this.#state.endsWith("item") ? "an item" : "a member of the list";
    return this.#unexpected(this.#limit.expected(what));
  }

  #unexpected(
    expected: string,
    position: number = this.#position,
    options?: ErrorOptions,
  ): DecodeError {
    const text = this.#textAt(position);
    return new DecodeError(expected, this.#offset + position, text, options);
  }
}
