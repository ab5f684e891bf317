import { isRecord } from "@listwatch/core-fifo/base";
import type { ReuseFunction, WatchDecoder } from "./decoder.ts";
import { DecodeError } from "../errors/decode-errors.ts";
import type { WatchEvent } from "../resource/list-watch.ts";
import { EventTexts, ValueScanner } from "./event-texts.ts";
import { readIdentity } from "./identity.ts";
import type { ObjectLimit } from "./object-limit.ts";
import { removeManagedFields, tryParse, tryParseStripped } from "./parse.ts";
import { findValue } from "./scan.ts";

/**
 * Decodes JSON objects, fastest with one per line. Chunks may end anywhere, even within a
 * character. In a streamed list, held objects are found by their identity and not parsed.
 */
export class JsonWatchDecoder<T> implements WatchDecoder<T> {
  readonly #stripManagedFields: boolean;
  readonly #limit: ObjectLimit;
  // JSON must not start with a byte order mark (RFC 8259 §8.1).
  readonly #utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  /** Used until the first bookmark, which ends a streamed list. */
  #reuse: ReuseFunction<T> | undefined;
  /**
   * Beginning of an incomplete line. Joined once, so that a line of many chunks costs O(its
   * length).
   */
  #pending: string[] = [];
  /** Number of bytes of that line. */
  #pendingBytes = 0;
  /** Number of characters before the next line. */
  #offset = 0;
  /** Scans the incomplete line, if a chunk ends where an event may end. */
  #scanner = new ValueScanner();
  #scanned = 0;
  /** Set after the first line that is not one event. */
  #texts: EventTexts | undefined;

  constructor(
    stripManagedFields: boolean,
    limit: ObjectLimit,
    reuse: ReuseFunction<T> | undefined,
  ) {
    this.#stripManagedFields = stripManagedFields;
    this.#limit = limit;
    this.#reuse = reuse;
  }

  write(chunk: Uint8Array, into: WatchEvent<T>[]): void {
    const text = this.#utf8.decode(chunk, { stream: true });
    this.#lines(text, into);
    if (this.#texts !== undefined) return;
    if (this.#pending.length > 0 && text.trimEnd().endsWith("}")) this.#takeWithoutNewline(into);
    const newline = chunk.lastIndexOf(newlineByte);
    const before = newline < 0 ? this.#pendingBytes : 0;
    this.#pendingBytes = this.#pending.length === 0 ? 0 : before + chunk.length - newline - 1;
    if (this.#pendingBytes <= this.#limit.maxBytes) return;
    throw this.#limit.error("a watch event", this.#pending[0] ?? "", this.#offset);
  }

  end(into: WatchEvent<T>[]): void {
    this.#lines(this.#utf8.decode(), into);
    // An event is complete without its newline; an incomplete one was cut.
    this.#loose(this.#joinPending(), into);
    this.#pendingBytes = 0;
  }

  #lines(text: string, into: WatchEvent<T>[]): void {
    let start = 0;
    for (;;) {
      if (this.#texts !== undefined) {
        this.#loose(text.slice(start), into);
        return;
      }
      const newline = text.indexOf("\n", start);
      if (newline < 0) break;
      if (this.#pending.length === 0) this.#line(text, start, newline, into);
      else {
        // Joined at once it is flat, as the search for fields requires; see scan.ts.
        this.#pending.push(text.slice(start, newline));
        const line = this.#joinPending();
        this.#line(line, 0, line.length, into);
      }
      start = newline + 1;
    }
    if (start < text.length) this.#pending.push(start === 0 ? text : text.slice(start));
  }

  /** Takes the incomplete line if it is a complete event: a server may not end its lines. */
  #takeWithoutNewline(into: WatchEvent<T>[]): void {
    for (; this.#scanned < this.#pending.length; this.#scanned++) {
      const piece = this.#pending[this.#scanned] ?? "";
      const end = this.#scanner.scan(piece, 0);
      if (end === undefined) break;
      if (end < 0) continue;
      const isLast = this.#scanned === this.#pending.length - 1 && piece.slice(end).trim() === "";
      const line = this.#joinPending();
      if (isLast) this.#line(line, 0, line.length, into);
      else this.#loose(line, into);
      // No newline was counted.
      this.#offset--;
      return;
    }
  }

  #joinPending(): string {
    const line = this.#pending.join("");
    this.#pending = [];
    this.#scanned = 0;
    this.#scanner = new ValueScanner();
    return line;
  }

  #loose(text: string, into: WatchEvent<T>[]): void {
    this.#texts ??= new EventTexts(this.#limit, this.#offset);
    this.#texts.write(text, (piece, offset) => {
      const event = this.#parse(piece, 0, piece.length);
      if (!isWatchEvent<T>(event)) throw refusal(piece, offset, event);
      into.push(event);
    });
  }

  #line(text: string, start: number, end: number, into: WatchEvent<T>[]): void {
    if (end - start > this.#limit.safeLength) {
      this.#limit.check("a watch event", text.slice(start, end), this.#offset);
    }
    // A parser takes a thousand times as long to reject it.
    if (!isBlank(text, start, end)) this.#event(text, start, end, into);
    this.#offset += end - start + 1;
  }

  #event(text: string, start: number, end: number, into: WatchEvent<T>[]): void {
    const event = this.#heldEvent(text, start, end) ?? this.#parse(text, start, end);
    if (event === undefined) {
      this.#loose(`${text.slice(start, end)}\n`, into);
      return;
    }
    if (!isWatchEvent<T>(event)) throw refusal(text.slice(start, end), this.#offset, event);
    into.push(event);
    if (event.type === "BOOKMARK") this.#reuse = undefined;
  }

  /** Returns the event of an object that is held in exactly this state. Its line is complete. */
  #heldEvent(text: string, start: number, end: number): WatchEvent<T> | undefined {
    if (this.#reuse === undefined || !text.slice(start, end).trimEnd().endsWith("}"))
      return undefined;
    const type = findValue(text, start, '"type"');
    if (type < 0 || !text.startsWith('"ADDED"', type)) return undefined;
    const object = findValue(text, start, '"object"');
    const identity = object < 0 || object >= end ? undefined : readIdentity(text, object);
    const held = identity && this.#reuse(identity);
    return held === undefined ? undefined : { type: "ADDED", object: held };
  }

  #parse(text: string, start: number, end: number): unknown {
    if (this.#stripManagedFields) {
      const object = findValue(text, start, '"object"');
      const event =
        object < 0
          ? tryParse(text.slice(start, end))
          : tryParseStripped(text, { start, end, object }, same);
      if (isWatchEvent<T>(event)) removeManagedFields(event.object);
      return event;
    }
    return tryParse(text.slice(start, end));
  }
}

const newlineByte = 0x0a;

/** Whether a line only contains spaces, tabs and carriage returns. */
function isBlank(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    if (!" \t\r".includes(text[index] ?? "")) return false;
  }
  return true;
}

/** Creates the error for a string that is not an event. */
export function refusal(text: string, offset: number, value: unknown): DecodeError {
  const expected = value === undefined ? "as JSON" : "with type and object";
  return new DecodeError(`a watch event ${expected}`, offset, text);
}

function same(text: string): string {
  return text;
}

/** Whether a value is an event of a watch, of any type. */
export function isWatchEvent<T>(value: unknown): value is WatchEvent<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    "type" in value &&
    typeof value.type === "string" &&
    "object" in value &&
    isRecord(value.object)
  );
}
