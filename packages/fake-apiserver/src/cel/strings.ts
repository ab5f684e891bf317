import { goQuote } from "../base/go-text.ts";
import { spend, stepsPerItem } from "./budget.ts";
import { CelFailure, noSuchOverload } from "./failures.ts";
import { formatText } from "./format-text.ts";
import type { CelFunction } from "./operators.ts";
import { findInText, matchesText } from "./patterns.ts";

/** Returns a string argument. @throws {CelFailure} for another type */
export function textArgument(value: unknown): string {
  if (typeof value !== "string") throw noSuchOverload();
  return value;
}

/** Returns an integer argument. @throws {CelFailure} for another type */
export function intArgument(value: unknown): number {
  if (typeof value !== "bigint") throw noSuchOverload();
  return Number(value);
}

function codePoints(value: unknown): string[] {
  return Array.from(textArgument(value));
}

function indexIn(points: readonly string[], part: readonly string[], from: number): number {
  for (let index = from; index <= points.length - part.length; index++) {
    if (part.every((point, offset) => points[index + offset] === point)) return index;
  }
  return -1;
}

function lastIndexIn(points: readonly string[], part: readonly string[], from: number): number {
  for (let index = Math.min(from, points.length - part.length); index >= 0; index--) {
    if (part.every((point, offset) => points[index + offset] === point)) return index;
  }
  return -1;
}

function inRange(index: number, length: number): number {
  if (index < 0 || index > length) throw new CelFailure(`index out of range: ${index}`);
  return index;
}

/** strings.go of cel-go's ext, version 2, and regex.go of k8s.io/apiserver cel/library. */
export const stringFunctions: Readonly<Record<string, CelFunction>> = {
  ".contains": (text, part) => textArgument(text).includes(textArgument(part)),
  ".startsWith": (text, part) => textArgument(text).startsWith(textArgument(part)),
  ".endsWith": (text, part) => textArgument(text).endsWith(textArgument(part)),
  ".charAt": (text, at) => {
    const points = codePoints(text);
    return points[inRange(intArgument(at), points.length)] ?? "";
  },
  ".lowerAscii": (text) =>
    textArgument(text).replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ".upperAscii": (text) =>
    textArgument(text).replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
  ".trim": (text) => trim(textArgument(text)),
  ".replace": (text, from, to, limit) =>
    replace(textArgument(text), textArgument(from), textArgument(to), limit),
  ".split": (text, separator, limit) => split(textArgument(text), textArgument(separator), limit),
  ".substring": (text, start, end) => {
    const points = codePoints(text);
    const from = inRange(intArgument(start), points.length);
    const to = end === undefined ? points.length : inRange(intArgument(end), points.length);
    if (from > to) {
      throw new CelFailure(`invalid substring range. start: ${from}, end: ${to}`);
    }
    return points.slice(from, to).join("");
  },
  ".format": (text, values) => formatText(textArgument(text), values),
  "strings.quote": (text) => goQuote(textArgument(text)),
  ".matches": (text, pattern) => matchesText(textArgument(text), textArgument(pattern)),
  matches: (text, pattern) => matchesText(textArgument(text), textArgument(pattern)),
  ".find": (text, pattern) => findInText(textArgument(text), textArgument(pattern), 1)[0] ?? "",
  ".findAll": (text, pattern, limit) => {
    const most = limit === undefined ? -1 : intArgument(limit);
    return findInText(textArgument(text), textArgument(pattern), most);
  },
};

/** `text.indexOf(part)`, and the same with an offset. */
export function textIndexOf(text: string, part: unknown, from?: unknown): bigint {
  return searchFrom(text, part, from, 0, indexIn);
}

/** `text.lastIndexOf(part)`, and the same with an offset. */
export function textLastIndexOf(text: string, part: unknown, from?: unknown): bigint {
  return searchFrom(text, part, from, text.length, lastIndexIn);
}

/** An offset behind the text finds nothing, except an empty part at the end. */
function searchFrom(
  text: string,
  part: unknown,
  from: unknown,
  otherwise: number,
  search: typeof indexIn,
): bigint {
  const points = Array.from(text);
  const searched = codePoints(part);
  if (from === undefined) return BigInt(search(points, searched, otherwise));
  const start = intArgument(from);
  if (start < 0) throw new CelFailure(`index out of range: ${start}`);
  if (searched.length === 0) return BigInt(Math.min(start, points.length));
  return start >= points.length ? -1n : BigInt(search(points, searched, start));
}

/** As Go's `strings.Replace`: an empty part is before each character, and at the end. */
function replace(text: string, from: string, to: string, limit: unknown): string {
  const most = limit === undefined ? -1 : intArgument(limit);
  const pieces = from === "" ? ["", ...Array.from(text), ""] : text.split(from);
  const places = pieces.length - 1;
  const replaced = most < 0 ? places : Math.min(most, places);
  spend(replaced * to.length * stepsPerItem);
  const ends = pieces.slice(replaced).join(from);
  return [...pieces.slice(0, replaced), ends].join(to);
}

// Go's `unicode.IsSpace`; JavaScript takes U+FEFF for a space, and not U+0085.
const space = /[\s\u0085]/;

function isSpace(character: string): boolean {
  return space.test(character) && character !== "\uFEFF";
}

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charAt(start))) start++;
  while (end > start && isSpace(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function split(text: string, separator: string, limit: unknown): readonly string[] {
  const most = limit === undefined ? -1 : intArgument(limit);
  const pieces = separator === "" ? Array.from(text) : text.split(separator);
  if (most < 0 || pieces.length <= most) return pieces;
  if (most === 0) return [];
  return [...pieces.slice(0, most - 1), pieces.slice(most - 1).join(separator)];
}
