import { ListwatchError } from "@listwatch/core-fifo";

/** The bytes of an answer cannot be decoded. Code `LW_DECODE`. */
export class DecodeError extends ListwatchError {
  override readonly name: string = "DecodeError";
  /**
   * Position of the piece that cannot be decoded, in characters of the answer; in bytes if it is
   * decoded lazily or to some fields.
   */
  readonly offset: number;
  /** The first characters of that piece. */
  readonly start: string;

  constructor(expected: string, offset: number, text: string, options?: ErrorOptions) {
    const start = text.length > maxStart ? text.slice(0, maxStart) : text;
    const more = text.length > maxStart ? "…" : "";
    super(
      "LW_DECODE",
      `Cannot decode the answer at character ${offset}: expected ${expected}, ` +
        `got ${JSON.stringify(start)}${more}`,
      options,
    );
    this.offset = offset;
    this.start = start;
  }
}

/** Enough to recognise an HTML page or a cut object in a log line. */
export const maxStart = 80;

/** The answer to a list request is not a list. Code `LW_NOT_A_LIST`. */
export class NotAListError extends ListwatchError {
  override readonly name: string = "NotAListError";

  constructor(got: string) {
    super("LW_NOT_A_LIST", `Cannot list: expected a list with items, got ${got}`);
  }
}
