import type { FieldError } from "../api/field-error.ts";
import type { ApiObject } from "../api/resource-definition.ts";

/**
 * What is checked of the objects of a built-in kind besides their metadata. Defaults are filled in
 * before. The errors may come in any order; equal ones appear once in the message.
 */
export interface ObjectRules {
  /** Reasons to refuse a new object. */
  readonly create: (object: ApiObject) => readonly FieldError[];
  /** Reasons to refuse a changed object: all of it, and changes that are not allowed. */
  readonly update: (object: ApiObject, stored: ApiObject) => readonly FieldError[];
  /** Reasons to refuse a changed status. */
  readonly status?: (object: ApiObject, stored: ApiObject) => readonly FieldError[];
  /** What the writer of an accepted object should know; `stored` is undefined for a new one. */
  readonly warnings?: (object: ApiObject, stored: ApiObject | undefined) => readonly string[];
}

/**
 * The rules of a kind of which each version is checked as a new object is, and changes besides. The
 * order is that of the messages.
 */
export function rulesOf(
  check: (object: ApiObject) => readonly FieldError[],
  more: Partial<ObjectRules> & {
    readonly changes?: ObjectRules["update"];
    /** Which of the two comes first in a message. @default "changes" */
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
