import { isRecord } from "@listwatch/core-fifo/base";
import {
  closeBrace,
  closeBracket,
  colon,
  comma,
  openBrace,
  openBracket,
  quote,
  skipSpaceBackFrom,
  skipSpaceFrom,
  type Structure,
} from "../structure/structure.ts";
import { apiVersionSlot, kindSlot, type FieldTree, type WantedField } from "./field-tree.ts";
import { ItemTypes } from "./item-types.ts";
import { endOfValue, isAt, isPlain } from "./object-members.ts";
import {
  identityOf,
  type ObjectPlace,
  type ObjectReader,
  type ObjectTaker,
} from "./object-reader.ts";
import { removeManagedFields, tryParse } from "./parse.ts";

const absent = -1;
/** Marks a value on a path that is not an object and is dropped. */
const leftOut = -2;

/** Number of names that are compared with those of the previous object. */
const maxPlaces = 64;
const maxNameLength = 256;

const encoder = new TextEncoder();
const emptyText = encoder.encode('""');
const separator = encoder.encode(",");
const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** A member to keep, with the members to keep of its value. */
interface WantedName {
  readonly field: WantedField;
  readonly inner: WantedNames | undefined;
}

/** Finds the wanted members of objects. Most objects have the same ones as the previous object. */
class WantedNames {
  readonly #names: readonly WantedName[];
  readonly #before: Uint8Array[] = [];
  readonly #found: (WantedName | null)[] = [];

  constructor(fields: readonly WantedField[]) {
    this.#names = fields.map((field) => ({
      field,
      inner: field.fields && new WantedNames(field.fields),
    }));
  }

  /**
   * Returns the member of the name between two quotes: null if it is not wanted, `undefined` if the
   * name is written with escapes.
   */
  at(place: number, bytes: Uint8Array, start: number, end: number): WantedName | null | undefined {
    const before = this.#before[place];
    if (before?.length === end - start && isAt(bytes, start, before)) return this.#found[place];
    const text = bytes.slice(start, end);
    if (!text.every(isPlain)) return undefined;
    const found =
      this.#names.find(
        ({ field }) => field.bytes.length === text.length && isAt(text, 0, field.bytes),
      ) ?? null;
    if (place < maxPlaces && text.length < maxNameLength) {
      this.#before[place] = text;
      this.#found[place] = found;
    }
    return found;
  }
}

/** An object that was copied and is not parsed yet. */
interface Copied<T> {
  readonly taker: ObjectTaker<T>;
  /** Position in the original text. */
  readonly start: number;
  readonly end: number;
  /** Whether the object itself has no kind or no apiVersion. */
  readonly lacksKind: boolean;
  readonly lacksApiVersion: boolean;
  /** Position of its copy. */
  readonly from: number;
  readonly to: number;
}

/**
 * Reads identity and wanted members of objects, and skips the rest of their text. Kept text is
 * copied to a buffer and parsed together:
 *
 * ```
 *   text    {"metadata":{"name":"a","labels":{...}},"spec":{...},"status":{"phase":"Running",...}}
 *   copies  [{"metadata":{"name":"a"},"status":{"phase":"Running"}},{"metadata":{"name":"b"},...
 * ```
 *
 * Copies follow the order of the tree, so that all objects have the same shape. Brackets of a kept
 * value balance and its strings end, so it cannot extend beyond its place in the copies. Skipped
 * text is not checked any further.
 */
export class ProjectingReader<T> implements ObjectReader<T> {
  readonly types: ItemTypes = new ItemTypes();
  readonly #tree: FieldTree;
  readonly #stripManagedFields: boolean;
  readonly #names: WantedNames;
  /** Positions of the wanted members of one object, by slot. */
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #copied: Copied<T>[] = [];
  /** The first byte is reserved for a bracket. */
  #copies: Uint8Array = new Uint8Array(16 * 1024);
  #length = 1;

  constructor(tree: FieldTree, stripManagedFields: boolean) {
    this.#tree = tree;
    this.#stripManagedFields = stripManagedFields;
    this.#names = new WantedNames(tree.fields);
    this.#starts = new Int32Array(tree.slots);
    this.#ends = new Int32Array(tree.slots);
  }

  read(place: ObjectPlace, taker: ObjectTaker<T>): boolean {
    const { structure, record, start, end } = place;
    this.#starts.fill(absent);
    const from = this.#length;
    const next = this.#find(structure, record, this.#names);
    if (next < 0) {
      const object = tryParse(utf8.decode(structure.bytes.subarray(start, end)));
      if (!isRecord(object)) return false;
      this.#append(encoder.encode(JSON.stringify(this.#tree.pick(object))));
    } else {
      this.#reserve(end - start + this.#tree.keysLength);
      this.#length = this.#copy(structure.bytes, this.#tree.fields, from);
    }
    const to = this.#length;
    this.#append(separator);
    // An object that was parsed as a whole fills no slots; its own type is not replaced.
    const lacksKind = next >= 0 && this.#starts[kindSlot] === absent;
    const lacksApiVersion = next >= 0 && this.#starts[apiVersionSlot] === absent;
    this.#copied.push({ taker, start, end, lacksKind, lacksApiVersion, from, to });
    return true;
  }

