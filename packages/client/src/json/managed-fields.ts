import { findKey, findValue, skipSpace, skipValue, valueAfterKey } from "./scan.ts";

const comma = 0x2c;
const openBracket = 0x5b;
const closeBrace = 0x7d;

/** Position of a `managedFields` member in a text, with one comma beside it. */
export interface FieldPlace {
  readonly start: number;
  readonly end: number;
  /**
   * Whether the end is a guess: if the rest is not JSON, call {@link findManagedFields} again with
   * `exactly`.
   */
  readonly guessed: boolean;
}

/**
 * Finds `.metadata.managedFields` of the object that begins at `from`, and no other field of that
 * name. Without the text at that position the object lacks the field.
 *
 * @param exactly whether to find the end of the field by counting brackets. Otherwise it is taken
 *   to be the first `]` behind a `}`, which is faster and right for what servers write. Where it is
 *   wrong, the rest is not JSON: if the `]` closes an inner array, more brackets close than open;
 *   if it is part of a string, the number of quotes is odd
 * @returns `undefined` if the object has no such field before `to`
 */
export function findManagedFields(
  text: string,
  from: number,
  to: number,
  exactly: boolean,
): FieldPlace | undefined {
  const metadata = findValue(text, from, '"metadata"');
  if (metadata < 0) return undefined;
  const start = findKey(text, metadata, '"managedFields"');
  if (start < 0 || start >= to) return undefined;
  const value = valueAfterKey(text, start + '"managedFields"'.length);
  if (value < 0) return undefined;
  const guess = exactly ? -1 : likelyEnd(text, value);
  const end = guess < 0 ? skipValue(text, value) : guess;
  if (end < 0 || end > to) return undefined;
  const guessed = guess >= 0;
  const behind = skipSpace(text, end);
  if (text.charCodeAt(behind) === comma) return { start, end: behind + 1, guessed };
  let before = start - 1;
  while (text.charCodeAt(before) <= 0x20) before--;
  return { start: text.charCodeAt(before) === comma ? before : start, end: behind, guessed };
}

/** Position behind the first `]`, if that looks like the end of an array of objects; else -1. */
function likelyEnd(text: string, value: number): number {
  if (text.charCodeAt(value) !== openBracket) return -1;
  const bracket = text.indexOf("]", value);
  if (bracket < 0 || text.charCodeAt(bracket - 1) !== closeBrace) return -1;
  const next = text.charCodeAt(bracket + 1);
  return next === comma || next === closeBrace ? bracket + 1 : -1;
}
