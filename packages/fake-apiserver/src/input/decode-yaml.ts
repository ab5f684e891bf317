import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { goQuote } from "../base/go-text.ts";
import { isStackOverflow } from "../api/errors.ts";
import { setMember } from "../base/read-fields.ts";
import { type Decoded } from "./decode.ts";
import { MalformedBodyError } from "./errors.ts";
import { LineIndex } from "./line-index.ts";
import { checkCharacters, faultOf, parseYaml } from "./parse-yaml.ts";
import { keyOfNumber, scalarValue } from "./yaml-scalar.ts";

// gopkg.in/yaml, decode.go: documents with more values than `small` may have a smaller part of them
// by way of aliases, down to a tenth for those with `large`.
const aliasLimits = { small: 400_000, large: 4_000_000, most: 0.99, least: 0.1 };
// Texts by way of aliases; what is longer could not be stored (k8s.io/apiserver
// `MaxRequestBodyBytes`).
const maxAliasedCharacters = 3_145_728;
const tooDeep = "yaml: exceeded max depth of 10000";
const excessiveAliasing = "yaml: document contains excessive aliasing";

/** A key that a mapping has twice. */
export interface DuplicateKey {
  /** Where the second one begins in the text. */
  readonly offset: number;
  readonly key: string;
}

/**
 * Decodes the first document of a YAML string to JSON values and finds duplicate keys. Takes time
 * in proportion to its length.
 *
 * @throws {MalformedBodyError} if it is not YAML or cannot be JSON
 */
export function decodeYaml(text: string): Decoded {
  const lines = new LineIndex(text);
  try {
    const document = firstDocument(text);
    if (document === undefined) return { value: null, strictErrors: [] };
    const fault = faultOf(document);
    if (fault !== undefined) {
      const isDeep = isStackOverflow(fault);
      const at = `yaml: line ${lines.lineAt(fault.offset)}: ${fault.message}`;
      throw new MalformedBodyError(isDeep ? tooDeep : at);
    }
    checkCharacters(text.slice(0, document.range[2]));
    const { value, duplicates } = yamlValue(document, { text, isSorted: true });
    const complaints = duplicates.map(
      ({ key, offset }) =>
        `\n  line ${lines.lineAt(offset)}: key ${goQuote(key)} already set in map`,
    );
    // All of them are one error to the server.
    const strictErrors =
      complaints.length === 0 ? [] : [`yaml: unmarshal errors:${complaints.join("")}`];
    return { value, strictErrors };
  } catch (error) {
    // The parser and the conversion call themselves for each level.
    if (error instanceof Error && isStackOverflow(error))
      throw new MalformedBodyError(tooDeep, { cause: error });
    throw error;
  }
}

function firstDocument(text: string): Document.Parsed | undefined {
  // The parser makes an error for each of a million wrong escapes, and none of them shows where.
  const limit: unknown = Reflect.get(Error, "stackTraceLimit");
  Reflect.set(Error, "stackTraceLimit", 0);
  try {
    for (const document of parseYaml(text)) return document;
    return undefined;
  } finally {
    Reflect.set(Error, "stackTraceLimit", limit);
  }
}

/**
 * The JSON value of a parsed document. What is aliased is shared in it.
 *
 * @throws {MalformedBodyError} for what JSON does not have, and for aliases that would fill memory
 */
export function yamlValue(
  document: Document,
  options: YamlValueOptions,
): {
  readonly value: unknown;
  readonly duplicates: readonly DuplicateKey[];
  /** Offsets of the items of each list. */
  readonly items: ItemOffsets;
} {
  const conversion = new Conversion(options);
  const value = conversion.valueOf(document.contents);
  const { duplicates, items } = conversion;
  return { value, duplicates, items };
}

/** Options of {@link yamlValue}. */
export interface YamlValueOptions {
  /** Whether numbers stay as they are written. @default false */
  readonly numbersAsText?: boolean | undefined;
  /** Whether keys are sorted, as where Go writes what it has read. @default false */
  readonly isSorted?: boolean | undefined;
  /** The text of the document, to its end. */
  readonly text: string;
}

/** Offsets at which the items of members named `items` begin, by their arrays. */
export type ItemOffsets = ReadonlyMap<unknown, readonly number[]>;

/** Target of an alias. */
interface Anchored {
  readonly value: unknown;
  /** Values within it, and characters of texts. */
  readonly values: number;
  readonly characters: number;
}

class Conversion {
  readonly duplicates: DuplicateKey[] = [];
  readonly items = new Map<unknown, readonly number[]>();
  readonly #options: YamlValueOptions;
  // The end of a block without a last line break.
  readonly #openEnd: number | undefined;
  // Undefined while the anchor's own node is being converted.
  readonly #anchors = new Map<string, Anchored | undefined>();
  #values = 0;
  #characters = 0;
  #aliasedValues = 0;
  #aliasedCharacters = 0;

  constructor(options: YamlValueOptions) {
    this.#options = options;
    const { text } = options;
    const isOpen = !/(?:^|\n)[^\S\n]*$/.test(text.slice(-1000));
    this.#openEnd = isOpen ? text.length : undefined;
  }

