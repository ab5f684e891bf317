import { describeValue, ListwatchError } from "@listwatch/core-fifo/base";

/** What a request path is made of. */
export type PathPart = "group" | "version" | "resource" | "namespace" | "name" | "subresource";

const segment = 'a text without "/" and "%" that is not empty, "." or ".."';

/**
 * A name cannot be a segment of a request path, where it would mean another object or a whole
 * collection: it is no text, empty, `.` or `..`, or contains `/` or `%`, as in client-go
 * (`IsValidPathSegmentName`, apimachinery/pkg/api/validation/path/name.go). No request was sent.
 * Code `LW_INVALID_NAME`.
 */
export class InvalidNameError extends ListwatchError {
  override readonly name: string = "InvalidNameError";
  /** The part of the path that cannot be made. */
  readonly part: PathPart;
  /** What was given for it. */
  readonly value: unknown;

  /** @param expected what was expected in place of the value @default a segment of a path */
  constructor(part: PathPart, value: unknown, expected: string = segment) {
    super(
      "LW_INVALID_NAME",
      `Cannot make a path of the ${part}: expected ${expected}, got ${describeValue(value)}`,
    );
    this.part = part;
    this.value = value;
  }
}
