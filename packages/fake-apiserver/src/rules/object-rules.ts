import type { FieldError } from "../api/errors.ts";
import type { ApiObject } from "../api/api-object.ts";

/**
 * Rules for the objects of a built-in kind, except their metadata. Defaults have been filled in.
 * The errors may be in any order; equal ones appear once in the message.
 */
export interface ObjectRules {
  /** Reasons to refuse a new object. */
  readonly create: (object: ApiObject) => readonly FieldError[];
  /** Reasons to refuse a changed object: all of it, and changes that are not allowed. */
  readonly update: (object: ApiObject, stored: ApiObject) => readonly FieldError[];
  /** Reasons to refuse a changed status. */
  readonly status?: (object: ApiObject, stored: ApiObject) => readonly FieldError[];
  /** Warnings for the writer of an accepted object; `stored` is undefined for a new one. */
  readonly warnings?: (object: ApiObject, stored: ApiObject | undefined) => readonly string[];
}

/**
 * Creates rules that check each version like a new object, and its changes in addition. The order
 * is that of the messages.
 */
export function rulesOf(
  check: (object: ApiObject) => readonly FieldError[],
  more: Partial<ObjectRules> & {
    readonly changes?: ObjectRules["update"];
    /** The one that comes first in a message. @default "changes" */
    readonly first?: "check" | "changes";
  } = {},
): ObjectRules {
  const { changes = () => [], first = "changes", ...others } = more;
  return {
    create: check,
    update: (object, stored) =>
      first === "check"
        ? [...check(object), ...changes(object, stored)]
        : [...changes(object, stored), ...check(object)],
    ...others,
  };
}
