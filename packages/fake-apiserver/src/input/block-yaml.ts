import { setMember } from "../base/read-fields.ts";
import type { ItemOffsets } from "./decode-yaml.ts";
import { MalformedBodyError } from "./errors.ts";
import { plainValue } from "./yaml-scalar.ts";

/** A document that was read without the library. */
export interface BlockDocument {
  readonly value: unknown;
  /** Offsets of the items of lists. */
  readonly items: ItemOffsets;
}

// Characters that need the library: other breaks, controls, byte order marks, halves of pairs.
const unusual =
  /[^\t\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;
// Go takes keys of up to 1024 characters.
const entry = /^(?:([A-Za-z_]\S{0,999}?|\.)|"([^"\\]{0,999})"|'([^']{0,999})'):(?: +(.*))?$/;
const plain = /^(?:[^\s[\]{}&*!|>'"%@`#,?:=<-]|-(?=\S))[^]*$/;
const endsPlain = /:(?:\s|$)|\s#|\t/;
// Deeper documents would exceed the stack, and each dash of a line is read with all behind it.
const maxIndent = 500;

/** Thrown for what the library has to read. */
class Unusual extends Error {}

/**
 * Reads a document in the form in which kubectl prints objects: block mappings and sequences,
 * scalars without tags and anchors. The library takes twenty times as long for them.
 *
 * @returns undefined if the document has another form, or a fault
 */
export function readBlockYaml(text: string): BlockDocument | undefined {
  if (unusual.test(text) || !text.endsWith("\n")) return undefined;
  try {
    return new BlockReader(text).read();
  } catch (error) {
    if (error instanceof Unusual || error instanceof MalformedBodyError) return undefined;
    throw error;
  }
}

class BlockReader {
  readonly #lines: string[];
  readonly #starts: number[] = [];
  readonly #items = new Map<unknown, readonly number[]>();
  #at = 0;

  constructor(text: string) {
    this.#lines = text.split("\n");
    let start = 0;
    for (const line of this.#lines) {
      this.#starts.push(start);
      start += line.length + 1;
    }
  }

  read(): BlockDocument | undefined {
    const indent = this.#next();
    const value = indent < 0 ? null : this.#node(indent);
    if (this.#next() >= 0) throw new Unusual();
    return { value, items: this.#items };
  }

  /** Moves to the next line with content, and returns its indentation; -1 at the end. */
  #next(): number {
    for (; this.#at < this.#lines.length; this.#at++) {
      const indent = indentOf(this.#line);
      const first = this.#line[indent];
      if (first !== undefined && first !== "#") return indent;
    }
    return -1;
  }

  get #line(): string {
    return this.#lines[this.#at] ?? "";
  }

  #node(indent: number): unknown {
    if (indent > maxIndent) throw new Unusual();
    return isItem(this.#line, indent) ? this.#sequence(indent) : this.#mapping(indent);
  }

  #mapping(indent: number): unknown {
    const members: Record<string, unknown> = {};
    for (let next = indent; next === indent && !isItem(this.#line, indent); next = this.#next()) {
      const [, bare, double, single, rest = ""] = entry.exec(this.#line.slice(indent)) ?? [];
      const key = bare ?? double ?? single;
      // Keys that are not strings, or that are there twice.
      const isPlain = bare === undefined || plainValue(bare) === bare;
      if (key === undefined || !isPlain || Object.hasOwn(members, key) || bare === "<<") {
        throw new Unusual();
      }
      const value = this.#value(rest, indent, true);
      if (key === "items" && Array.isArray(value)) this.#items.set(value, this.#offsets);
      setMember(members, key, value);
    }
    return members;
  }

  // Offsets of the sequence that was read last.
  #offsets: readonly number[] = [];

  #sequence(indent: number): readonly unknown[] {
    const values: unknown[] = [];
    const offsets: number[] = [];
    for (let next = indent; next === indent && isItem(this.#line, indent); next = this.#next()) {
      const line = this.#line;
      const column = indent + 1 + indentOf(line.slice(indent + 1));
      const rest = line.slice(column);
      offsets.push((this.#starts[this.#at] ?? 0) + Math.min(column, line.length));
      if (isItem(rest, 0) || entry.test(rest)) {
        // The text behind the dash is a block of its column.
        this.#lines[this.#at] = " ".repeat(column) + rest;
        values.push(this.#node(column));
      } else {
        values.push(this.#value(rest, indent, false));
      }
    }
    this.#offsets = offsets;
    return values;
  }

  /** Reads a value whose first line is `rest`, in a collection with an indentation. */
  #value(rest: string, indent: number, isMember: boolean): unknown {
    this.#at++;
    const first = rest.trimEnd();
    if (/^[|][-+]?$/.test(first)) return this.#literal(first.slice(1), indent);
    if (first === "") {
      const next = this.#next();
      if (next > indent) return this.#node(next);
      return next === indent && isMember && isItem(this.#line, next) ? this.#sequence(next) : null;
    }
    const text = this.#withContinuation(first, indent);
    if (text === "{}") return {};
    if (text === "[]") return [];
    if (text.startsWith('"')) return doubleQuoted(text);
    if (text.startsWith("'")) return singleQuoted(text);
    if (!plain.test(text) || endsPlain.test(text)) throw new Unusual();
    return plainValue(text);
  }

  /** Joins a scalar with the lines that are further indented than its collection. */
  #withContinuation(first: string, indent: number): string {
    const parts = [first];
    for (; indentOf(this.#line) > indent; this.#at++) {
      const line = this.#line.trim();
      const isEscaped = parts.at(-1)?.endsWith("\\") === true;
      if (line === "" || line.startsWith("#") || isEscaped) throw new Unusual();
      parts.push(line);
    }
    // An empty line may be a part of the scalar.
    if (this.#line.trim() === "" && this.#next() > indent) throw new Unusual();
    return parts.join(" ");
  }

  #literal(chomping: string, indent: number): string {
    const from = this.#at;
    while (this.#at < this.#lines.length && this.#line === "") this.#at++;
    const own = indentOf(this.#line);
    if (own <= indent || this.#line.trim() === "" || this.#line[own] === "\t") throw new Unusual();
    this.#at = from;
    const lines: string[] = [];
    let filled = 0;
    // The last one is what follows the last line break.
    for (; this.#at < this.#lines.length - 1; this.#at++) {
      const line = this.#line;
      const isBlank = line.trimStart() === "";
      if (!isBlank && indentOf(line) < own) break;
      if (isBlank && line.includes("\t")) throw new Unusual();
      lines.push(line.slice(own));
      if (line.slice(own) !== "") filled = lines.length;
    }
    const text = lines.slice(0, filled).join("\n");
    if (chomping === "-") return text;
    return chomping === "" ? `${text}\n` : `${text}\n${"\n".repeat(lines.length - filled)}`;
  }
}

function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === " ") indent++;
  return indent;
}

function isItem(line: string, indent: number): boolean {
  return line[indent] === "-" && (line[indent + 1] ?? " ") === " ";
}

function doubleQuoted(text: string): string {
  if (!/^"(?:[^"\\\t]|\\(?:["\\bfnrt]|u(?![dD][89A-Fa-f])[\dA-Fa-f]{4}))*"$/.test(text)) {
    throw new Unusual();
  }
  const value: unknown = JSON.parse(text);
  return String(value);
}

function singleQuoted(text: string): string {
  if (!/^'(?:[^'\t]|'')*'$/.test(text)) throw new Unusual();
  return text.slice(1, -1).replaceAll("''", "'");
}
