import { findKey, findValue, skipSpace, skipSpaceBack, valueAfterKey } from "./scan.ts";

const quote = 0x22;
const comma = 0x2c;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Position of a `managedFields` member in the text, including one comma. */
export interface FieldPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds `.metadata.managedFields` of the object at `from`, and no other field of that name. The
 * field lies between two commas or braces, so that the rest is JSON exactly if the whole is, apart
 * from the text within the brackets of the field.
 *
 * The first `]` counts as the end of the field if it follows a `}` and no other `[` precedes it.
 * That is faster than counting brackets, and correct for the output of servers. Such a `]` does not
 * close an inner array. If it is part of a string, the rest is not JSON, because its number of
 * quotes is odd.
 *
 * @returns `undefined` if the object has no such field before `to`, or none of this form
 */
export function findManagedFields(text: string, from: number, to: number): FieldPlace | undefined {
  const metadata = findValue(text, from, '"metadata"');
  if (metadata < 0) return undefined;
  const start = findKey(text, metadata, '"managedFields"');
  if (start < 0 || start >= to) return undefined;
  const value = valueAfterKey(text, start + '"managedFields"'.length);
  if (value < 0) return undefined;
  const end = likelyEnd(text, value);
  return end < 0 || end > to ? undefined : withComma(text, start, end);
}

/** Returns the field with the comma after it or, for the last field, with the comma before it. */
function withComma(text: string, start: number, end: number): FieldPlace | undefined {
  const before = skipSpaceBack(text, start - 1);
  const behind = skipSpace(text, end);
  const isFirst = text.charCodeAt(before) === openBrace;
  if (!isFirst && text.charCodeAt(before) !== comma) return undefined;
  if (text.charCodeAt(behind) === comma) {
    // Another member must follow. Without the field, a missing one would not be noticed.
    const next = skipSpace(text, behind + 1);
    return text.charCodeAt(next) === quote ? { start, end: behind + 1 } : undefined;
  }
  if (text.charCodeAt(behind) !== closeBrace) return undefined;
  if (isFirst) return { start, end: behind };
  const last = text.charCodeAt(skipSpaceBack(text, before - 1));
  return last === comma || last === openBrace ? undefined : { start: before, end: behind };
}

/**
 * Returns the position after the first `]`, if that looks like the end of an array of objects;
 * otherwise -1.
 */
function likelyEnd(text: string, value: number): number {
  if (text.charCodeAt(value) !== openBracket) return -1;
  const bracket = text.indexOf("]", value);
  if (bracket < 0 || text.charCodeAt(skipSpaceBack(text, bracket - 1)) !== closeBrace) return -1;
  const inner = text.indexOf("[", value + 1);
  return inner >= 0 && inner < bracket ? -1 : bracket + 1;
}
