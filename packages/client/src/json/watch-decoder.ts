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
import { EventTexts } from "./event-texts.ts";
import { isAt, ObjectMembers } from "./object-members.ts";
import type { ObjectLimit } from "./object-limit.ts";
import type { ObjectReader } from "./object-reader.ts";
import { tryParse } from "./parse.ts";
import { StructureUse } from "./structure-use.ts";

const newline = 0x0a;
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Types of events whose objects a reader creates; all others are parsed. */
const types = (["ADDED", "MODIFIED", "DELETED"] as const).map((type) => ({
  type,
  text: encoder.encode(`"${type}"`),
}));

type ChangeType = (typeof types)[number]["type"];

/**
 * Decodes JSON objects by their structure, fastest with one per line. A reader creates the objects.
 * Positions in errors are in bytes.
 */
export class JsonWatchDecoder<T> implements WatchDecoder<T> {
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
  /** Number of records of the incomplete line that were examined, and their depth. */
  #examined = 0;
  #depth = 0;
  /** Set after the first line that is not one event. */
  #texts: EventTexts | undefined;
  readonly #utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

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
    reader.types.start("", "");
  }

  write(chunk: Uint8Array, into: WatchEvent<T>[]): void {
    this.#use.step(() => this.#write(chunk, into));
  }

  #write(chunk: Uint8Array, into: WatchEvent<T>[]): void {
    this.#beforeEvents?.();
    if (this.#texts !== undefined) {
      this.#loose(this.#utf8.decode(chunk, { stream: true }), into);
      return;
    }
    const structure = this.#structure;
    const from = structure.length;
    structure.append(chunk);
    try {
      while (this.#texts === undefined) {
        const end = structure.find(newline, Math.max(from, this.#start));
        if (end < 0) break;
        this.#line(end, into);
        this.#start = end + 1;
      }
      if (this.#texts === undefined) this.#takeWithoutNewline(into);
      else this.#looseRest(into);
    } finally {
      // Runs even before a fault: events before it are delivered first.
      this.#flush();
    }
    const dropped = this.#record;
    structure.drop(this.#start, dropped);
    this.#offset += this.#start;
    this.#start = 0;
    this.#record = 0;
    this.#examined = Math.max(0, this.#examined - dropped);
    if (structure.length > this.#limit.maxBytes) throw this.#tooLarge();
  }

  end(into: WatchEvent<T>[]): void {
    this.#use.end(() => this.#takeRest(into));
  }

  #takeRest(into: WatchEvent<T>[]): void {
    // An event is complete without its newline; an incomplete one was cut.
    this.#loose(this.#text(0, this.#structure.length), into);
  }

  #flush(): void {
    const fault = this.#reader.flush();
    if (fault !== undefined) this.#refuse(fault.start, fault.end, undefined);
  }

  /** Takes the incomplete line if it is a complete event: a server may not end its lines. */
  #takeWithoutNewline(into: WatchEvent<T>[]): void {
    const { bytes, length, records, count } = this.#structure;
    const end = skipSpaceBackFrom(bytes, this.#start, length);
    if (end <= this.#start || bytes[end - 1] !== closeBrace) return;
    if (this.#examined <= this.#record) {
      this.#examined = this.#record;
      this.#depth = 0;
    }
    for (; this.#examined < count; this.#examined++) {
      const byte = bytes[records[this.#examined] ?? 0] ?? 0;
      if (opens(byte)) this.#depth++;
      else if (closes(byte)) this.#depth--;
    }
    if (this.#depth !== 0 || records[count - 1] !== end - 1) return;
    this.#line(length, into);
    this.#start = length;
  }

  /** Passes everything after the current line to the slower reader. */
  #looseRest(into: WatchEvent<T>[]): void {
    const { bytes, length, count } = this.#structure;
    const rest = bytes.subarray(this.#start, length);
    this.#start = length;
    this.#record = count;
    this.#loose(this.#utf8.decode(rest, { stream: true }), into);
  }

  #loose(text: string, into: WatchEvent<T>[]): void {
    this.#texts ??= new EventTexts(this.#limit, this.#offset + this.#start);
    this.#texts.write(text, (piece, offset) => {
      const event = tryParse(piece);
      if (!isWatchEvent<T>(event)) throw refusal(piece, offset, event);
      this.#take(event, into);
    });
  }

  /** Reads the line from `#start` to its newline. */
  #line(newlineAt: number, into: WatchEvent<T>[]): void {
    const { bytes } = this.#structure;
    const start = skipSpaceFrom(bytes, this.#start, newlineAt);
    const end = skipSpaceBackFrom(bytes, start, newlineAt);
    if (start === end) return;
    if (newlineAt - this.#start > this.#limit.maxBytes) throw this.#tooLarge();
    if (this.#readUsual(start, end, into)) return;
    this.#skipRecords(newlineAt);
    this.#readWhole(start, end, into);
  }

  #skipRecords(end: number): void {
    const { records, count } = this.#structure;
    while (this.#record < count && (records[this.#record] ?? 0) < end) this.#record++;
  }

  /** Reads a change of an object. Returns false if the line has another form. */
  #readUsual(start: number, end: number, into: WatchEvent<T>[]): boolean {
    const structure = this.#structure;
    const { bytes, records } = structure;
    const members = this.#members;
    const first = this.#record;
    if (records[first] !== start || !members.read(structure, first)) return false;
    if (records[members.last] !== end - 1) return false;
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
    if (!this.#reader.read(object, { take, reuse })) return false;
    this.#record = members.last + 1;
    return true;
  }

  #typeOf(members: ObjectMembers): ChangeType | undefined {
    const place = members.placeOf("type");
    const start = members.starts[place] ?? 0;
    const length = (members.ends[place] ?? 0) - start;
    const { bytes } = this.#structure;
    return types.find(({ text }) => text.length === length && isAt(bytes, start, text))?.type;
  }

  #readWhole(start: number, end: number, into: WatchEvent<T>[]): void {
    const event = tryParse(this.#text(start, end));
    if (event === undefined) {
      this.#flush();
      this.#loose(`${this.#text(start, end)}\n`, into);
      return;
    }
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
    const text = this.#text(start, Math.min(end, start + 200));
    throw refusal(text, this.#offset + start, value);
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

/** Creates the error for a string that is not an event. */
function refusal(text: string, offset: number, value: unknown): DecodeError {
  const expected = value === undefined ? "as JSON" : "with type and object";
  return new DecodeError(`a watch event ${expected}`, offset, text);
}

/** Whether a value is an event of a watch, of any type. */
function isWatchEvent<T>(value: unknown): value is WatchEvent<T> {
  return (
    isRecord(value) &&
    "type" in value &&
    typeof value["type"] === "string" &&
    "object" in value &&
    isRecord(value["object"])
  );
}