  reduce(object: object): T {
    if (this.#stripManagedFields) removeManagedFields(object);
    // The kept part of a `T` has the type that the program requested.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#tree.pick(object) as T;
  }

  flush(): { readonly start: number; readonly end: number } | undefined {
    const copied = this.#copied;
    if (copied.length === 0) return undefined;
    this.#copied = [];
    this.#copies[0] = openBracket;
    this.#copies[this.#length - 1] = closeBracket;
    const objects = this.#parse(0, this.#length);
    this.#length = 1;
    for (const [index, one] of copied.entries()) {
      // If one of them is not JSON, those before it are found one by one.
      const object: unknown = Array.isArray(objects)
        ? objects[index]
        : this.#parse(one.from, one.to);
      if (!isRecord(object)) return one;
      this.#take(object, one);
    }
    return undefined;
  }

  #take(object: Record<string, unknown>, copied: Copied<T>): void {
    const { take, reuse } = copied.taker;
    const identity = reuse && identityOf(object);
    const held = identity && reuse?.(identity);
    if (held !== undefined) return take(held);
    const { type } = this.types;
    if (type !== undefined) {
      if (copied.lacksKind) object["kind"] = type.kind;
      if (copied.lacksApiVersion) object["apiVersion"] = type.apiVersion;
    }
    this.types.complete(object);
    if (this.#stripManagedFields) removeManagedFields(object);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as in reduce
    return take(object as T);
  }

  /**
   * Finds the wanted members of the object whose `{` is this record.
   *
   * @returns the record after it; -1 if it has an unusual form: duplicate wanted members, names
   *   with escapes, or text that is not JSON between members
   */
  #find(structure: Structure, record: number, names: WantedNames): number {
    const { bytes, records, count } = structure;
    const open = records[record] ?? 0;
    if (bytes[open] !== openBrace) return -1;
    let next = record + 1;
    let from = open + 1;
    for (let place = 0; ; place++) {
      const end = records[next] ?? 0;
      const keyStart = skipSpaceFrom(bytes, from, end);
      if (bytes[end] !== colon) {
        const isEmpty = place === 0 && keyStart === end && bytes[end] === closeBrace;
        return isEmpty ? next + 1 : -1;
      }
      const keyEnd = skipSpaceBackFrom(bytes, keyStart, end);
      if (keyEnd - keyStart < 2 || bytes[keyStart] !== quote || bytes[keyEnd - 1] !== quote) {
        return -1;
      }
      const wanted = names.at(place, bytes, keyStart + 1, keyEnd - 1);
      if (wanted === undefined) return -1;
      next =
        wanted === null
          ? endOfValue(bytes, records, next + 1, count)
          : this.#findValue(structure, next, wanted);
      if (next < 0) return -1;
      const close = records[next] ?? 0;
      if (bytes[close] === closeBrace) return next + 1;
      if (bytes[close] !== comma) return -1;
      from = close + 1;
      next++;
    }
  }

  /** Records the position of the value after a colon. Returns the record that ends it, or -1. */
  #findValue(structure: Structure, colonRecord: number, { field, inner }: WantedName): number {
    const { bytes, records, count } = structure;
    const { slot } = field;
    if (this.#starts[slot] !== absent) return -1;
    const first = records[colonRecord + 1] ?? 0;
    const start = skipSpaceFrom(bytes, (records[colonRecord] ?? 0) + 1, first);
    const isObject = first === start && bytes[first] === openBrace;
    this.#starts[slot] = inner === undefined || isObject ? start : leftOut;
    const end =
      inner !== undefined && isObject
        ? this.#find(structure, colonRecord + 1, inner)
        : endOfValue(bytes, records, colonRecord + 1, count);
    if (end < 0) return -1;
    const close = records[end] ?? 0;
    this.#ends[slot] = skipSpaceBackFrom(bytes, start, close);
    // For an object with some copied members, no text may follow its bracket.
    const isClosed = bytes[(this.#ends[slot] ?? 0) - 1] === closeBrace;
    return inner !== undefined && isObject && !isClosed ? -1 : end;
  }

  /** Copies the members that were found. Returns the position after the copy. */
  #copy(bytes: Uint8Array, fields: readonly WantedField[], from: number): number {
    const copies = this.#copies;
    let to = from;
    copies[to++] = openBrace;
    for (const { key, slot, fields: inner } of fields) {
      const start = this.#starts[slot] ?? absent;
      const isType = slot <= apiVersionSlot && start === absent && this.types.type !== undefined;
      if (start < 0 && !isType) continue;
      to = copyBytes(key, 0, key.length, copies, to);
      // Reserves the place of a type that is added later, so that all objects have one shape.
      if (isType) to = copyBytes(emptyText, 0, 2, copies, to);
      else
        to =
          inner === undefined
            ? copyBytes(bytes, start, this.#ends[slot] ?? 0, copies, to)
            : this.#copy(bytes, inner, to);
      copies[to++] = comma;
    }
    if (copies[to - 1] === comma) to--;
    copies[to++] = closeBrace;
    return to;
  }

  #append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#copies.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#copies.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#copies.length * 2));
    larger.set(this.#copies.subarray(0, this.#length));
    this.#copies = larger;
  }

  #parse(start: number, end: number): unknown {
    return tryParse(utf8.decode(this.#copies.subarray(start, end)));
  }
}

/** Below this length a loop is faster than a call. */
const loopLength = 100;

/** Copies bytes. Returns the position after the copy. */
function copyBytes(
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  at: number,
): number {
  if (end - start > loopLength) into.set(bytes.subarray(start, end), at);
  else for (let index = start; index < end; index++) into[at + index - start] = bytes[index] ?? 0;
  return at + end - start;
}
