import { goQuote } from "../base/go-text.ts";
import { MalformedBodyError } from "./errors.ts";

/** Result of scanning JSON. */
export interface JsonScan {
  /** The message of Go's encoding/json for the first syntax error. */
  readonly error: string | undefined;
  /** Paths of keys that occur twice in an object ("spec.ports[0].name"), each once. */
  readonly duplicates: readonly string[];
  /** Paths of integers that `JSON.parse` rounds to others. */
  readonly rounded: readonly string[];
}

/** Go's encoding/json refuses deeper nesting (scanner.go, maxNestingDepth). */
export const maxDepth = 10_000;
/** Also used when the stack of this runtime ends earlier. */
const tooDeep = "exceeded max depth";
const endOfInput = "unexpected end of JSON input";

/** Finds syntax errors and duplicate keys; slower than `JSON.parse`, so only for texts that need it. */
export function scanJson(text: string): JsonScan {
  return new JsonScanner(text).scan();
}

/** Returns the paths of all keys of JSON in the order of the text, such as `spec.ports[0].name`. */
export function keyPathsOf(text: string): readonly string[] {
  const paths: string[] = [];
  new JsonScanner(text, (path) => void paths.push(path)).scan();
  return paths;
}

/** Returns the message of Go's encoding/json for bytes that are not JSON, undefined for JSON. */
export function describeJsonError(bytes: Uint8Array): string | undefined {
  // One character per byte: Go reports single bytes, also inside of a longer UTF-8 sequence.
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return new JsonScanner(text).scan().error;
}

