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

/** Text of an object or its metadata around `managedFields`. */
interface AroundManagedFields {
  /** End of the text before the field, and start of the text after it. */
  readonly headEnd: number;
  readonly tailStart: number;
  /** Text between them, in place of the field. */
  readonly separator: "" | ",";
  /** Name of the next member of the metadata. */
  readonly next: string | undefined;
  /** Text of the field if it is lazy; `undefined` if it is not wanted. */
  readonly text: string | undefined;
}

type LeftOut = AroundManagedFields | "nothing left out";

/**
 * Reads objects with all of their members. Large members that the program reads of few objects are
 * parsed on first access. Metadata is parsed at once, because informers read it, but
 * `managedFields` may be lazy, too.
 *
 * ```
 *   text     {"metadata":{"name":"a",...},"spec":{...},"status":{...}}
 *   object   { metadata: {...}, get spec(), get status(), [hidden]: ["{...}", "{...}"] }
 * ```
 *
 * The text of each lazy member is a separate string, so that nothing else of the list stays in
 * memory.
 */
export class WholeReader<T> implements ObjectReader<T> {
  readonly types: ItemTypes;
  readonly #stripManagedFields: boolean;
  readonly #reads: LazyFaults | undefined;
  readonly #lazyLength: number;
  readonly #parser: ItemParser<T>;
  readonly #members = new ObjectMembers();
  readonly #metaMembers = new ObjectMembers();
  readonly #small: (SmallValue | undefined)[] = [];
  /** Whether each member of the current object is lazy. */
  readonly #lazy: boolean[] = [];

  /**
   * @param reads parses lazy members; `undefined` if there are none
   * @param lazyLength number of bytes of text from which an object or array may be lazy
   */
  constructor(stripManagedFields: boolean, reads?: LazyFaults, lazyLength: number = smallLength) {
    this.#lazyLength = lazyLength;
    this.#stripManagedFields = stripManagedFields;
    this.#reads = reads;
    this.#parser = new ItemParser<T>(stripManagedFields);
    this.types = this.#parser.types;
  }

  read(place: ObjectPlace, { take, reuse }: ObjectTaker<T>): boolean {
    const object = this.#readMembers(place, reuse) ?? this.#readText(place, reuse);
    if (object === undefined) return false;
    take(object);
    return true;
  }

  reduce(object: object): T {
    if (this.#stripManagedFields) removeManagedFields(object);
    // Lazy members look like plain ones, so the object has the type of the server's.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return object as T;
  }

  flush(): undefined {}

  /** Returns `undefined` if the object has an unusual form, or all of its text is to be parsed. */
  #readMembers(place: ObjectPlace, reuse: ReuseFunction<T> | undefined): T | undefined {
    const habits = this.#reads?.habits;
    const isSample = habits?.isSample() === true;
    const mayBeLazy = isSample || habits?.areAllRead() === false;
    const mayLeaveOut = mayBeLazy || this.#stripManagedFields;
    if (!mayLeaveOut && reuse === undefined) return undefined;
    const { structure, record } = place;
    const members = this.#members;
    if (!members.read(structure, record) || hasTwice(members)) return undefined;
    // Items that precede the kind of their list are completed later.
    if (this.types.areEarly && lacksType(members)) return undefined;
    const at = members.placeOf("metadata");
    if (at < 0) return undefined;
    const around = mayLeaveOut
      ? this.#aroundManagedFields(structure, members, at, isSample)
      : "nothing left out";
    if (around === undefined) return undefined;
    const hasLazy = mayBeLazy && this.#chooseLazy(structure.bytes, members, isSample);
    if (!hasLazy && reuse === undefined) return this.#parse(place, around);
    const metadata = this.#metadata(structure.bytes, members, at, around);
    if (metadata === undefined) return undefined;
    const held = reuse && this.#held({ metadata }, reuse);
    if (held !== undefined) return held;
    return hasLazy ? this.#make(structure.bytes, members, metadata) : this.#parse(place, around);
  }

  /** Parses an object at once, without the part of its metadata that is left out. */
  #parse({ structure, start, end }: ObjectPlace, around: LeftOut): T | undefined {
    if (around === "nothing left out") return this.#parser.tryParse(structure.text(start, end));
    const { headEnd, separator, tailStart } = around;
    const head = structure.text(start, headEnd);
    const object = this.#parser.tryParse(head + separator + structure.text(tailStart, end));
    if (around.text === undefined || !isRecord(object)) return object;
    const { metadata } = object;
    if (!isRecord(metadata)) return undefined;
    return Object.assign(object, { metadata: this.#withManagedFields(metadata, around) });
  }

  #metadata(
    bytes: Uint8Array,
    { starts, ends }: ObjectMembers,
    at: number,
    around: LeftOut,
  ): object | undefined {
    const decode = (from: number, to: number): string => utf8.decode(bytes.subarray(from, to));
    const start = starts[at] ?? 0;
    const end = ends[at] ?? 0;
    if (around === "nothing left out") return parseObject(decode(start, end));
    const { headEnd, separator, tailStart } = around;
    const metadata = parseObject(decode(start, headEnd) + separator + decode(tailStart, end));
    return metadata && this.#withManagedFields(metadata, around);
  }

