import { DecodeError } from "../errors/decode-errors.ts";
import type { ObjectLimit } from "./object-limit.ts";

type Expected = "key or end" | "key" | "colon" | "value" | "value or end" | "comma or end";

const scalar = /[-+.\w]/;

/** Finds the end of a JSON object or array in text that arrives in pieces. */
class ValueScanner {
  /** Closing brackets that are due, the next one last. */
  readonly #closers: string[] = [];
  #expected: Expected = "value";
  #isInString = false;
  #isEscape = false;
  #isInScalar = false;

  /**
   * Scans the next piece from a position.
   *
   * @returns the position after the value; -1 if it continues in the next piece; `undefined` if the
   *   text is not JSON, as far as brackets, quotes and separators show
   */
  scan(text: string, from: number): number | undefined {
    for (let position = from; position < text.length; position++) {
      const char = text.charAt(position);
      if (this.#isInString) {
        if (char < " ") return undefined;
        this.#takeOfString(char);
      } else if (" \t\r\n".includes(char)) this.#isInScalar = false;
      else if (!this.#isInScalar || !scalar.test(char)) {
        this.#isInScalar = false;
        if (!this.#take(char)) return undefined;
        if (this.#closers.length === 0) {
          this.#expected = "value";
          return position + 1;
        }
      }
    }
    return -1;
  }

  #takeOfString(char: string): void {
    if (this.#isEscape) this.#isEscape = false;
    else if (char === "\\") this.#isEscape = true;
    else if (char === '"') this.#isInString = false;
  }

  /** Takes a character outside of strings. Returns false if it is wrong here. */
  #take(char: string): boolean {
    const expected = this.#expected;
    if (char === this.#closers.at(-1)) {
      this.#closers.pop();
      this.#expected = "comma or end";
      return expected.endsWith("or end");
    }
    if (expected === "colon") return this.#next(char === ":", "value");
    if (expected === "comma or end") {
      return this.#next(char === ",", this.#closers.at(-1) === "}" ? "key" : "value");
    }
    if (char === '"') {
      this.#isInString = true;
      const isKey = expected.startsWith("key");
      return this.#next(this.#closers.length > 0, isKey ? "colon" : "comma or end");
    }
    if (!expected.startsWith("value")) return false;
    if (char === "{" || char === "[") {
      this.#closers.push(char === "{" ? "}" : "]");
      return this.#next(true, char === "{" ? "key or end" : "value or end");
    }
    this.#isInScalar = true;
    return this.#next(this.#closers.length > 0 && scalar.test(char), "comma or end");
  }

  #next(isRight: boolean, expected: Expected): boolean {
    this.#expected = expected;
    return isRight;
  }
}

/**
 * Splits the text of a watch into events wherever its line breaks are, as client-go reads it: for
 * servers that send several events in a line, or one over several lines.
 */
export class EventTexts {
  readonly #limit: ObjectLimit;
  readonly #scanner = new ValueScanner();
  /** Beginning of an incomplete event. */
  #pieces: string[] = [];
  #length = 0;
  #offset: number;

  /** @param offset position of the text in the body, for errors */
  constructor(limit: ObjectLimit, offset: number) {
    this.#limit = limit;
    this.#offset = offset;
  }

  /**
   * Calls `take` with the text of each event that is complete.
   *
   * @throws {DecodeError} if the text is not JSON, or an event is above the limit
   */
  write(text: string, take: (event: string, offset: number) => void): void {
    let start = 0;
    for (;;) {
      const end = this.#scanner.scan(text, start);
      const piece = text.slice(start, end === undefined || end < 0 ? undefined : end);
      this.#pieces.push(piece);
      this.#length += piece.length;
      if (end === undefined) {
        throw new DecodeError("a watch event as JSON", this.#offset, this.#joined());
      }
      if (this.#length > this.#limit.safeLength) {
        this.#limit.check("a watch event", this.#joined(), this.#offset);
      }
      if (end < 0) return;
      take(this.#joined(), this.#offset);
      this.#offset += this.#length;
      this.#pieces = [];
      this.#length = 0;
      start = end;
    }
  }

  #joined(): string {
    return this.#pieces.join("").trim();
  }
}
