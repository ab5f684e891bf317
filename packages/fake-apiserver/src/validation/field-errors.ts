import type { JsonObject } from "@listwatch/core-fifo/base";
import { loadOnce } from "../base/load-once.ts";
import type { FieldError, FieldErrorReason } from "../api/errors.ts";
import { goJson, goNumber, goQuote } from "../base/go-text.ts";
import { memoized } from "../base/read-fields.ts";

const titles: Readonly<Record<FieldErrorReason, string>> = {
  FieldValueRequired: "Required value",
  FieldValueInvalid: "Invalid value",
  FieldValueTypeInvalid: "Invalid value",
  FieldValueNotSupported: "Unsupported value",
  FieldValueForbidden: "Forbidden",
  FieldValueDuplicate: "Duplicate value",
  FieldValueNotFound: "Not found",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  InternalError: "Internal error",
};

/** Formats a value for a message: quoted strings, plain numbers and booleans, other values as JSON. */
function describeValue(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number") return goNumber(value);
  return goJson(value);
}

/** Reports a malformed value. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return withValue("FieldValueInvalid", field, describeValue(value), detail);
}

/**
 * Reports a malformed value in the given form, since structs keep the order of their fields and
 * maps do not.
 */
export function invalidShown(field: string, shown: string, detail: string): FieldError {
  return withValue("FieldValueInvalid", field, shown, detail);
}

const loadStructTexts = loadOnce(() => import("./struct-texts.ts"));

/** Adds to an error how two objects differ, as types of the server show it. */
export function withDiff(
  error: FieldError,
  type: string,
  before: JsonObject,
  after: JsonObject,
): FieldError {
  const message = error.message.endsWith("\n") ? error.message : `${error.message}\n`;
  const complete = async (): Promise<string> =>
    message + (await loadStructTexts()).diffStructs(type, before, after);
  return { ...error, complete };
}

/** Reports a malformed object, as a type of the server shows it. */
export function invalidStruct(
  field: string,
  type: string,
  value: JsonObject,
  detail: string,
): FieldError {
  const complete = async (): Promise<string> =>
    invalidShown(field, (await loadStructTexts()).showStruct(type, value), detail).message;
  return { ...invalid(field, value, detail), complete };
}

/** Reports a problem without showing the value. */
export function invalidAsWhole(field: string, detail: string): FieldError {
  return withoutValue("FieldValueInvalid", field, detail);
}

/** Reports a value of the wrong JSON type; shows `typeName` instead of the value. */
export function typeInvalid(field: string, typeName: string, detail: string): FieldError {
  return withValue("FieldValueTypeInvalid", field, goQuote(typeName), detail);
}

/** Reports a missing value. */
export function required(field: string, detail = ""): FieldError {
  return withoutValue("FieldValueRequired", field, detail);
}

/** Reports a value other than the supported ones. */
export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  return notSupportedShown(field, describeValue(value), supported);
}

const quotedList = memoized((values: readonly string[]) => values.map(goQuote).join(", "));

/** Reports a value other than the supported ones, in the given form. */
export function notSupportedShown(
  field: string,
  shown: string,
  supported: readonly string[],
): FieldError {
  const detail = supported.length === 0 ? "" : `supported values: ${quotedList(supported)}`;
  return withValue("FieldValueNotSupported", field, shown, detail);
}

/** Reports a valid value that is not allowed here. */
export function forbidden(field: string, detail: string): FieldError {
  return withoutValue("FieldValueForbidden", field, detail);
}

/** Reports a second occurrence of a value that must be unique. */
export function duplicate(field: string, value: unknown): FieldError {
  return withValue("FieldValueDuplicate", field, describeValue(value), "");
}

/** Reports a second occurrence of a value that must be unique, in the given form. */
export function duplicateShown(field: string, shown: string, detail = ""): FieldError {
  return withValue("FieldValueDuplicate", field, shown, detail);
}

/** Reports a reference to something that does not exist. */
export function notFound(field: string, value: unknown): FieldError {
  return withValue("FieldValueNotFound", field, describeValue(value), "");
}

/** Reports a value of more than `maxBytes` bytes. */
export function tooLong(field: string, maxBytes: number): FieldError {
  return withoutValue("FieldValueTooLong", field, `may not be more than ${maxBytes} bytes`);
}

/** Reports a list or map with more than `max` entries. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const detail = `must have at most ${max} ${max === 1 ? "item" : "items"}`;
  return withValue("FieldValueTooMany", field, String(actual), detail);
}

function withValue(
  reason: FieldErrorReason,
  field: string,
  shown: string,
  detail: string,
): FieldError {
  const message = `${titles[reason]}: ${shown}`;
  return { reason, field, message: detail === "" ? message : `${message}: ${detail}` };
}

function withoutValue(reason: FieldErrorReason, field: string, detail: string): FieldError {
  const title = titles[reason];
  return { reason, field, message: detail === "" ? title : `${title}: ${detail}` };
}
