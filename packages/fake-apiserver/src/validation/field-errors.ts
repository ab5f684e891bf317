import type { FieldError, FieldErrorReason } from "../api/field-error.ts";
import { goJson, goNumber, goQuote } from "../base/go-text.ts";

/** How the server words each reason at the start of a message. */
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

/** A value as it appears in a message: texts quoted, numbers and booleans plain, the rest as JSON. */
function describeValue(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (typeof value === "number") return goNumber(value);
  return goJson(value);
}

/** The value is malformed. */
export function invalid(field: string, value: unknown, detail: string): FieldError {
  return withValue("FieldValueInvalid", field, describeValue(value), detail);
}

/**
 * The value is malformed, and is shown as this text: structs keep the order of their fields, maps
 * do not.
 */
export function invalidShown(field: string, shown: string, detail: string): FieldError {
  return withValue("FieldValueInvalid", field, shown, detail);
}

/** Something about the value as a whole is wrong, which is not shown. */
export function invalidAsWhole(field: string, detail: string): FieldError {
  return withoutValue("FieldValueInvalid", field, detail);
}

/** The value has the wrong JSON type; `typeName` is shown in place of the value. */
export function typeInvalid(field: string, typeName: string, detail: string): FieldError {
  return withValue("FieldValueTypeInvalid", field, goQuote(typeName), detail);
}

/** The value is missing. */
export function required(field: string, detail = ""): FieldError {
  return withoutValue("FieldValueRequired", field, detail);
}

/** The value is none of the supported ones. */
export function notSupported(
  field: string,
  value: unknown,
  supported: readonly string[],
): FieldError {
  return notSupportedShown(field, describeValue(value), supported);
}

/** The value is none of the supported ones, and is shown as this text. */
export function notSupportedShown(
  field: string,
  shown: string,
  supported: readonly string[],
): FieldError {
  const detail =
    supported.length === 0 ? "" : `supported values: ${supported.map(goQuote).join(", ")}`;
  return withValue("FieldValueNotSupported", field, shown, detail);
}

/** The value is fine as such, but not allowed here. */
export function forbidden(field: string, detail: string): FieldError {
  return withoutValue("FieldValueForbidden", field, detail);
}

/** The value occurs twice where it has to be unique. */
export function duplicate(field: string, value: unknown): FieldError {
  return withValue("FieldValueDuplicate", field, describeValue(value), "");
}

/** The value occurs twice where it has to be unique, and is shown as this text. */
export function duplicateShown(field: string, shown: string, detail = ""): FieldError {
  return withValue("FieldValueDuplicate", field, shown, detail);
}

/** The value names something that is not there. */
export function notFound(field: string, value: unknown): FieldError {
  return withValue("FieldValueNotFound", field, describeValue(value), "");
}

/** The value has more than `maxBytes` bytes. */
export function tooLong(field: string, maxBytes: number): FieldError {
  return withoutValue("FieldValueTooLong", field, `may not be more than ${maxBytes} bytes`);
}

/** The list or map has more entries than allowed. */
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
