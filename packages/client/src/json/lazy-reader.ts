import { isRecord } from "@listwatch/core-fifo/base";
import {
  closeBrace,
  closeBracket,
  openBrace,
  openBracket,
  type Structure,
} from "../structure/structure.ts";
import type { ReuseFunction } from "./decoder.ts";
import { ItemParser } from "./item-parser.ts";
import type { ItemTypes } from "./item-types.ts";
import type { LazyFaults } from "./lazy-faults.ts";
import { holdLazyMembers, type LazyReads } from "./lazy-object.ts";
import { isAt, ObjectMembers } from "./object-members.ts";
import {
  identityOf,
  type ObjectPlace,
  type ObjectReader,
  type ObjectTaker,
} from "./object-reader.ts";
import { removeManagedFields, tryParse } from "./parse.ts";

/** Objects and arrays with less text than this, in bytes, are parsed at once. */
export const smallLength = 64;

/** Texts shorter than this, in bytes, are compared with those of the previous object. */
const sharedLength = 64;

/** Number of small values that are compared with those of the previous object. */
const maxPlaces = 64;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** A small value and its text. */
interface SmallValue {
  readonly text: Uint8Array;
  readonly value: unknown;
}

/**
 * Reads objects whose large members are parsed on first access. Metadata is parsed at once, without
 * `managedFields`, because informers read it.
 *
 * ```
 *   text     {"metadata":{"name":"a",...},"spec":{...},"status":{...}}
 *   object   { metadata: {...}, get spec(), get status(), [hidden]: ["{...}", "{...}"] }
 * ```
 *
 * The text of each member is a separate string, so that nothing else of the list stays in memory.
 */
export class LazyReader<T> implements ObjectReader<T> {
  readonly types: ItemTypes;
  readonly #stripManagedFields: boolean;
  readonly #reads: LazyFaults;
  readonly #lazyLength: number;
  readonly #parser: ItemParser<T>;
  readonly #members = new ObjectMembers();
  readonly #metaMembers = new ObjectMembers();
  readonly #small: (SmallValue | undefined)[] = [];

  /** @param lazyLength number of bytes of text from which an object or array is lazy */
  constructor(stripManagedFields: boolean, reads: LazyFaults, lazyLength: number) {
    this.#lazyLength = lazyLength;
    this.#stripManagedFields = stripManagedFields;
    this.#reads = reads;
    this.#parser = new ItemParser<T>(stripManagedFields);
    this.types = this.#parser.types;
  }

  read(place: ObjectPlace, taker: ObjectTaker<T>): boolean {
    // Items that precede the kind of their list are parsed, to be completed later.
    const read = this.types.areEarly ? undefined : this.#readLazily(place, taker);
    const object = read ?? this.#readWhole(place, taker);
    if (object === undefined) return false;
    taker.take(object);
    return true;
  }

  reduce(object: object): T {
    if (this.#stripManagedFields) removeManagedFields(object);
    // Lazy members look like plain ones, so the object has the type of the server's.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return object as T;
  }

  flush(): undefined {}

  /** Returns `undefined` if the object has an unusual form. */
  #readLazily(place: ObjectPlace, { reuse }: ObjectTaker<T>): T | undefined {
    const { structure, record } = place;
    const members = this.#members;
    if (!members.read(structure, record) || hasTwice(members)) return undefined;
    const at = members.placeOf("metadata");
    const metadata = at < 0 ? undefined : this.#readMetadata(structure, members, at);
    if (metadata === undefined) return undefined;
    const held = reuse && this.#held({ metadata }, reuse);
    if (held !== undefined) return held;
    return this.#make(structure.bytes, members, metadata);
  }

