import { findKey, findValue, skipSpace, skipValue, valueAfterKey } from "./json-scan.ts";

const comma = 0x2c;
const openBracket = 0x5b;
const closeBrace = 0x7d;

/** Text without its `managedFields`, and whether the cut needs no second look. */
export interface CutText {
  readonly text: string;
  /** The end was found by its looks: if the result is no JSON, {@link cutManagedFields} has to look exactly. */
  readonly guessed: boolean;
}

/**
 * Cuts `.metadata.managedFields` out of the object that begins at `from`. Only that field goes, whatever has the same
 * name elsewhere.
 *
 * @param exactly whether to find the end of the field by counting brackets; otherwise it is taken to be the first `]`
 *   behind a `}`, which is faster and always right for what servers write. If it is not right, what is left is no JSON:
 *   either the `]` closes an inner array, then more brackets close than open; or it stands in a string, then
 *   the number of quotes is odd
 * @returns the text of the object without the field, or `undefined` if it has none
 */
export function cutManagedFields(
  text: string,
  from: number,
  to: number,
  exactly: boolean,
): CutText | undefined {
  const metadata = findValue(text, from, '"metadata"');
  if (metadata < 0) return undefined;
  const start = findKey(text, metadata, '"managedFields"');
  if (start < 0 || start >= to) return undefined;
  const value = valueAfterKey(text, start + '"managedFields"'.length);
  if (value < 0) return undefined;
  const guess = exactly ? -1 : likelyEnd(text, value);
  const end = guess < 0 ? skipValue(text, value) : guess;
  if (end < 0 || end > to) return undefined;
  return { text: without(text, from, to, start, end), guessed: guess >= 0 };
}

/** Behind the first `]`, if it looks like the end of an array of objects; otherwise -1. */
function likelyEnd(text: string, value: number): number {
  if (text.charCodeAt(value) !== openBracket) return -1;
  const bracket = text.indexOf("]", value);
  if (bracket < 0 || text.charCodeAt(bracket - 1) !== closeBrace) return -1;
  const next = text.charCodeAt(bracket + 1);
  return next === comma || next === closeBrace ? bracket + 1 : -1;
}

/** The text between `from` and `to` without the member between `start` and `end`, and without one comma beside it. */
function without(text: string, from: number, to: number, start: number, end: number): string {
  const behind = skipSpace(text, end);
  if (text.charCodeAt(behind) === comma)
    return text.slice(from, start) + text.slice(behind + 1, to);
  let before = start - 1;
  while (text.charCodeAt(before) <= 0x20) before--;
  const left = text.charCodeAt(before) === comma ? before : start;
  return text.slice(from, left) + text.slice(behind, to);
}
