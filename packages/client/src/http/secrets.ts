import { isRecord, ListwatchError } from "@listwatch/core-fifo/base";
import { withoutUserInformation } from "./address.ts";

/** Headers without credentials. They often occur in helpful messages. */
const harmless =
  /^(accept|accept-encoding|accept-language|content-type|content-length|user-agent|impersonate-.*)$/;

/** Shorter values are words that occur by chance. */
const minLength = 4;
/** Length of the pieces by which a truncated long value is recognised. */
const pieceLength = 8;
/** Values of this length do not occur by chance; shorter ones may be parts of other words. */
const longLength = 12;
/** Maximum number of nested causes of an error that are kept. They may be circular. */
const maxDepth = 8;
/** Maximum depth of JSON values. A Status is three deep. */
const maxJsonDepth = 100;
/** Maximum number of values: those of several credentials and their renewals. */
const maxValues = 64;

/**
 * Values that messages must not contain: headers that a connection adds, and user information in
 * addresses. Servers and proxies echo headers, and transports quote values that they could not
 * send.
 */
export class Secrets {
  readonly #values = new Set<string>();
  /** Pieces of the values, which rule out most strings quickly. Created on demand. */
  #pieces: ReadonlySet<string> | undefined;
  /** Longer pieces of long values. Each of them is hidden. */
  #longPieces: ReadonlySet<string> = new Set();

  /** Learns the headers of a request after it was sent. */
  learn(headers: Headers): void {
    for (const [name, value] of headers) {
      if (harmless.test(name) || value.length < minLength || this.#values.has(value)) continue;
      for (const form of formsOf(value)) this.#keep(form);
      this.#pieces = undefined;
    }
  }

  /**
   * Returns a string without secrets, or the same string if it contains none. O(length) if it
   * contains none.
   */
  hide(text: string): string {
    let shown = withoutUserInformation(text);
    if (!this.#mayBeIn(shown)) return shown;
    // Long ones first: a value may be part of another.
    shown = withoutPieces(shown, this.#longPieces);
    const short = [...this.#values].filter((value) => value.length < longLength);
    for (const value of short.toSorted((a, b) => b.length - a.length)) {
      shown = withoutValue(shown, value);
    }
    return shown;
  }

  /**
   * Returns a JSON value whose strings contain no secrets. Machine-readable reasons stay. Parts
   * deeper than any response of an API server are dropped.
   */
  hideIn<T>(value: T, depth?: number): T;
  hideIn(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.hide(value);
    if (typeof value !== "object" || value === null) return value;
    if (depth > maxJsonDepth) return undefined;
    if (Array.isArray(value)) return value.map((item) => this.hideIn<unknown>(item, depth + 1));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        this.hide(name),
        name === "reason" ? member : this.hideIn(member, depth + 1),
      ]),
    );
  }

  /**
   * Removes secrets from a thrown value. An error of listwatch is changed, any other is replaced by
   * an equivalent one. Checks everything that an inspection could show.
   */
  hideInError(error: unknown, depth = 0): unknown {
    if (!this.#isIn(error, new Set())) return error;
    if (!(error instanceof Error)) return new Error(this.hide(safeText(error)));
    if (error instanceof ListwatchError) this.#hideInMembers(error, depth);
    return this.#isIn(error, new Set()) ? this.#copy(error, depth) : error;
  }

  #hideInMembers(error: ListwatchError, depth: number): void {
    for (const key of Reflect.ownKeys(error)) {
      const value: unknown = Reflect.get(error, key);
      const shown = value instanceof Error ? this.#causeOf(value, depth) : this.hideIn(value);
      Reflect.defineProperty(error, key, { value: shown, configurable: true, writable: true });
    }
  }

  #copy({ name, message, stack = "", cause, ...rest }: Error, depth: number): Error {
    const copy = new Error(
      this.hide(message),
      cause === undefined ? {} : { cause: this.#causeOf(cause, depth) },
    );
    const members: PropertyDescriptorMap = {
      name: { value: this.hide(name) },
      stack: { value: this.hide(stack) },
    };
    // Network errors use it to describe the failure.
    if ("code" in rest && typeof rest.code === "string") {
      members["code"] = { value: this.hide(rest.code), enumerable: true };
    }
    return Object.defineProperties(copy, members);
  }

  #causeOf(cause: unknown, depth: number): unknown {
    return depth < maxDepth ? this.hideInError(cause, depth + 1) : undefined;
  }