  /** Makes an object whose lazy members were chosen. */
  #make(bytes: Uint8Array, members: ObjectMembers, metadata: object): T | undefined {
    const { names, starts, ends, count } = members;
    const object: Record<string, unknown> = {};
    if (this.types.type !== undefined && lacksType(members)) Object.assign(object, this.types.type);
    const texts: string[] = [];
    for (let place = 0; place < count; place++) {
      const name = names[place] ?? "";
      const start = starts[place] ?? 0;
      const end = ends[place] ?? 0;
      if (name === "metadata") object[name] = metadata;
      else if (this.#reads !== undefined && this.#lazy[place] === true) {
        texts.push(utf8.decode(bytes.subarray(start, end)));
        Object.defineProperty(object, name, this.#reads.accessors.at(name, texts.length));
        this.#reads.habits.countLazy(name);
      } else {
        const value = this.#value(bytes, start, end, place);
        if (value === undefined) return undefined;
        object[name] = value;
      }
    }
    // An array that grew step by step would keep unused capacity.
    if (this.#reads !== undefined) holdLazyMembers(object, [this.#reads, ...texts]);
    // Lazy members look like plain ones, so the object has the type of the server's.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return object as T;
  }

  /** Chooses the members of an object that are lazy. Returns whether there are any. */
  #chooseLazy(bytes: Uint8Array, members: ObjectMembers, isSample: boolean): boolean {
    if (this.#reads === undefined) return false;
    const { names, starts, ends, count } = members;
    let hasLazy = false;
    for (let place = 0; place < count; place++) {
      const name = names[place] ?? "";
      const isLazy =
        name !== "metadata" &&
        this.#mayBeLazy(bytes, starts[place] ?? 0, ends[place] ?? 0) &&
        (isSample || !this.#reads.habits.isRead(name));
      this.#lazy[place] = isLazy;
      hasLazy ||= isLazy;
    }
    return hasLazy;
  }

  /** Returns the value, parsed at once. Reuses the previous object's value if it is the same string. */
  #value(bytes: Uint8Array, start: number, end: number, place: number): unknown {
    const before = this.#small[place];
    if (before?.text.length === end - start && isAt(bytes, start, before.text)) return before.value;
    const value = tryParse(utf8.decode(bytes.subarray(start, end)));
    const isShared = place < maxPlaces && end - start < sharedLength && typeof value === "string";
    if (isShared) this.#small[place] = { text: bytes.slice(start, end), value };
    return value;
  }

  /**
   * Finds `managedFields` in the metadata of an object, if they are lazy or not wanted. Returns
   * `undefined` if the metadata has an unusual form.
   */
  #aroundManagedFields(
    structure: Structure,
    members: ObjectMembers,
    at: number,
    isSample: boolean,
  ): LeftOut | undefined {
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
    const isLazy =
      this.#mayBeLazy(bytes, from, to) &&
      (isSample || this.#reads?.habits.isRead("managedFields") === false);
    const isKept = !this.#stripManagedFields && !isLazy;
    if (place < 0 || (isKept && isArray)) return "nothing left out";
    if (!isArray || hasTwice(meta)) return undefined;
    // Without the field and one comma, the rest is JSON if the whole is, apart from the field.
    const isLast = place === meta.count - 1;
    return {
      headEnd: place === 0 ? start + 1 : (meta.ends[place - 1] ?? 0),
      tailStart: isLast ? end - 1 : nextKey(meta, place, bytes),
      separator: place === 0 || isLast ? "" : ",",
      next: isLast ? undefined : meta.names[place + 1],
      text: this.#stripManagedFields ? undefined : utf8.decode(bytes.subarray(from, to)),
    };
  }

  /** Adds lazy `managedFields` to metadata that was parsed without them. */
  #withManagedFields(
    metadata: Record<string, unknown>,
    { next, text }: AroundManagedFields,
  ): Record<string, unknown> {
    if (text === undefined || this.#reads === undefined) return metadata;
    this.#reads.habits.countLazy("managedFields");
    return withManagedFields(metadata, next, [this.#reads, text]);
  }

  /** Whether a value is large enough to be lazy, and an object or an array. */
  #mayBeLazy(bytes: Uint8Array, start: number, end: number): boolean {
    const first = bytes[start];
    return (
      this.#reads !== undefined &&
      (first === openBrace || first === openBracket) &&
      end - start >= this.#lazyLength
    );
  }

  #readText({ structure, start, end }: ObjectPlace, reuse?: ReuseFunction<T>): T | undefined {
    const object = this.#parser.tryParse(structure.text(start, end));
    return (reuse && this.#held(object, reuse)) ?? object;
  }

  /** Returns the held object of this state, unless it has to be read again. */
  #held(object: unknown, reuse: ReuseFunction<T>): T | undefined {
    const identity = identityOf(object);
    if (identity === undefined) return undefined;
    const held = reuse(identity);
    return this.#reads?.hasFailed(identity) === true ? undefined : held;
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

function lacksType(members: ObjectMembers): boolean {
  return members.placeOf("kind") < 0 || members.placeOf("apiVersion") < 0;
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
): Record<string, unknown> {
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
