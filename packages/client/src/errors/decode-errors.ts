import { ListwatchError } from "@listwatch/core-fifo";

/** Advice for an HTML response. */
export const htmlAdvice: string =
  "An HTML page came in place of JSON: the address leads to a website, a login page or a proxy. " +
  "Check the address of the server and what is between";

/** The bytes of a response cannot be decoded. Code `LW_DECODE`. */
export class DecodeError extends ListwatchError {
  /** Always `"DecodeError"`, also in minified programs. */
  override readonly name: string = "DecodeError";
  /**
   * Position of the malformed piece, in bytes of the response. Behind a watch event that is not one
   * line, characters are counted.
   */
  readonly offset: number;
  /** First characters of that piece. */
  readonly start: string;

  /**
   * @param expected description of the expected text, for the message
   * @param offset position of the malformed piece, as in {@link DecodeError.offset}
   * @param text malformed piece, whose first characters the message contains
   */
  constructor(expected: string, offset: number, text: string, options?: ErrorOptions) {
    const start = text.length > maxStart ? text.slice(0, maxStart) : text;
    const more = text.length > maxStart ? "…" : "";
    super(
      "LW_DECODE",
      `Cannot decode the answer at byte ${offset}: expected ${expected}, ` +
        `got ${JSON.stringify(start)}${more}`,
      options,
    );
    this.offset = offset;
    this.start = start;
  }

  override get failureKind(): string {
    return this.#isHtml ? "HTML" : this.code;
  }

  override get advice(): string {
    return this.#isHtml
      ? htmlAdvice
      : "Check that the address is that of an API server, and proxies that change answers";
  }

  get #isHtml(): boolean {
    return /^\s*</.test(this.start);
  }
}

/** Enough to recognise an HTML page or a cut object in a log line. */
const maxStart = 80;

/**
 * A member of a lazily decoded object is malformed, which shows when it is read. Each read throws
 * this error. Code `LW_LAZY_TEXT`.
 */
export class LazyTextError extends ListwatchError {
  /** Always `"LazyTextError"`, also in minified programs. */
  override readonly name: string = "LazyTextError";
  /** Name of the member, such as `spec`. */
  readonly member: string;
  /** The object: `namespace/name`, or `name` without namespace. */
  readonly key: string;

  /**
   * @param text text of the member, whose first characters the message contains
   * @param options `expected` describes the expected form, JSON by default
   */
  constructor(
    member: string,
    key: string,
    text: string,
    options: ErrorOptions & {
      /** Expected form of the text, for the message. @default "JSON" */
      readonly expected?: string;
    } = {},
  ) {
    const { expected = "JSON" } = options;
    const more = text.length > maxStart ? "…" : "";
    super(
      "LW_LAZY_TEXT",
      `Cannot read ${member} of ${JSON.stringify(key)}: expected ${expected}, ` +
        `got ${JSON.stringify(text.slice(0, maxStart))}${more}`,
      options,
    );
    this.member = member;
    this.key = key;
  }
}

/** Creates the error for a response to a list request that is not a list. */
export function createNotAListError(got: string): ListwatchError {
  return new ListwatchError(
    "LW_NOT_A_LIST",
    `Cannot list: expected a list with items, got ${got}`,
    {
      advice: "Check the address of the server and the resource: the answer is no list",
    },
  );
}
