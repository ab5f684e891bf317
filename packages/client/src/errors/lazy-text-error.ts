import { ListwatchError } from "@listwatch/core-fifo";
import { maxStart } from "./decode-errors.ts";

/**
 * A member of a lazily decoded object is no JSON, or no protobuf message, which shows when it is
 * read. Each read throws it. Code `LW_LAZY_TEXT`.
 */
export class LazyTextError extends ListwatchError {
  override readonly name: string = "LazyTextError";
  /** The member, such as `spec`. */
  readonly member: string;
  /** The object: `namespace/name`, or `name` without namespace. */
  readonly key: string;

  /** @param options `expected` describes the member, by default as JSON */
  constructor(
    member: string,
    key: string,
    text: string,
    options: ErrorOptions & { readonly expected?: string } = {},
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
