import type { WatchDecoder } from "./decoder.ts";
import { DecodeError } from "../errors/decode-errors.ts";
import type { WatchEvent } from "../resource/list-watch.ts";
import { tryParse, tryParseStripped } from "./parse.ts";
import { findValue } from "./scan.ts";

/** Decodes one JSON object per line. The bytes may be cut anywhere, within a character too. */
export class JsonWatchDecoder<T> implements WatchDecoder<T> {
  readonly #stripManagedFields: boolean;
  readonly #utf8 = new TextDecoder();
  /**
   * Beginning of a line whose end has not arrived; joined once, so that a line of many chunks costs
   * O(its length).
   */
  #pending: string[] = [];
  /** Number of characters before the line that is read next. */
  #offset = 0;

  constructor(stripManagedFields: boolean) {
    this.#stripManagedFields = stripManagedFields;
  }

  write(chunk: Uint8Array, into: WatchEvent<T>[]): void {
    this.#lines(this.#utf8.decode(chunk, { stream: true }), into);
  }

  end(into: WatchEvent<T>[]): void {
    this.#lines(this.#utf8.decode(), into);
    const rest = this.#pending.join("");
    this.#pending = [];
    // JSON is prefix-free: a line that parses is complete without its newline, any other was cut.
    const event = this.#parse(rest, 0, rest.length);
    if (isWatchEvent<T>(event)) into.push(event);
  }

  #lines(text: string, into: WatchEvent<T>[]): void {
    let start = 0;
    for (;;) {
      const newline = text.indexOf("\n", start);
      if (newline < 0) break;
      if (this.#pending.length === 0) this.#line(text, start, newline, into);
      else {
        // Joined at once it is flat, as the search for fields needs it; see scan.ts.
        this.#pending.push(text.slice(start, newline));
        const line = this.#pending.join("");
        this.#pending = [];
        this.#line(line, 0, line.length, into);
      }
      start = newline + 1;
    }
    if (start < text.length) this.#pending.push(start === 0 ? text : text.slice(start));
  }

  #line(text: string, start: number, end: number, into: WatchEvent<T>[]): void {
    const event = this.#parse(text, start, end);
    if (isWatchEvent<T>(event)) into.push(event);
    else this.#refuse(text.slice(start, end), event);
    this.#offset += end - start + 1;
  }

  #refuse(line: string, value: unknown): void {
    if (line.trim() === "") return;
    const expected = value === undefined ? "as JSON" : "with type and object";
    throw new DecodeError(`a watch event ${expected}`, this.#offset, line);
  }

  #parse(text: string, start: number, end: number): unknown {
    if (this.#stripManagedFields) {
      const object = findValue(text, start, '"object"');
      if (object >= 0) return tryParseStripped(text, { start, end, object }, same);
    }
    return tryParse(text.slice(start, end));
  }
}

function same(text: string): string {
  return text;
}

function isWatchEvent<T>(value: unknown): value is WatchEvent<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    typeof value.type === "string" &&
    "object" in value &&
    typeof value.object === "object" &&
    value.object !== null
  );
}