  #mayBeIn(text: string): boolean {
    if (this.#pieces === undefined) {
      const values = [...this.#values];
      this.#pieces = new Set(values.flatMap((value) => piecesOf(value, minLength)));
      const long = values.filter((value) => value.length >= longLength);
      this.#longPieces = new Set(long.flatMap((value) => piecesOf(value, pieceLength)));
    }
    if (this.#pieces.size === 0) return false;
    for (let start = 0; start + minLength <= text.length; start++) {
      if (this.#pieces.has(text.slice(start, start + minLength))) return true;
    }
    return false;
  }

  #keep(value: string): void {
    this.#values.delete(value);
    this.#values.add(value);
    const [oldest] = this.#values;
    if (this.#values.size > maxValues && oldest !== undefined) this.#values.delete(oldest);
  }

  /** Whether an inspection of a value could show a secret. */
  #isIn(value: unknown, seen: Set<unknown>, depth = 0): boolean {
    if (typeof value === "string") return this.hide(value) !== value;
    if (typeof value !== "object" || value === null || seen.has(value)) return false;
    seen.add(value);
    // Larger values are not searched, so they may contain secrets.
    if (seen.size > 10_000 || depth > maxJsonDepth) return true;
    if (value instanceof Headers)
      return [...value].some((field) => this.#isIn(field, seen, depth + 1));
    if (value instanceof Request || value instanceof Response) {
      return this.#isIn(value.headers, seen, depth) || this.#isIn(value.url, seen, depth);
    }
    if (value instanceof Map || value instanceof Set) {
      return [...value].some((item) => this.#isIn(item, seen, depth + 1));
    }
    if (ArrayBuffer.isView(value)) return false;
    return Reflect.ownKeys(value).some((key) => this.#isIn(ownValue(value, key), seen, depth + 1));
  }
}

/** Returns the value of an own property, without calling a getter of other code. */
function ownValue(object: object, key: string | symbol): unknown {
  const descriptor = Reflect.getOwnPropertyDescriptor(object, key);
  // The stack of an error is a getter in some runtimes.
  if (key === "stack" && object instanceof Error) return object.stack;
  return descriptor?.value;
}

function safeText(value: unknown): string {
  try {
    return String(value);
  } catch {
    return "a value that is no text";
  }
}

/** Returns a header value in all forms in which it may occur in a string. */
function formsOf(value: string): readonly string[] {
  const [scheme = "", ...rest] = value.split(" ");
  const token = rest.join(" ").trim();
  const parts = value.split(/[\s,;=]+/).filter((part) => part.length >= pieceLength);
  const forms = [value, token, ...parts];
  if (scheme.toLowerCase() === "basic") forms.push(...basicForms(token));
  return forms
    .flatMap((form) => [form, JSON.stringify(form).slice(1, -1), encodeURIComponent(form)])
    .filter((form) => form.length >= minLength);
}

function basicForms(token: string): readonly string[] {
  try {
    const decoded = atob(token);
    return [decoded, decoded.slice(decoded.indexOf(":") + 1)];
  } catch {
    return [];
  }
}

function piecesOf(value: string, length: number): readonly string[] {
  const count = value.length - length + 1;
  return Array.from({ length: count }, (_, start) => value.slice(start, start + length));
}

function withoutValue(text: string, value: string): string {
  const literal = value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(`(?<![a-z0-9])${literal}(?![a-z0-9])`, "gi"), "…");
}

/**
 * Removes long values, and pieces of them where a message only shows their beginning or end.
 * O(length), even if a server repeats a piece.
 */
function withoutPieces(text: string, pieces: ReadonlySet<string>): string {
  let shown = "";
  let position = 0;
  for (let index = 0; index + pieceLength <= text.length; index++) {
    if (!pieces.has(text.slice(index, index + pieceLength))) continue;
    // Pieces of one value overlap.
    if (index >= position) shown += `${text.slice(position, index)}…`;
    position = index + pieceLength;
  }
  return shown + text.slice(position);
}
