import { ListwatchError, stringOf } from "@listwatch/core-fifo/base";
import { withoutUserInformation } from "./address.ts";

/** Headers without credentials. They often occur in helpful messages. */
const harmless = /^(accept(-encoding|-language)?|content-(type|length)|user-agent|impersonate-.*)$/;

/** Shorter values are words that occur by chance. */
const minLength = 4;
/** Length of the pieces by which a truncated long value is recognised. */
const pieceLength = 8;
/** Values of this length do not occur by chance; shorter ones may be parts of other words. */
const longLength = 12;
/** Maximum depth of a value, as of the causes of an error. A Status is three deep. */
const maxDepth = 100;
/** Maximum number of objects that are searched in a value. */
const maxObjects = 10_000;
/** Maximum number of headers: those of several credentials and their renewals. */
const maxHeaders = 64;

/**
 * Values that messages must not contain: headers that a connection adds, and user information in
 * addresses. Servers and proxies echo headers, and transports quote values that they could not
 * send.
 */
export class Secrets {
  /** Values of headers, the latest last. */
  readonly #headers = new Set<string>();
  /** Created on demand. */
  #patterns: Patterns | undefined;

  /** Learns the headers of a request after it was sent. */
  learn(fields: Iterable<readonly [string, string]>): void {
    for (const [name, value] of fields) {
      if (harmless.test(name) || value.length < minLength || this.#headers.has(value)) continue;
      this.#headers.add(value);
      const [oldest] = this.#headers;
      if (this.#headers.size > maxHeaders && oldest !== undefined) this.#headers.delete(oldest);
      this.#patterns = undefined;
    }
  }

  /**
   * Returns a value without secrets: a string, a JSON value or anything that was thrown. It is the
   * same value if no inspection of it could show a secret. An error of listwatch is changed, any
   * other error is replaced by one with its main members. O(size).
   */
  hideIn<T>(value: T): T;
  hideIn(value: unknown): unknown {
    const patterns = (this.#patterns ??= patternsOf([...this.#headers].flatMap(formsOf)));
    const search = new SecretlessCopy(patterns, { isSearch: true });
    search.of(value);
    return search.isDifferent ? new SecretlessCopy(patterns, { isSearch: false }).of(value) : value;
  }
}

/** Members of another program's error that its copy has. Network errors are recognised by them. */
const errorMembers: readonly unknown[] = ["name", "message", "stack", "cause", "code"];

/** One pass through a value and everything that an inspection of it could show. */
class SecretlessCopy {
  /** Whether the value contains a secret, or a part that is too large to be searched. */
  isDifferent = false;
  readonly #patterns: Patterns;
  /** Whether errors of listwatch must not be changed. */
  readonly #isSearch: boolean;
  /** Copies of objects. Objects may form a circle. */
  readonly #copies = new Map<object, object>();

  constructor(patterns: Patterns, { isSearch }: { readonly isSearch: boolean }) {
    this.#patterns = patterns;
    this.#isSearch = isSearch;
  }

  of(value: unknown, depth = 0): unknown {
    if (typeof value === "string") return this.#hide(value);
    if (typeof value !== "object" || value === null) return value;
    const known = this.#copies.get(value);
    if (known !== undefined) return known;
    if (depth > maxDepth || this.#copies.size > maxObjects) {
      this.isDifferent = true;
      return undefined;
    }
    const copy = this.#begin(value);
    this.#copies.set(value, copy);
    for (const [key, member] of membersOf(value)) {
      const shown = this.of(member, depth + 1);
      const shownKey = typeof key === "string" ? this.#hide(key) : key;
      if (copy !== value && value instanceof Error && !errorMembers.includes(key)) continue;
      const { enumerable = false } = Reflect.getOwnPropertyDescriptor(value, key) ?? {};
      Reflect.deleteProperty(copy, key);
      // A reason of a Status is machine-readable: one word.
      const isReason =
        key === "reason" && !(value instanceof Error) && /^[a-z]+$/i.test(stringOf(member));
      Reflect.defineProperty(copy, shownKey, {
        value: isReason ? member : shown,
        enumerable,
        configurable: true,
        writable: true,
      });
    }
    return copy;
  }

  /** An error of listwatch is its own copy: its class has private members. */
  #begin(value: object): object {
    if (!(value instanceof Error)) return Array.isArray(value) ? [] : {};
    const isChangeable = Reflect.ownKeys(value).every(
      (key) => Reflect.getOwnPropertyDescriptor(value, key)?.configurable === true,
    );
    const isOurs = value instanceof ListwatchError && isChangeable;
    return isOurs && !this.#isSearch ? value : new Error();
  }

  #hide(text: string): string {
    const { pieces, words } = this.#patterns;
    const shown = withoutPieces(withoutUserInformation(text), pieces).replaceAll(words, "…");
    this.isDifferent ||= shown !== text;
    return shown;
  }
}

/** Returns everything that an inspection shows of an object, without calling getters of others. */
function membersOf(value: object): readonly (readonly [PropertyKey, unknown])[] {
  if (ArrayBuffer.isView(value)) return [];
  const members: [PropertyKey, unknown][] = Reflect.ownKeys(value).map((key) => [
    key,
    Reflect.getOwnPropertyDescriptor(value, key)?.value,
  ]);
  // The stack is a getter in some runtimes, and the name usually belongs to the class.
  if (value instanceof Error) members.push(["stack", value.stack], ["name", value.name]);
  if (value instanceof Request || value instanceof Response) {
    members.push(["headers", value.headers], ["url", value.url]);
  }
  if (value instanceof URL) members.push(["href", value.href]);
  const isCollection = value instanceof Headers || value instanceof Map || value instanceof Set;
  return isCollection ? [...members, ...[...value].entries()] : members;
}

/** Returns a header value in all forms in which it may occur in a string. */
function formsOf(value: string): readonly string[] {
  const [scheme = "", token = ""] = /^(\S+)\s+(.*)$/.exec(value)?.slice(1) ?? [];
  const parts = value.split(/[\s,;=]+/).filter((part) => part.length >= pieceLength);
  const bytes = scheme.toLowerCase() === "basic" ? orNone(() => atob(token)) : "";
  // RFC 7617 §2.1: the encoding of a password is not known.
  const utf8 = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  const pairs = [bytes, utf8];
  const passwords = pairs.map((pair) => pair.slice(pair.indexOf(":") + 1));
  return [value, token, ...parts, ...pairs, ...passwords]
    .flatMap((form) => [
      form,
      JSON.stringify(form).slice(1, -1),
      encodeURIComponent(form),
      orNone(() => btoa(form)),
    ])
    .filter((form) => form.length >= minLength);
}

function orNone(convert: () => string): string {
  try {
    return convert();
  } catch {
    return "";
  }
}

/** Parts of strings that are removed. */
interface Patterns {
  /** Pieces of long values. */
  readonly pieces: ReadonlySet<string>;
  /** Short values as whole words. */
  readonly words: RegExp;
}

function patternsOf(forms: readonly string[]): Patterns {
  const pieces = new Set<string>();
  // Matches nothing, for the case that there are no words.
  const words = ["(?!)"];
  // Long ones first: a value may be part of another.
  for (const form of forms.toSorted((a, b) => b.length - a.length)) {
    if (form.length < longLength) words.push(form.replaceAll(/[^\w\s]/g, String.raw`\$&`));
    else
      for (let end = pieceLength; end <= form.length; end++)
        pieces.add(form.slice(end - pieceLength, end));
  }
  return { pieces, words: new RegExp(`(?<![a-z0-9])(?:${words.join("|")})(?![a-z0-9])`, "gi") };
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
