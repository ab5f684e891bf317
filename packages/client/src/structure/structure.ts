/**
 * The text of a stream and its structure: the positions of `{ } [ ] , :` outside of strings, down
 * to a depth. It is exact for text that is JSON, however it is cut into chunks; what the brackets
 * and commas delimit is for `JSON.parse` to check.
 *
 * ```
 *   bytes    {"items":[{"metadata":{"name":"a,b"}},...     brackets have the depth of what is
 *   records  0       8 9          21      ...              within them: the first one has 1
 * ```
 */
export interface Structure {
  /** The text that has not been dropped is at the beginning. Changes with `append` and `drop`. */
  readonly bytes: Uint8Array;
  /** Number of bytes of text, all of which are scanned. */
  readonly length: number;
  /** Positions in `bytes`, ascending. Changes with `append` and `drop`. */
  readonly records: Int32Array;
  /** Number of records. */
  readonly count: number;
  /** Adds text and scans it. */
  append(chunk: Uint8Array): void;
  /** Position of the first such byte from one on; -1 if there is none in the text. */
  find(byte: number, from: number): number;
  /** Forgets the text before a position, and the first records, which lie there. */
  drop(position: number, records: number): void;
  /** Forgets everything: the memory of the text is free, and what comes next is another text. */
  release(): void;
}

/** Characters, as bytes of UTF-8. */
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** The bit in which a bracket and a brace differ. */
const braceBit = 0x20;

/** Whether a record is a `{` or a `[`. */
export function opens(byte: number): boolean {
  return (byte | braceBit) === openBrace;
}

/** Whether a record is a `}` or a `]`. */
export function closes(byte: number): boolean {
  return (byte | braceBit) === closeBrace;
}

/** Whether a byte is white space of JSON (RFC 8259 §2). */
function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Position of the first byte from `start` on that is not white space, at most `end`. */
export function skipSpaceFrom(bytes: Uint8Array, start: number, end: number): number {
  let position = start;
  while (position < end && isSpace(bytes[position])) position++;
  return position;
}

/** Position behind the last byte before `end` that is not white space, at least `start`. */
export function skipSpaceBackFrom(bytes: Uint8Array, start: number, end: number): number {
  let position = end;
  while (position > start && isSpace(bytes[position - 1])) position--;
  return position;
}