/** An integer that JavaScript may not be able to represent: 2^53 has 16 digits. */
const longInteger = /^-?\d{16,}$/;
/** Finds texts that may contain one. */
const mayHaveLongInteger = /[[,:]\s*-?\d{16}/;

/**
 * Returns a warning for JSON whose integers beyond 2^53 are rounded, which no API server does;
 * `undefined` if it keeps all.
 */
export function roundingWarning(text: string): string | undefined {
  if (!mayHaveLongInteger.test(text)) return undefined;
  const { error, rounded } = scanJson(text);
  const [first] = rounded;
  if (error !== undefined || first === undefined) return undefined;
  const others = rounded.length === 1 ? "" : ` and ${rounded.length - 1} more`;
  return `the fake API server has rounded the integer ${first}${others}: it keeps none beyond 2^53`;
}

class JsonScanner {
  readonly #text: string;
  readonly #onKey: (path: string) => void;
  readonly #duplicates = new Set<string>();
  readonly #rounded: string[] = [];
  #position = 0;
  #depth = 0;

  constructor(text: string, onKey: (path: string) => void = () => {}) {
    this.#text = text;
    this.#onKey = onKey;
  }

  scan(): JsonScan {
    let error: string | undefined;
    try {
      this.#scanValue("");
      this.#skipSpace();
      if (this.#position < this.#text.length) throw this.#unexpected("after top-level value");
    } catch (failure) {
      if (failure instanceof RangeError) error = tooDeep;
      else if (failure instanceof MalformedBodyError) error = failure.message;
      else throw failure;
    }
    return { error, duplicates: [...this.#duplicates], rounded: this.#rounded };
  }

  #scanValue(path: string): void {
    this.#skipSpace();
    const character = this.#peek();
    if (character === "{") this.#scanObject(path);
    else if (character === "[") this.#scanArray(path);
    else if (character === '"') this.#scanText();
    else if (character === "t") this.#scanLiteral("true");
    else if (character === "f") this.#scanLiteral("false");
    else if (character === "n") this.#scanLiteral("null");
    else if (character === "-" || isDigit(character)) this.#noteNumber(path);
    else throw this.#unexpected("looking for beginning of value");
  }

  #scanObject(path: string): void {
    this.#enter();
    this.#skipSpace();
    if (this.#peek() === "}") return this.#leave();
    const seen = new Set<string>();
    for (;;) {
      this.#skipSpace();
      if (this.#peek() !== '"')
        throw this.#unexpected("looking for beginning of object key string");
      const key = this.#scanText();
      const keyPath = path === "" ? key : `${path}.${key}`;
      if (seen.has(key)) this.#duplicates.add(keyPath);
      seen.add(key);
      this.#onKey(keyPath);
      this.#skipSpace();
      if (this.#peek() !== ":") throw this.#unexpected("after object key");
      this.#position++;
      this.#scanValue(keyPath);
      this.#skipSpace();
      const separator = this.#peek();
      if (separator === "}") return this.#leave();
      if (separator !== ",") throw this.#unexpected("after object key:value pair");
      this.#position++;
    }
  }

  #scanArray(path: string): void {
    this.#enter();
    this.#skipSpace();
    if (this.#peek() === "]") return this.#leave();
    for (let index = 0; ; index++) {
      this.#scanValue(`${path}[${index}]`);
      this.#skipSpace();
      const separator = this.#peek();
      if (separator === "]") return this.#leave();
      if (separator !== ",") throw this.#unexpected("after array element");
      this.#position++;
    }
  }

  /** Reads a string and returns its content; errors in it are reported where Go reports them. */
  #scanText(): string {
    const start = this.#position++;
    for (;;) {
      const character = this.#peek();
      if (character === '"') break;
      if (character === "\\") this.#scanEscape();
      else if (character < " ") throw this.#unexpected("in string literal");
      else this.#position++;
    }
    this.#position++;
    const content: unknown = JSON.parse(this.#text.slice(start, this.#position));
    return String(content);
  }

  #scanEscape(): void {
    this.#position++;
    const character = this.#peek();
    if (!'"\\/bfnrtu'.includes(character)) throw this.#unexpected("in string escape code");
    this.#position++;
    if (character !== "u") return;
    for (let digits = 0; digits < 4; digits++) {
      if (!/[0-9a-fA-F]/.test(this.#peek())) {
        throw this.#unexpected("in \\u hexadecimal character escape");
      }
      this.#position++;
    }
  }

  #scanLiteral(word: string): void {
    for (let index = 0; index < word.length; index++) {
      const expected = word.charAt(index);
      if (this.#peek() !== expected) {
        const context =
          index === 0 ? "" : `in literal ${word} (expecting ${quoteCharacter(expected)})`;
        throw this.#unexpected(context);
      }
      this.#position++;
    }
  }

  #noteNumber(path: string): void {
    const start = this.#position;
    this.#scanNumber();
    const digits = this.#text.slice(start, this.#position);
    if (!longInteger.test(digits)) return;
    const value = Number(digits);
    const isSame = Number.isFinite(value) && BigInt(value) === BigInt(digits);
    if (!isSame) this.#rounded.push(path);
  }

  #scanNumber(): void {
    if (this.#peek() === "-") {
      this.#position++;
      if (!isDigit(this.#peek())) throw this.#unexpected("in numeric literal");
    }
    if (this.#peek() === "0") this.#position++;
    else this.#skipDigits();
    if (this.#text.charAt(this.#position) === ".") {
      this.#position++;
      if (!isDigit(this.#peek())) throw this.#unexpected("after decimal point in numeric literal");
      this.#skipDigits();
    }
    if (!/[eE]/.test(this.#text.charAt(this.#position))) return;
    this.#position++;
    if (/[+-]/.test(this.#peek())) this.#position++;
    if (!isDigit(this.#peek())) throw this.#unexpected("in exponent of numeric literal");
    this.#skipDigits();
  }

  #skipDigits(): void {
    while (isDigit(this.#text.charAt(this.#position))) this.#position++;
  }

  #skipSpace(): void {
    while (/[ \t\r\n]/.test(this.#text.charAt(this.#position))) this.#position++;
  }

  #enter(): void {
    this.#position++;
    this.#depth++;
    if (this.#depth > maxDepth) throw new MalformedBodyError(tooDeep);
  }

  #leave(): void {
    this.#position++;
    this.#depth--;
  }

  /** The current character; throws at the end of the text. */
  #peek(): string {
    if (this.#position >= this.#text.length) throw new MalformedBodyError(endOfInput);
    return this.#text.charAt(this.#position);
  }

  #unexpected(context: string): MalformedBodyError {
    const character = quoteCharacter(this.#text.charAt(this.#position));
    return new MalformedBodyError(`invalid character ${character} ${context}`);
  }
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

/** A character as Go's scanner quotes it. */
function quoteCharacter(character: string): string {
  if (character === "'") return "'\\''";
  if (character === '"') return "'\"'";
  return `'${goQuote(character).slice(1, -1)}'`;
}
