import type { WatchDecoder } from "../decoder.ts";
import { DecodeError } from "../errors.ts";
import type { WatchEvent } from "../lister-watcher.ts";
import { cutManagedFields, findMember } from "./json-scan.ts";

/** One JSON object a line. The bytes may be cut anywhere, within a character too. */
export class JsonWatchDecoder<T> implements WatchDecoder<T> {
  readonly #stripManagedFields: boolean;
  readonly #utf8 = new TextDecoder();
  /** Beginning of a line whose end has not come; joined once, so that a line of many chunks costs its length. */
  #pending: string[] = [];
  /** Characters before the line that is read next. */
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
    // JSON is prefix-free: what parses is whole although its newline is missing, anything else was cut.
    const event = this.#parse(rest);
    if (event !== undefined && isWatchEvent<T>(event)) into.push(event);
  }

  #lines(text: string, into: WatchEvent<T>[]): void {
    let start = 0;
    for (;;) {
      const newline = text.indexOf("\n", start);
      if (newline < 0) break;
      let line = text.slice(start, newline);
      if (this.#pending.length > 0) {
        line = this.#pending.join("") + line;
        this.#pending = [];
      }
      start = newline + 1;
      this.#line(line, into);
      this.#offset += line.length + 1;
    }
    if (start < text.length) this.#pending.push(start === 0 ? text : text.slice(start));
  }

  #line(line: string, into: WatchEvent<T>[]): void {
    const event = this.#parse(line);
    if (event === undefined) {
      if (line.trim() === "") return;
      throw new DecodeError("a watch event as JSON", this.#offset, line);
    }
    if (!isWatchEvent<T>(event)) {
      throw new DecodeError("a watch event with type and object", this.#offset, line);
    }
    into.push(event);
  }

  #parse(line: string): unknown {
    try {
      return JSON.parse(this.#stripManagedFields ? strip(line) : line);
    } catch {
      return undefined;
    }
  }
}

function strip(line: string): string {
  const object = findMember(line, 0, "object");
  return object === undefined ? line : cutManagedFields(line, object.valueStart);
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
