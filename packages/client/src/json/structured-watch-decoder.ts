import { isRecord } from "@listwatch/core-fifo/base";
import { DecodeError } from "../errors/decode-errors.ts";
import type { WatchEvent } from "../resource/list-watch.ts";
import {
  closeBrace,
  closes,
  openBrace,
  opens,
  skipSpaceBackFrom,
  skipSpaceFrom,
  type Structure,
} from "../structure/structure.ts";
import type { ReuseFunction, WatchDecoder } from "./decoder.ts";
import { isAt, ObjectMembers } from "./object-members.ts";
import type { ObjectLimit } from "./object-limit.ts";
import type { ObjectReader } from "./object-reader.ts";
import { tryParse } from "./parse.ts";
import { StructureUse } from "./structure-use.ts";
import { isWatchEvent } from "./watch-decoder.ts";

const newline = 0x0a;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Types of events whose objects a reader creates; all others are parsed. */
const types = (["ADDED", "MODIFIED", "DELETED"] as const).map((type) => ({
  type,
  text: encoder.encode(`"${type}"`),
}));

type ChangeType = (typeof types)[number]["type"];

/** A line without surrounding white space, and its first record. */
interface Line {
  readonly record: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Decodes one JSON object per line by its structure. A reader creates the objects. Positions in
 * errors are in bytes.
 */
export class StructuredWatchDecoder<T> implements WatchDecoder<T> {
  readonly #reader: ObjectReader<T>;
  readonly #limit: ObjectLimit;
  readonly #structure: Structure;
  readonly #use: StructureUse;
  readonly #members = new ObjectMembers();
  readonly #beforeEvents: (() => void) | undefined;
  /** Used until the first bookmark, which ends a streamed list. */
  #reuse: ReuseFunction<T> | undefined;
  /** Start of the next line, and its first record. */
  #start = 0;
  #record = 0;
  /** Number of dropped bytes. */
  #offset = 0;

  /**
   * @param structure an empty one, with the records that the reader needs
   * @param beforeEvents called before each chunk; an error that it throws ends the watch
   */
  constructor(
    reader: ObjectReader<T>,
    structure: Structure,
    limit: ObjectLimit,
    reuse: ReuseFunction<T> | undefined,
    beforeEvents?: () => void,
  ) {
    this.#beforeEvents = beforeEvents;
    this.#reader = reader;
    this.#limit = limit;
    this.#reuse = reuse;
    this.#structure = structure;
    this.#use = new StructureUse(structure);
    reader.start("", "");
  }

  write(chunk: Uint8Array, into: WatchEvent<T>[]): void {
    this.#use.step(() => this.#write(chunk, into));
  }