  #make(bytes: Uint8Array, members: ObjectMembers, metadata: object): T | undefined {
    const { names, starts, ends, count } = members;
    const object: Record<string, unknown> = {};
    if (this.#lacksType(members)) Object.assign(object, this.types.type);
    const texts: string[] = [];
    for (let place = 0; place < count; place++) {
      const name = names[place] ?? "";
      const start = starts[place] ?? 0;
      const end = ends[place] ?? 0;
      if (name === "metadata") object[name] = metadata;
      else if (this.#isLazy(bytes, start, end)) {
        texts.push(utf8.decode(bytes.subarray(start, end)));
        Object.defineProperty(object, name, this.#reads.accessors.at(name, texts.length));
      } else {
        const value = this.#smallValue(bytes, start, end, place);
        if (value === undefined) return undefined;
        object[name] = value;
      }
    }
    // An array that grew step by step would keep unused capacity.
    if (texts.length > 0) holdLazyMembers(object, [this.#reads, ...texts]);
    // Lazy members look like plain ones, so the object has the type of the server's.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return object as T;
  }

  #lacksType(members: ObjectMembers): boolean {
    if (this.types.type === undefined) return false;
    return members.placeOf("kind") < 0 || members.placeOf("apiVersion") < 0;
  }

  /** Returns the value, parsed at once. Reuses the previous object's value if it is the same string. */
  #smallValue(bytes: Uint8Array, start: number, end: number, place: number): unknown {
    const before = this.#small[place];
    if (before?.text.length === end - start && isAt(bytes, start, before.text)) return before.value;
    const text = bytes.slice(start, end);
    const value = tryParse(utf8.decode(text));
    const isShared = place < maxPlaces && text.length < sharedLength && typeof value === "string";
    if (isShared) this.#small[place] = { text, value };
    return value;
  }

  /** Parses metadata, with `managedFields` as a lazy member; `undefined` if it has an unusual form. */
  #readMetadata(structure: Structure, members: ObjectMembers, at: number): object | undefined {
    const { bytes } = structure;
    const start = members.starts[at] ?? 0;
    const end = members.ends[at] ?? 0;
    if (bytes[start] !== openBrace || bytes[end - 1] !== closeBrace) return undefined;
    const meta = this.#metaMembers;
    if (!meta.read(structure, members.records[at] ?? 0)) return undefined;
    const place = meta.placeOf("managedFields");
    const from = meta.starts[place] ?? 0;
    const to = meta.ends[place] ?? 0;
    const isArray = bytes[from] === openBracket && bytes[to - 1] === closeBracket;
    const isKept = !this.#stripManagedFields && !this.#isLazy(bytes, from, to);
    if (place < 0 || (isKept && isArray)) {
      return parseObject(utf8.decode(bytes.subarray(start, end)));
    }
    if (!isArray || hasTwice(meta)) return undefined;
    // Without the field and one comma, the rest is JSON if the whole is, apart from the field.
    const isLast = place === meta.count - 1;
    const headEnd = place === 0 ? start + 1 : (meta.ends[place - 1] ?? 0);
    const tailStart = isLast ? end - 1 : nextKey(meta, place, bytes);
    const separator = place === 0 || isLast ? "" : ",";
    const head = utf8.decode(bytes.subarray(start, headEnd));
    const parsed = parseObject(head + separator + utf8.decode(bytes.subarray(tailStart, end)));
    if (parsed === undefined || this.#stripManagedFields) return parsed;
    const text = utf8.decode(bytes.subarray(from, to));
    return withManagedFields(parsed, isLast ? undefined : meta.names[place + 1], [
      this.#reads,
      text,
    ]);
  }

  #isLazy(bytes: Uint8Array, start: number, end: number): boolean {
    const first = bytes[start];
    return (first === openBrace || first === openBracket) && end - start >= this.#lazyLength;
  }

  #readWhole({ structure, start, end }: ObjectPlace, { reuse }: ObjectTaker<T>): T | undefined {
    const text = utf8.decode(structure.bytes.subarray(start, end));
    const object = this.#parser.tryParse(text, 0, text.length);
    return (reuse && this.#held(object, reuse)) ?? object;
  }

  /** Returns the held object of this state, unless it has to be read again. */
  #held(object: unknown, reuse: ReuseFunction<T>): T | undefined {
    const identity = identityOf(object);
    if (identity === undefined) return undefined;
    const held = reuse(identity);
    return this.#reads.hasFailed(identity) ? undefined : held;
  }
}

/** More names than this are compared by a set, so that a server cannot choose the running time. */
const maxCompared = 32;

function hasTwice({ names, count }: ObjectMembers): boolean {
  if (count > maxCompared) return new Set(names.slice(0, count)).size < count;
  for (let place = 1; place < count; place++) {
    if (names.indexOf(names[place] ?? "") < place) return true;
  }
  return false;
}

/** Returns the start of the next member's key, after a comma and white space. */
function nextKey({ ends }: ObjectMembers, place: number, bytes: Uint8Array): number {
  return bytes.indexOf(0x22, ends[place]);
}

/** Inserts `managedFields` at its place among the members: before `next`, or at the end. */
function withManagedFields(
  metadata: Record<string, unknown>,
  next: string | undefined,
  held: [LazyReads, string],
): object {
  const accessors = held[0].accessors.at("managedFields", 1);
  if (next === undefined) {
    holdLazyMembers(metadata, held);
    return Object.defineProperty(metadata, "managedFields", accessors);
  }
  const whole: Record<string, unknown> = {};
  holdLazyMembers(whole, held);
  for (const [name, value] of Object.entries(metadata)) {
    if (name === next) Object.defineProperty(whole, "managedFields", accessors);
    whole[name] = value;
  }
  return whole;
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = tryParse(text);
  return isRecord(value) ? value : undefined;
}