  valueOf(node: unknown): unknown {
    if (isAlias(node)) return this.#aliased(node.source);
    const anchor = isScalar(node) || isCollection(node) ? node.anchor : undefined;
    if (anchor === undefined) return this.#convert(node);
    const values = this.#values;
    const characters = this.#characters;
    // yaml_parser_scan_anchor
    if (!/^[\w-]+$/.test(anchor)) {
      throw new MalformedBodyError("yaml: did not find expected alphabetic or numeric character");
    }
    this.#anchors.set(anchor, undefined);
    const value = this.#convert(node);
    this.#anchors.set(anchor, {
      value,
      values: this.#values - values,
      characters: this.#characters - characters,
    });
    return value;
  }

  #convert(node: unknown): unknown {
    this.#values++;
    if (isScalar(node)) return this.#scalar(node);
    if (isSeq(node)) return node.items.map((item) => this.valueOf(item));
    if (isMap(node)) return this.#map(node);
    // Tag "pairs": a list of mappings with one key each.
    if (isPair(node)) return this.#members([node]);
    return null;
  }

  #scalar(node: Scalar): unknown {
    const { numbersAsText = false } = this.#options;
    const isText = numbersAsText && typeof node.value === "number";
    const read = isText ? node.source : this.#withOpenEnd(node, scalarValue(node));
    const value = numbersAsText && typeof read === "number" ? node.source : read;
    if (typeof value === "string") this.#characters += value.length;
    return value;
  }

  // The library ends the last line of a block in any case.
  #withOpenEnd(node: Scalar, value: unknown): unknown {
    if (typeof value !== "string" || this.#openEnd === undefined) return value;
    const isBlock = node.type === "BLOCK_FOLDED" || node.type === "BLOCK_LITERAL";
    return isBlock && node.range?.[1] === this.#openEnd ? value.replace(/\n$/, "") : value;
  }

  #map(node: YAMLMap): unknown {
    return this.#members(node.items);
  }

  #members(pairs: readonly Pair[]): unknown {
    const members: Record<string, unknown> = {};
    const own = new Set<string>();
    for (const { key, value } of pairs) {
      if (isScalar(key) && typeof key.value === "symbol") {
        this.#merge(members, this.valueOf(value));
        continue;
      }
      const name = this.#keyOf(key);
      if (own.has(name)) {
        const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
        this.duplicates.push({ key: name, offset });
      }
      own.add(name);
      const member = this.valueOf(value);
      if (name === "items" && isSeq(value)) this.items.set(member, value.items.map(offsetOf));
      setMember(members, name, member);
    }
    return this.#options.isSorted === true ? sorted(members) : members;
  }

  /** `<<: *defaults`: replaces the members before it, and is replaced by those behind it. */
  #merge(members: Record<string, unknown>, merged: unknown): void {
    // The first source of a list wins.
    for (const source of Array.isArray(merged) ? merged.toReversed() : [merged]) {
      if (typeof source !== "object" || source === null || Array.isArray(source)) {
        throw new MalformedBodyError(
          "yaml: map merge requires map or sequence of maps as the value",
        );
      }
      for (const [name, value] of Object.entries(source)) {
        this.#countAliased(1, name.length);
        setMember(members, name, value);
      }
    }
  }

  #keyOf(node: unknown): string {
    if (isScalar(node) && typeof node.value === "number" && node.type === "PLAIN") {
      return keyOfNumber(node.source ?? "");
    }
    const key = this.valueOf(node);
    if (typeof key === "string") return key;
    if (typeof key === "number" || typeof key === "boolean") return String(key);
    const type = key === null ? "%!s(<nil>)" : Array.isArray(key) ? "sequence" : "map";
    throw new MalformedBodyError(`yaml: unsupported map key of type: ${type}`);
  }

  #aliased(anchor: string): unknown {
    if (!this.#anchors.has(anchor)) {
      throw new MalformedBodyError(`yaml: unknown anchor '${anchor}' referenced`);
    }
    const anchored = this.#anchors.get(anchor);
    if (anchored === undefined) {
      throw new MalformedBodyError(`yaml: anchor '${anchor}' value contains itself`);
    }
    this.#countAliased(anchored.values, anchored.characters);
    return anchored.value;
  }

  #countAliased(values: number, characters: number): void {
    this.#values += values;
    this.#characters += characters;
    this.#aliasedValues += values;
    this.#aliasedCharacters += characters;
    const { large, least, most, small } = aliasLimits;
    const size = Math.min(1, Math.max(0, (this.#values - small) / (large - small)));
    const allowed = most - size * (most - least);
    if (
      this.#aliasedCharacters > maxAliasedCharacters ||
      (this.#aliasedValues > 100 &&
        this.#values > 1000 &&
        this.#aliasedValues / this.#values > allowed)
    ) {
      throw new MalformedBodyError(excessiveAliasing);
    }
  }
}

function sorted(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = Object.keys(members);
  if (names.every((name, index) => index === 0 || (names[index - 1] ?? "") < name)) return members;
  const copy: Record<string, unknown> = {};
  for (const name of names.toSorted()) setMember(copy, name, members[name]);
  return copy;
}

function offsetOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}
