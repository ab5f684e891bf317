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
