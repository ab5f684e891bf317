// Finding ends in JSON text without parsing it. All functions take a position and answer with the position
// behind what they skipped, or with -1 when the text ends before. They trust brackets and quotes only; what they
// delimit is checked by JSON.parse.

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Position of the next character that is no white space; the text's length if there is none. */
export function skipSpace(text: string, from: number): number {
  let position = from;
  for (;;) {
    const code = text.charCodeAt(position);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return position;
    position++;
  }
}

/** Skips the string whose opening quote is at `from`. */
function skipString(text: string, from: number): number {
  for (let position = from + 1; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === quote) return position + 1;
    if (code === backslash) position++;
  }
  return -1;
}

/** Skips the value that begins at `from`. A number or word must be followed by something to count as ended. */
export function skipValue(text: string, from: number): number {
  const first = text.charCodeAt(from);
  if (first === quote) return skipString(text, from);
  if (first !== openBrace && first !== openBracket) return skipWord(text, from);
  let depth = 0;
  const { length } = text;
  for (let position = from; position < length; position++) {
    const code = text.charCodeAt(position);
    if (code === quote) {
      // The string loop stands here too: a call per string costs a third of the scan's speed.
      for (position++; position < length; position++) {
        const inner = text.charCodeAt(position);
        if (inner === quote) break;
        if (inner === backslash) position++;
      }
    } else if (code === openBrace || code === openBracket) depth++;
    else if ((code === closeBrace || code === closeBracket) && --depth === 0) return position + 1;
  }
  return -1;
}

function skipWord(text: string, from: number): number {
  for (let position = from; position < text.length; position++) {
    const code = text.charCodeAt(position);
    if (code === comma || code === closeBrace || code === closeBracket || code <= 0x20)
      return position;
  }
  return -1;
}

/** A member of an object: where its key and its value stand. */
export interface Member {
  /** Of the opening quote of the key. */
  start: number;
  /** The key as written, without its quotes. */
  key: string;
  valueStart: number;
}

/**
 * Reads the key of the member at `from`, behind the `{` or a `,`. Gives `undefined` when the text ends before the
 * value begins, and `null` when there is no further member or no key.
 */
export function readMember(text: string, from: number): Member | undefined | null {
  let start = skipSpace(text, from);
  if (text.charCodeAt(start) === comma) start = skipSpace(text, start + 1);
  if (start >= text.length) return undefined;
  if (text.charCodeAt(start) !== quote) return null;
  const keyEnd = skipString(text, start);
  if (keyEnd < 0) return undefined;
  const colonAt = skipSpace(text, keyEnd);
  if (colonAt >= text.length) return undefined;
  if (text.charCodeAt(colonAt) !== colon) return null;
  const valueStart = skipSpace(text, colonAt + 1);
  if (valueStart >= text.length) return undefined;
  return { start, key: text.slice(start + 1, keyEnd - 1), valueStart };
}

/** The member of this name in the object that begins at `from`; `undefined` when it has none or is no object. */
export function findMember(text: string, from: number, key: string): Member | undefined {
  if (text.charCodeAt(from) !== openBrace) return undefined;
  let position = from + 1;
  for (;;) {
    const member = readMember(text, position);
    if (member === undefined || member === null) return undefined;
    if (member.key === key) return member;
    position = skipValue(text, member.valueStart);
    if (position < 0) return undefined;
  }
}

/**
 * Cuts `.metadata.managedFields` out of the text of the object that begins at `from` (a whole line of a watch, or
 * one item). The text comes back as it was when the object has no such field.
 */
export function cutManagedFields(text: string, from: number): string {
  if (text.indexOf('"managedFields"', from) < 0) return text;
  const metadata = findMember(text, from, "metadata");
  if (metadata === undefined) return text;
  const field = findMember(text, metadata.valueStart, "managedFields");
  if (field === undefined) return text;
  let end = skipValue(text, field.valueStart);
  if (end < 0) return text;
  // One of the commas around the member goes with it: the one behind, or the one before if it is the last.
  let { start } = field;
  end = skipSpace(text, end);
  if (text.charCodeAt(end) === comma) end++;
  else {
    let before = start - 1;
    while (text.charCodeAt(before) <= 0x20) before--;
    if (text.charCodeAt(before) === comma) start = before;
  }
  return text.slice(0, start) + text.slice(end);
}
