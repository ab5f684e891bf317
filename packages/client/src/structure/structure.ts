/**
 * Text of a stream with its structure: the positions of `{ } [ ] , :` outside of strings, down to a
 * depth. It is exact for JSON, wherever chunks end. `JSON.parse` checks the text between brackets
 * and commas.
 *
 * ```
 *   bytes    {"items":[{"metadata":{"name":"a,b"}},...     brackets have the depth of what is
 *   records  0       8 9          21      ...              within them: the first one has 1
 * ```
 */
export interface Structure {
  /** The text that has not been dropped is at the beginning. `append` and `drop` replace it. */
  readonly bytes: Uint8Array;
  /** Number of bytes of text, all of them scanned. */
  readonly length: number;
  /** Positions in `bytes`, ascending. `append` and `drop` replace it. */
  readonly records: Int32Array;
  /** Number of records. */
  readonly count: number;
  /** Adds text and scans it. */
  append(chunk: Uint8Array): void;
  /** Returns the position of the first such byte from `from`; -1 if there is none. */
  find(byte: number, from: number): number;
  /**
   * Returns a piece of the text, to be parsed at once: it may keep all of the text in memory. The
   * first call after `append` decodes everything.
   */
  text(start: number, end: number): string;
  /** Drops the text before a position, with the first records, which lie there. */
  drop(position: number, records: number): void;
  /** Drops everything and frees the memory. The next chunk starts a new text. */
  release(): void;
}

/** Characters as bytes of UTF-8. */
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
export const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/** The bit in which brackets and braces differ. */
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

/** Returns the position of the first byte from `start` that is not white space, at most `end`. */
export function skipSpaceFrom(bytes: Uint8Array, start: number, end: number): number {
  let position = start;
  while (position < end && isSpace(bytes[position])) position++;
  return position;
}

/** Returns the position after the last byte before `end` that is not white space, at least `start`. */
export function skipSpaceBackFrom(bytes: Uint8Array, start: number, end: number): number {
  let position = end;
  while (position > start && isSpace(bytes[position - 1])) position--;
  return position;
}

/** Scan result of text, and the state after the scanned part. */
export interface ScannedText {
  /** The text is at the beginning. */
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Maximum depth of recorded bytes. */
  readonly limit: number;
  /** Number of open brackets at the end of the scanned text. */
  depth: number;
  isInString: boolean;
  /** Whether the last byte is a backslash that escapes the next one. */
  isEscape: boolean;
  /** Adds a record: a position in `bytes`. */
  record(position: number): void;
  /** Adds several records. */
  recordAll(positions: Int32Array): void;
}

/** Finds the structure of texts, piece by piece. Several texts can use it at the same time. */
export interface Scanner {
  /** Scans text from a position to its end. */
  scan(text: ScannedText, from: number): void;
  /** Returns the position of the first such byte from `from`; -1 if there is none. */
  find(text: ScannedText, byte: number, from: number): number;
  /** Call it when the text has lost its beginning. */
  forget(text: ScannedText): void;
}
