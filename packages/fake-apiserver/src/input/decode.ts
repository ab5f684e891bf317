import { isRecord } from "@listwatch/core-fifo/base";
import { goQuote } from "../base/go-text.ts";
import { MalformedBodyError } from "./errors.ts";
import { maxDepth, scanJson } from "./json-scanner.ts";

/** A decoded body. */
export interface Decoded {
  readonly value: unknown;
  /**
   * Errors of strict decoding in the server's words: `duplicate field "spec.color"`. The last one
   * of several equal keys wins.
   */
  readonly strictErrors: readonly string[];
}

/** sigs.k8s.io/json reports no more strict errors than this. */
export const maxStrictErrors = 100;
const noErrors: readonly string[] = [];

/**
 * Decodes JSON and finds duplicate keys.
 *
 * Costs a `JSON.parse` and a `JSON.stringify` for JSON in the form of `JSON.stringify`, and another
 * pass for other compact JSON. White space after a quote takes one more scan.
 *
 * @throws {MalformedBodyError} if it is not JSON
 */
export function decodeJson(text: string): Decoded {
  let value: unknown;
  try {
    value = JSON.parse(text);
    // Writing a value takes less time than counting its keys, so it is tried first.
    if (!mayBeTooDeep(text) && (isWrittenBack(text, value) || hasAllKeys(text, value))) {
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

/** True for texts with so many brackets that the scan has to count how deep they are. */
function mayBeTooDeep(text: string): boolean {
  if (text.length < 2 * maxDepth) return false;
  let open = 0;
  for (const bracket of ["[", "{"]) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) {
      if (++open > maxDepth) return true;
    }
  }
  return false;
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
 * True if no key was lost in parsing. Without white space after quotes each key ends with `":`,
 * which also may be inside of a string. If as many keys came out as there are of these, none was in
 * there twice.
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

/** Returns the name of a JSON value's type in Go's decoder. */
export function goTypeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}
