import { goQuote } from "../base/go-text.ts";
import { findInText, matchesPattern, patternProblem } from "../schema/pattern.ts";
import { doubleText, textOfValue } from "./conversions.ts";
import { CelFailure, noSuchOverload } from "./failures.ts";
import type { CelFunction } from "./operators.ts";
import {
  isFielded,
  keysOf,
  memberOf,
  Timestamp,
  Duration,
  TypeValue,
  UnsignedInt,
} from "./values.ts";

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
  ".trim": (text) => textArgument(text).replaceAll(/^[\s\u0085]+|[\s\u0085]+$/g, ""),
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
  ".matches": (text, pattern) => matches(textArgument(text), textArgument(pattern)),
  matches: (text, pattern) => matches(textArgument(text), textArgument(pattern)),
  ".find": (text, pattern) => find(textArgument(text), textArgument(pattern), 1)[0] ?? "",
  ".findAll": (text, pattern, limit) =>
    find(textArgument(text), textArgument(pattern), limit === undefined ? -1 : intArgument(limit)),
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

function replace(text: string, from: string, to: string, limit: unknown): string {
  let left = limit === undefined ? -1 : intArgument(limit);
  if (left < 0) return text.replaceAll(from, () => to);
  const pieces = text.split(from);
  let replaced = pieces[0] ?? "";
  for (const piece of pieces.slice(1)) replaced += (left-- > 0 ? to : from) + piece;
  return replaced;
}

function split(text: string, separator: string, limit: unknown): readonly string[] {
  const most = limit === undefined ? -1 : intArgument(limit);
  const pieces = separator === "" ? Array.from(text) : text.split(separator);
  if (most < 0 || pieces.length <= most) return pieces;
  if (most === 0) return [];
  return [...pieces.slice(0, most - 1), pieces.slice(most - 1).join(separator)];
}

function matches(text: string, pattern: string): boolean {
  checkPattern(pattern);
  return matchesPattern(text, pattern);
}

function find(text: string, pattern: string, limit: number): readonly string[] {
  checkPattern(pattern);
  return limit === 0 ? [] : findInText(text, pattern, limit);
}

function checkPattern(pattern: string): void {
  const problem = patternProblem(pattern);
  if (problem === undefined) return;
  throw new CelFailure(problem.replace("must be a valid regular expression, but isn't: ", ""));
}

const verbPattern = /%(?:\.(\d+))?(.)?/gsu;

/** `text.format(values)` (cel-go ext/formatting_v2.go). */
function formatText(text: string, values: unknown): string {
  if (!Array.isArray(values)) throw noSuchOverload();
  let next = 0;
  return text.replaceAll(verbPattern, (_all, precision: string | undefined, verb = "") => {
    if (verb === "%") return "%";
    if (next >= values.length) {
      throw new CelFailure(`index ${next} out of range`);
    }
    return formatValue(verb, values[next++], precision === undefined ? 6 : Number(precision));
  });
}

function formatValue(verb: string, value: unknown, precision: number): string {
  switch (verb) {
    case "s":
      return plainText(value);
    case "d":
      if (typeof value === "bigint" || value instanceof UnsignedInt) return String(value);
      if (typeof value === "number" && !Number.isFinite(value)) return doubleText(value);
      break;
    case "f":
    case "e":
      if (typeof value !== "number" && typeof value !== "bigint") break;
      return verb === "f"
        ? fixed(Number(value), precision)
        : Number(value)
            .toExponential(precision)
            .replace(/e([+-])(\d)$/, "e$10$2");
    case "b":
      if (typeof value === "boolean") return value ? "1" : "0";
      if (typeof value === "bigint") return value.toString(2);
      break;
    case "o":
      if (typeof value === "bigint") return value.toString(8);
      break;
    case "x":
    case "X": {
      const digits = hexadecimal(value);
      if (digits !== undefined) return verb === "x" ? digits : digits.toUpperCase();
      break;
    }
  }
  throw new CelFailure(
    `could not parse formatting clause: unrecognized formatting clause "${verb}"`,
  );
}

/** JavaScript writes at most 100 digits after the point. */
function fixed(value: number, precision: number): string {
  return value.toFixed(Math.min(precision, 100)) + "0".repeat(Math.max(0, precision - 100));
}

function hexadecimal(value: unknown): string | undefined {
  if (typeof value === "bigint") return value.toString(16);
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return undefined;
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function plainText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainText).join(", ")}]`;
  if (isFielded(value)) {
    const members = keysOf(value).map(
      (key) => [plainText(key), plainText(memberOf(value, key))] as const,
    );
    const sorted = members.toSorted(([left], [right]) => (left < right ? -1 : 1));
    return `{${sorted.map(([key, member]) => `${key}: ${member}`).join(", ")}}`;
  }
  if (value === null) return "null";
  if (value instanceof TypeValue) return value.type;
  if (value instanceof Timestamp || value instanceof Duration) return textOfValue(value);
  return textOfValue(value);
}