  #write(chunk: Uint8Array, into: WatchEvent<T>[]): void {
    this.#beforeEvents?.();
    const structure = this.#structure;
    const from = structure.length;
    structure.append(chunk);
    try {
      for (;;) {
        const end = structure.find(newline, Math.max(from, this.#start));
        if (end < 0) break;
        this.#line(end, into);
        this.#start = end + 1;
      }
    } finally {
      // Runs even before a fault: events before it are delivered first.
      this.#flush();
    }
    structure.drop(this.#start, this.#record);
    this.#offset += this.#start;
    this.#start = 0;
    this.#record = 0;
    if (structure.length > this.#limit.maxBytes) throw this.#tooLarge();
  }

  end(into: WatchEvent<T>[]): void {
    this.#use.end(() => this.#takeRest(into));
  }

  #takeRest(into: WatchEvent<T>[]): void {
    const rest = this.#text(0, this.#structure.length);
    // JSON is prefix-free: a line that parses is complete without its newline; any other was cut.
    const event = tryParse(rest);
    if (isWatchEvent<T>(event)) this.#take(event, into);
    // A complete value that is not an event was not cut: an error page, a Status.
    else if (event !== undefined || !/^[ \t\r]*(\{|$)/.test(rest)) {
      this.#refuse(0, this.#structure.length, event);
    }
  }

  #flush(): void {
    const fault = this.#reader.flush();
    if (fault !== undefined) this.#refuse(fault.start, fault.end, undefined);
  }

  /** Reads the line from `#start` to its newline. */
  #line(newlineAt: number, into: WatchEvent<T>[]): void {
    const { bytes } = this.#structure;
    const record = this.#record;
    const last = this.#lastRecord(newlineAt);
    const start = skipSpaceFrom(bytes, this.#start, newlineAt);
    const end = skipSpaceBackFrom(bytes, start, newlineAt);
    if (start === end) return;
    if (newlineAt - this.#start > this.#limit.maxBytes) throw this.#tooLarge();
    const line = { record, start, end };
    if (last !== end - 1 || !this.#readUsual(line, into)) this.#readWhole(line, into);
  }

  /**
   * Skips the records up to a newline.
   *
   * @returns the position of the last one, if it closes the bracket of the first one; otherwise -1
   */
  #lastRecord(newlineAt: number): number {
    const { bytes, records, count } = this.#structure;
    let depth = 0;
    let closed = -1;
    for (; this.#record < count; this.#record++) {
      const position = records[this.#record] ?? 0;
      if (position > newlineAt) break;
      if (closed >= 0) depth = Number.NaN;
      const byte = bytes[position] ?? 0;
      if (opens(byte)) depth++;
      else if (closes(byte) && --depth === 0) closed = position;
    }
    return depth === 0 ? closed : -1;
  }

  /** Reads a change of an object. Returns false if the line has another form. */
  #readUsual({ record, start }: Line, into: WatchEvent<T>[]): boolean {
    const structure = this.#structure;
    const { bytes, records } = structure;
    const members = this.#members;
    if (records[record] !== start || !members.read(structure, record)) return false;
    const type = this.#typeOf(members);
    const place = members.placeOf("object");
    if (members.count !== 2 || type === undefined || place < 0) return false;
    const { starts, ends } = members;
    const from = starts[place] ?? 0;
    const to = ends[place] ?? 0;
    if (bytes[from] !== openBrace || bytes[to - 1] !== closeBrace) return false;
    const object = { structure, record: members.records[place] ?? 0, start: from, end: to };
    const take = (read: T): void => void into.push({ type, object: read });
    const reuse = type === "ADDED" ? this.#reuse : undefined;
    return this.#reader.read(object, { take, reuse });
  }

  #typeOf(members: ObjectMembers): ChangeType | undefined {
    const place = members.placeOf("type");
    const start = members.starts[place] ?? 0;
    const length = (members.ends[place] ?? 0) - start;
    const { bytes } = this.#structure;
    return types.find(({ text }) => text.length === length && isAt(bytes, start, text))?.type;
  }

  #readWhole({ start, end }: Line, into: WatchEvent<T>[]): void {
    const event = tryParse(this.#text(start, end));
    if (!isWatchEvent<T>(event)) this.#refuse(start, end, event);
    this.#flush();
    this.#take(event, into);
  }

  #take(event: WatchEvent<T>, into: WatchEvent<T>[]): void {
    if (event.type === "BOOKMARK") this.#reuse = undefined;
    const isOfServer = event.type === "BOOKMARK" || event.type === "ERROR";
    if (isOfServer || !isRecord(event.object)) into.push(event);
    else into.push({ type: event.type, object: this.#reader.reduce(event.object) });
  }

  #text(start: number, end: number): string {
    return utf8.decode(this.#structure.bytes.subarray(start, end));
  }

  #refuse(start: number, end: number, value: unknown): never {
    const expected = value === undefined ? "as JSON" : "with type and object";
    const text = this.#text(start, Math.min(end, start + 200));
    throw new DecodeError(`a watch event ${expected}`, this.#offset + start, text);
  }

  #tooLarge(): DecodeError {
    const start = this.#start;
    return this.#limit.error(
      "a watch event",
      this.#text(start, Math.min(this.#structure.length, start + 200)),
      this.#offset + start,
    );
  }
}
