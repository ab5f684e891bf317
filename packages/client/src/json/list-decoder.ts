import type { ListDecoder, ReuseFunction } from "./decoder.ts";
import { DecodeError, NotAListError } from "../errors/decode-errors.ts";
import { NetworkError } from "../errors/network-error.ts";
import type { ListMeta } from "../resource/list-watch.ts";
import { readIdentity } from "./identity.ts";
import { ItemParser } from "./item-parser.ts";
import { nextKey, skipSpace, skipString, skipValue, valueAfterKey } from "./scan.ts";
import { Utf8Window } from "./utf8-window.ts";

/**
 * A rest longer than this, in characters, is not scanned again before it has doubled, so that a
 * huge item costs O(its length).
 */
const rescanLimit = 128 * 1024;

/**
 * Decodes `{"kind":"PodList",...,"items":[{...},{...}],...}` from left to right and keeps only the
 * text that is not consumed.
 *
 * ```
 *   #text:   consumed | {"metadata":{"name":"a"...}},{"metadata":{"name":"b"...   | not arrived
 *                     ^ #position                  ^ marker                       ^ end
 * ```
 *
 * The end of an item is found by a search for the marker: `},` and the beginning of the first item.
 * That is faster than counting brackets. The marker cannot occur within a string, where its quotes
 * would be escaped, but it can within an item: then the piece does not parse, and brackets are
 * counted from there on. A piece that begins at an item and parses as an object is exactly that
 * item, because JSON is prefix-free.
 */
export class JsonListDecoder<T> implements ListDecoder<T> {
  apiVersion: string | undefined;
  kind: string | undefined;
  metadata: ListMeta | undefined;

  readonly #parser: ItemParser<T>;
  readonly #reuse: ReuseFunction<T> | undefined;
  readonly #window = new Utf8Window();
  #state: "start" | "members" | "items" | "end" = "start";
  #text = "";
  #position = 0;
  /** Number of characters that were consumed before the text. */
  #offset = 0;
  /** Number of bytes below which the text is not scanned again. */
  #wanted = 0;
  #marker: string | undefined;
  #markerFails = false;
  #hasItems = false;

  constructor(stripManagedFields: boolean, reuse: ReuseFunction<T> | undefined) {
    this.#parser = new ItemParser<T>(stripManagedFields);
    this.#reuse = reuse;
  }

  write(chunk: Uint8Array, into: T[]): void {
    this.#window.append(chunk);
    if (this.#window.length >= this.#wanted) this.#advance(into, false);
  }

  end(into: T[]): void {
    this.#advance(into, true);
    if (this.#state !== "end") {
      throw new NetworkError(
        "unexpected-eof",
        `Cannot read the list: it ended after ${this.#offset} characters, in the middle`,
      );
    }
    if (!this.#hasItems && this.kind?.endsWith("List") !== true && this.kind !== "Table") {
      throw new NotAListError(`an object of kind ${JSON.stringify(this.kind) ?? "undefined"}`);
    }
  }

  #advance(into: T[], all: boolean): void {
    this.#text = this.#window.take(all);
    this.#position = 0;
    while (this.#step(into));
    this.#offset += this.#position;
    const rest = this.#text.slice(this.#position);
    this.#text = "";
    this.#window.giveBack(rest);
    this.#wanted = rest.length > rescanLimit ? rest.length * 2 : 0;
  }

  /** Consumes one member or item; false if more text is needed, or if the list is complete. */
  #step(into: T[]): boolean {
    this.#position = skipSpace(this.#text, this.#position);
    const character = this.#text.charAt(this.#position);
    if (character === "") return false;
    switch (this.#state) {
      case "start":
        if (character !== "{") throw this.#unexpected("a list as JSON");
        this.#position++;
        this.#state = "members";
        return true;
      case "members":
        return this.#member(character);
      case "items":
        return this.#item(character, into);
      case "end":
        break;
    }
    throw this.#unexpected("the end of the list");
  }

