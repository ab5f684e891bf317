import { isRecord } from "@listwatch/core-fifo/base";
import { parseAllDocuments } from "yaml";
import type { DocumentOptions, ParseOptions, SchemaOptions } from "yaml";
import { goQuote } from "../base/go-text.ts";
import { scanJson } from "./json-scanner.ts";

/** A decoded body. */
export interface Decoded {
  readonly value: unknown;
  /**
   * What strict decoding complains of, as the server words it: `duplicate field "spec.color"`. The
   * last one of several equal keys wins.
   */
  readonly strictErrors: readonly string[];
}

/** A body that cannot be decoded; the message is the text of Go's decoder. */
export class MalformedBodyError extends Error {
  override readonly name: string = "MalformedBodyError";
}

/** sigs.k8s.io/json reports no more strict errors than this. */
const maxStrictErrors = 100;
const noErrors: readonly string[] = [];

/**
 * Decodes a JSON text and finds duplicate keys.
 *
 * Costs a `JSON.parse` and a `JSON.stringify` for texts as `JSON.stringify` writes them, a pass
 * over the text more for other compact ones; a text with white space after a quote is scanned once
 * more.
 *
 * @throws {MalformedBodyError} for anything that is no JSON.
 */
export function decodeJson(text: string): Decoded {
  let value: unknown;
  try {
    value = JSON.parse(text);
    // Writing a value takes less time than counting its keys, so it is tried first.
    if (isWrittenBack(text, value) || hasAllKeys(text, value)) {
      return { value, strictErrors: noErrors };
    }
  } catch (error) {
    const { error: message } = scanJson(text);
    throw new MalformedBodyError(message ?? "exceeded max depth", { cause: error });
  }
  const { duplicates, error } = scanJson(text);
  // No syntax error, or the parser had thrown: the stack ended before the text.
  if (error !== undefined) throw new MalformedBodyError(error);
  const strictErrors = duplicates
    .slice(0, maxStrictErrors)
    .map((path) => `duplicate field ${goQuote(path)}`);
  return { value, strictErrors };
}

/** True if the value is written back letter by letter: then no key was lost. */
function isWrittenBack(text: string, value: unknown): boolean {
  // Indented texts, those of people, are not worth a try.
  if (/^.\s/.test(text)) return false;
  try {
    return JSON.stringify(value) === text;
  } catch (error) {
    // Deeper than the stack: may still be fine, what is too deep may be pruned.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

const quoteAndSpace = /"[ \t\r\n]/;

/**
 * True if no key was lost in parsing. In a text without white space after quotes each key ends with
 * `":`, which also may be inside of a string: if as many keys came out as there are of these, none
 * was in there twice.
 */
function hasAllKeys(text: string, value: unknown): boolean {
  if (quoteAndSpace.test(text)) return false;
  let ends = 0;
  for (let at = text.indexOf('":'); at >= 0; at = text.indexOf('":', at + 2)) ends++;
  return ends === countKeys(value);
}

function countKeys(value: unknown): number {
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === "object") count += countKeys(item);
  } else if (isRecord(value)) {
    for (const key in value) {
      count++;
      if (typeof value[key] === "object") count += countKeys(value[key]);
    }
  }
  return count;
}

/** The name Go's decoder gives to the type of a JSON value. */
export function goTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** How the server reads YAML: version 1.1, without its exotic types. */
export const yamlOptions: ParseOptions & DocumentOptions & SchemaOptions = {
  // Kubernetes reads YAML 1.1 (yes and no are booleans, 0777 is octal).
  version: "1.1",
  schema: "yaml-1.1",
  prettyErrors: false,
  logLevel: "silent",
  // Timestamps, binaries, sets and base 60 numbers stay texts, as in the server's decoder.
  customTags: (tags) =>
    tags.filter((tag) => {
      if (typeof tag === "string") return tag !== "timestamp" && tag !== "set" && tag !== "omap";
      return (
        !["tag:yaml.org,2002:timestamp", "tag:yaml.org,2002:binary"].includes(tag.tag) &&
        tag.format !== "TIME"
      );
    }),
};

/**
 * Decodes the first document of a YAML text to JSON values and finds duplicate keys.
 *
 * @throws {MalformedBodyError} for a text that is no YAML or cannot be JSON.
 */
export function decodeYaml(text: string): Decoded {
  const documents = parseAllDocuments(text, yamlOptions);
  const document = "empty" in documents ? undefined : documents[0];
  if (document === undefined) return { value: null, strictErrors: noErrors };
  const duplicates: string[] = [];
  const lines = new LineCounter(text);
  for (const error of document.errors) {
    const line = lines.lineAt(error.pos[0]);
    if (error.code !== "DUPLICATE_KEY") {
      throw new MalformedBodyError(`yaml: line ${line}: ${error.message}`, { cause: error });
    }
    const key = goQuote(lines.keyAt(error.pos[0]));
    duplicates.push(`\n  line ${line}: key ${key} already set in map`);
  }
  // All of them are one error to the server.
  const strictErrors =
    duplicates.length === 0 ? noErrors : [`yaml: unmarshal errors:${duplicates.join("")}`];
  try {
    // By way of JSON: dates, big integers and shared nodes cannot get out.
    const json: unknown = JSON.parse(JSON.stringify(document.toJS() ?? null));
    return { value: json, strictErrors };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MalformedBodyError(`yaml: ${reason}`, { cause: error });
  }
}

/** Finds the lines and keys of offsets for messages. */
class LineCounter {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  lineAt(offset: number): number {
    return this.#text.slice(0, offset).split("\n").length;
  }

  keyAt(offset: number): string {
    const rest = this.#text.slice(offset);
    return (/^[^:\n]*/.exec(rest)?.[0] ?? "").trim().replaceAll(/^["']|["']$/g, "");
  }
}
