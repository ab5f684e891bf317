import {
  backslash,
  closeBrace,
  closes,
  colon,
  comma,
  openBrace,
  opens,
  quote,
  skipSpaceBackFrom,
  skipSpaceFrom,
  type Structure,
} from "../structure/structure.ts";

/** Number of names that are compared with those of the previous object. */
const maxPlaces = 64;
const maxNameLength = 256;
/** Maximum number of names that objects share. */
const maxNames = 1000;

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** Whether the text contains these bytes at this position. */
export function isAt(bytes: Uint8Array, start: number, wanted: Uint8Array): boolean {
  for (let index = 0; index < wanted.length; index++) {
    if (bytes[start + index] !== wanted[index]) return false;
  }
  return true;
}

/** Whether a byte in a string stands for itself. Control characters are not allowed in strings. */
export function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte !== backslash;
}

/** Names of members. Most objects have the same ones in the same order. */
class MemberNames {
  readonly #bytes: Uint8Array[] = [];
  readonly #names: string[] = [];
  readonly #known = new Map<string, string>();

  /** Returns the name between two quotes; `undefined` if it is written with escapes. */
  at(place: number, bytes: Uint8Array, start: number, end: number): string | undefined {
    const before = this.#bytes[place];
    if (before?.length === end - start && isAt(bytes, start, before)) return this.#names[place];
    const text = bytes.slice(start, end);
    if (!text.every(isPlain)) return undefined;
    const read = utf8.decode(text);
    const name = this.#known.get(read) ?? read;
    if (text.length >= maxNameLength) return name;
    if (this.#known.size < maxNames) this.#known.set(name, name);
    if (place < maxPlaces) {
      this.#bytes[place] = text;
      this.#names[place] = name;
    }
    return name;
  }
}

/**
 * Members of one object at a time, as positions in the text. The arrays are filled up to `count`
 * and reused for the next object.
 */
export class ObjectMembers {
  readonly names: string[] = [];
  /** Start and end of each value, without white space around it. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  /** Record after the colon: the first one of a value that is an object or an array. */
  readonly records: number[] = [];
  count = 0;
  /** Record of the `}` of the object. */
  last = 0;
  readonly #names = new MemberNames();

  /**
   * Reads the members of the object whose `{` is this record.
   *
   * @returns whether it is a complete object in the usual form; names with escapes, the name
   *   `__proto__`, and text that is not JSON between members are unusual
   */
  read({ bytes, records, count: total }: Structure, record: number): boolean {
    const open = records[record] ?? 0;
    if (bytes[open] !== openBrace) return false;
    let next = record + 1;
    let from = open + 1;
    // Records from `total` on are those of earlier text.
    for (let place = 0; next < total; place++) {
      const end = records[next] ?? 0;
      const keyStart = skipSpaceFrom(bytes, from, end);
      if (bytes[end] !== colon) {
        this.count = place;
        this.last = next;
        return place === 0 && keyStart === end && bytes[end] === closeBrace;
      }
      const keyEnd = skipSpaceBackFrom(bytes, keyStart, end);
      if (keyEnd - keyStart < 2 || bytes[keyStart] !== quote || bytes[keyEnd - 1] !== quote) {
        return false;
      }
      const name = this.#names.at(place, bytes, keyStart + 1, keyEnd - 1);
      if (name === undefined || name === "__proto__") return false;
      next++;
      this.names[place] = name;
      this.records[place] = next;
      next = endOfValue(bytes, records, next, total);
      if (next < 0 || next >= total) return false;
      const close = records[next] ?? 0;
      const start = skipSpaceFrom(bytes, end + 1, close);
      this.starts[place] = start;
      this.ends[place] = skipSpaceBackFrom(bytes, start, close);
      if (bytes[close] === closeBrace) {
        this.count = place + 1;
        this.last = next;
        return true;
      }
      if (bytes[close] !== comma) return false;
      next++;
      from = close + 1;
    }
    return false;
  }

  /** Returns the place of a member; -1 if there is none of that name. */
  placeOf(name: string): number {
    for (let place = 0; place < this.count; place++) {
      if (this.names[place] === name) return place;
    }
    return -1;
  }
}

/**
 * Returns the record that ends a value: the comma or closing bracket after it. `record` is the
 * first record of the value, if it has one. Returns `count` if the end has not arrived, and -1 if a
 * second value follows without a comma.
 */
export function endOfValue(
  bytes: Uint8Array,
  records: Int32Array,
  first: number,
  count: number,
): number {
  let depth = 0;
  let hasClosed = false;
  for (let record = first; record < count; record++) {
    const byte = bytes[records[record] ?? 0] ?? 0;
    if (opens(byte)) {
      if (hasClosed && depth === 0) return -1;
      depth++;
    } else if (depth === 0) return record;
    else if (closes(byte)) {
      depth--;
      hasClosed = true;
    }
  }
  return count;
}
