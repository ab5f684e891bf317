import { describeValue, ListwatchError } from "@listwatch/core-fifo/base";

/** Parts of a request path. */
export type PathPart = "group" | "version" | "resource" | "namespace" | "name" | "subresource";

const segment = 'a text without "/" and "%" that is not empty, "." or ".."';

/**
 * A name cannot be a segment of a request path, because it would select another object or a whole
 * collection. It is not a string, is empty, `.` or `..`, or contains `/` or `%`, as in client-go
 * (`IsValidPathSegmentName`, apimachinery/pkg/api/validation/path/name.go). No request was sent.
 * Code `LW_INVALID_NAME`.
 */
export class InvalidNameError extends ListwatchError {
  /** Always `"InvalidNameError"`, also in minified programs. */
  override readonly name: string = "InvalidNameError";
  /** The invalid part of the path. */
  readonly part: PathPart;
  /** Value of the invalid part, as passed. */
  readonly value: unknown;

  /** @param expected description of the expected value; by default a segment of a path */
  constructor(part: PathPart, value: unknown, expected: string = segment) {
    super(
      "LW_INVALID_NAME",
      `Cannot make a path of the ${part}: expected ${expected}, got ${describeValue(value)}`,
    );
    this.part = part;
    this.value = value;
  }
}
