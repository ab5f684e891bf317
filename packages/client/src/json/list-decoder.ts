import type { ListDecoder, ReuseFunction } from "./decoder.ts";
import { DecodeError } from "../errors/decode-errors.ts";
import { NetworkError } from "../errors/network-error.ts";
import { readIdentity } from "./identity.ts";
import { ItemMarker } from "./item-marker.ts";
import { ItemParser } from "./item-parser.ts";
import { listGrammar, type ListState } from "./list-grammar.ts";
import { ListMembers } from "./list-members.ts";
import type { ObjectLimit } from "./object-limit.ts";
import { skipSpace, skipString, skipValue, valueAfterKey } from "./scan.ts";
import { Utf8Window } from "./utf8-window.ts";

/**
 * A rest longer than this, in characters, is only scanned again after it has doubled, so that a
 * huge item costs O(its length).
 */
const rescanLimit = 128 * 1024;

/**
 * Decodes `{"kind":"PodList",...,"items":[{...},{...}],...}` from left to right and only keeps
 * unconsumed text. It rejects everything that `JSON.parse` rejects.
 *
 * ```
 *   #text:   consumed | {"metadata":{"name":"a"...}},{"metadata":{"name":"b"...   | not arrived
 *                     ^ #position                  ^ marker                       ^ end
 * ```
 *
 * The end of an item is guessed with a marker, see {@link ItemMarker}. A piece that starts at an
 * item and parses as an object is exactly that item, because JSON is prefix-free. The parsed text
 * may lack the item's managedFields: they are cut out so that the rest is a whole object only if
 * the piece is, see `findManagedFields`.
 */
export class JsonListDecoder<T> extends ListMembers implements ListDecoder<T> {
  readonly #parser: ItemParser<T>;
  readonly #limit: ObjectLimit;
  readonly #reuse: ReuseFunction<T> | undefined;
  readonly #marker = new ItemMarker();
  readonly #window = new Utf8Window();
  #state: ListState = "start";
  #text = "";
  #position = 0;
  /** Number of characters consumed before the text. */
  #offset = 0;
  /** Number of bytes below which the text is not scanned again. */
  #wanted = 0;

  constructor(
    stripManagedFields: boolean,
    limit: ObjectLimit,
    reuse: ReuseFunction<T> | undefined,
  ) {
    super();
    this.#parser = new ItemParser<T>(stripManagedFields);
    this.#limit = limit;
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
    this.checkIsList();
  }

  #advance(into: T[], all: boolean): void {
    this.#text = this.#window.take(all);
    this.#position = 0;
    this.#marker.beginText();
    while (this.#step(into));
    const rest = this.#text.slice(this.#position);
    this.#window.giveBack(rest);
    if (this.#window.length > this.#limit.maxBytes) throw this.#tooLarge();
    this.#offset += this.#position;
    this.#text = "";
    this.#wanted =
      rest.length > rescanLimit ? Math.min(rest.length * 2, this.#limit.maxBytes + 1) : 0;
  }

  /** Consumes one token or item. Returns false if it needs more text, or if the list is complete. */
  #step(into: T[]): boolean {
    this.#position = skipSpace(this.#text, this.#position);
    const character = this.#text.charAt(this.#position);
    if (character === "") return false;
    const [expected, next] = listGrammar[this.#state];
    const state = next[character];
    if (state === undefined) throw this.#unexpected(expected);
    if (character === '"') return this.#member();
    if (state === "item-end") return this.#item(into);
    if (state === "end") this.#parser.types.finish(this.apiVersion, this.kind);
    return this.#token(state);
  }

  #token(next: ListState): true {
    this.#position++;
    this.#state = next;
    return true;
  }

  #member(): boolean {
    const text = this.#text;
    const keyEnd = skipString(text, this.#position);
    if (keyEnd < 0) return false;
    const colon = skipSpace(text, keyEnd);
    if (colon < text.length && text.charAt(colon) !== ":") throw this.#unexpected("a colon");
    const start = valueAfterKey(text, keyEnd);
    if (start < 0) return false;
    const key = String(this.#parse(this.#position, keyEnd, "a key"));
    if (key === "items" && text.charAt(start) === "[") return this.#beginItems(start);
    const end = skipValue(text, start);
    if (end < 0) return false;
    const expected = this.take(key, this.#parse(start, end, `${key} as JSON`));
    if (expected !== undefined) throw this.#unexpected(expected);
    this.#position = end;
    this.#state = "member-end";
    return true;
  }

  #beginItems(start: number): true {
    const expected = this.take("items", null);
    if (expected !== undefined) throw this.#unexpected(expected);
    this.#parser.types.start(this.apiVersion, this.kind);
    this.#position = start + 1;
    this.#state = "first-item";
    return true;
  }

  #parse(start: number, end: number, expected: string): unknown {
    try {
      return JSON.parse(this.#text.slice(start, end));
    } catch (cause) {
      throw this.#unexpected(expected, { cause });
    }
  }

  #item(into: T[]): boolean {
    return this.#reuse === undefined ? this.#newItem(into) : this.#knownItem(this.#reuse, into);
  }

  #newItem(into: T[]): boolean {
    const text = this.#text;
    const start = this.#position;
    const hit = this.#marker.find(text, start);
    if (hit >= 0) {
      const object = this.#parser.tryParse(text, start, hit + 1);
      if (object !== undefined) {
        this.#checkSize(start, hit + 1);
        into.push(object);
        this.#position = this.#marker.nextItem(hit);
        this.#state = "item";
        return true;
      }
      this.#marker.refuse(hit);
    }
    const end = skipValue(text, start);
    if (end < 0) return false;
    this.#take(this.#parseItem(start, end), start, end, into);
    this.#marker.learn(text, start, end, this.#offset);
    return true;
  }

  #knownItem(reuse: ReuseFunction<T>, into: T[]): boolean {
    const start = this.#position;
    const end = skipValue(this.#text, start);
    if (end < 0) return false;
    const identity = readIdentity(this.#text, start);
    const known = identity === undefined ? undefined : reuse(identity);
    this.#take(known ?? this.#parseItem(start, end), start, end, into);
    return true;
  }

  #take(item: T, start: number, end: number, into: T[]): void {
    this.#checkSize(start, end);
    into.push(item);
    this.#position = end;
    this.#state = "item-end";
  }

  #parseItem(start: number, end: number): T {
    const object = this.#parser.tryParse(this.#text, start, end);
    if (object === undefined) throw this.#unexpected("an item as JSON");
    return object;
  }

  #checkSize(start: number, end: number): void {
    if (end - start <= this.#limit.safeLength) return;
    this.#limit.check("an item", this.#text.slice(start, end), this.#offset + start);
  }

  #tooLarge(): DecodeError {
    const what = this.#state.endsWith("item") ? "an item" : "a member of the list";
    return this.#unexpected(this.#limit.expected(what));
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
