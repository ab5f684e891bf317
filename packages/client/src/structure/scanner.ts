/** What a scanner has found of a text, and what it must know of the text before. */
export interface ScannedText {
  /** The text is at the beginning. */
  readonly bytes: Uint8Array;
  readonly length: number;
  /** Records of greater depth are left out. */
  readonly limit: number;
  /** Open brackets at the end of what was scanned. */
  depth: number;
  isInString: boolean;
  /** Whether the last byte is a backslash that escapes the next one. */
  isEscape: boolean;
  /** Adds a record: a position in `bytes`. */
  record(position: number): void;
  /** Adds records. */
  recordAll(positions: Int32Array): void;
}

/** Finds the structure of texts, piece by piece. It may be used for many texts at the same time. */
export interface Scanner {
  /** Scans a text from a position to its end. */
  scan(text: ScannedText, from: number): void;
  /** Position of the first such byte from one on; -1 if there is none in the text. */
  find(text: ScannedText, byte: number, from: number): number;
  /** Takes notice that a text has lost its beginning. */
  forget(text: ScannedText): void;
}