  #member(character: string): boolean {
    if (character === "}") {
      this.#position++;
      this.#state = "end";
      this.#parser.finish(this.apiVersion, this.kind);
      return true;
    }
    const keyStart = nextKey(this.#text, this.#position);
    if (keyStart < 0) {
      if (skipSpace(this.#text, this.#position + 1) >= this.#text.length) return false;
      throw this.#unexpected("a member of the list");
    }
    const keyEnd = skipString(this.#text, keyStart);
    const valueStart = keyEnd < 0 ? -1 : valueAfterKey(this.#text, keyEnd);
    if (valueStart < 0) return false;
    const key = this.#text.slice(keyStart + 1, keyEnd - 1);
    if (key === "items" && this.#text.charAt(valueStart) === "[") {
      this.#position = valueStart + 1;
      this.#state = "items";
      this.#hasItems = true;
      this.#parser.start(this.apiVersion, this.kind);
      return true;
    }
    const end = skipValue(this.#text, valueStart);
    if (end < 0) return false;
    if (key === "items" || key === "kind" || key === "apiVersion" || key === "metadata") {
      this.#value(key, valueStart, end);
    }
    this.#position = end;
    return true;
  }

  #value(key: string, start: number, end: number): void {
    let value: unknown;
    try {
      value = JSON.parse(this.#text.slice(start, end));
    } catch (cause) {
      throw this.#unexpected(`${key} as JSON`, { cause });
    }
    if (key === "items") {
      // Go writes an absent array as null.
      if (value !== null) throw new NotAListError(`items of type ${typeof value}`);
      this.#hasItems = true;
    } else if (key === "metadata") {
      if (typeof value === "object" && value !== null) this.metadata = value;
    } else if (typeof value === "string") {
      if (key === "kind") this.kind = value;
      else this.apiVersion = value;
    }
  }

  #item(character: string, into: T[]): boolean {
    if (character === ",") {
      this.#position++;
      return true;
    }
    if (character === "]") {
      this.#position++;
      this.#state = "members";
      return true;
    }
    if (character !== "{") throw this.#unexpected("an object in items");
    return this.#reuse === undefined ? this.#newItem(into) : this.#knownItem(this.#reuse, into);
  }

  #newItem(into: T[]): boolean {
    const text = this.#text;
    const start = this.#position;
    if (this.#marker !== undefined) {
      const hit = text.indexOf(this.#marker, start + 1);
      if (hit >= 0) {
        const object = this.#parser.tryParse(text, start, hit + 1);
        if (object !== undefined) {
          into.push(object);
          this.#position = hit + 2;
          return true;
        }
        this.#marker = undefined;
        this.#markerFails = true;
      }
    }
    const end = skipValue(text, start);
    if (end < 0) return false;
    into.push(this.#parse(start, end));
    if (this.#marker === undefined && !this.#markerFails) this.#marker = learnMarker(text, start);
    this.#position = end;
    return true;
  }

  #knownItem(reuse: ReuseFunction<T>, into: T[]): boolean {
    const start = this.#position;
    const end = skipValue(this.#text, start);
    if (end < 0) return false;
    const identity = readIdentity(this.#text, start);
    const known = identity === undefined ? undefined : reuse(identity);
    into.push(known ?? this.#parse(start, end));
    this.#position = end;
    return true;
  }

  #parse(start: number, end: number): T {
    const object = this.#parser.tryParse(this.#text, start, end);
    if (object === undefined) throw this.#unexpected("an item as JSON");
    return object;
  }

  #unexpected(expected: string, options?: ErrorOptions): DecodeError {
    const from = this.#position;
    return new DecodeError(
      expected,
      this.#offset + from,
      this.#text.slice(from, from + 200),
      options,
    );
  }
}

/**
 * Returns the text between two items: `},` and the beginning of the first item up to the first key
 * of its metadata, behind which the values differ.
 */
function learnMarker(text: string, start: number): string | undefined {
  const beginning = text.slice(start, start + 200);
  const metadata = /^[^[\]]*?"metadata":\{"\w+":/.exec(beginning);
  const prefix = metadata?.[0] ?? /^\{"\w+":/.exec(beginning)?.[0];
  return prefix === undefined ? undefined : `},${prefix}`;
}
