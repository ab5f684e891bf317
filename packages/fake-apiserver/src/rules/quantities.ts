import type { FieldError } from "../api/errors.ts";
import { textOf } from "../base/go-text.ts";
import { quantityNanos } from "../schema/quantity.ts";
import { invalid } from "../validation/field-errors.ts";
import { checkQualifiedName } from "../validation/names.ts";
import { checkText } from "../validation/values.ts";

/** Billionths in one. */
const nanosInOne = 1_000_000_000n;

/** The value of a quantity in billionths, 0 for what is none. */
export function nanosOf(quantity: unknown): bigint {
  return quantityNanos(textOf(quantity)) ?? 0n;
}

/** A quantity above zero. */
export function checkPositiveQuantity(field: string, quantity: unknown): FieldError[] {
  if (nanosOf(quantity) > 0n) return [];
  return [invalid(field, quantity, "must be greater than zero")];
}

/** A quantity that is not negative, and whole where `isWhole` says so. */
export function checkQuantity(field: string, quantity: unknown, isWhole: boolean): FieldError[] {
  const nanos = nanosOf(quantity);
  if (nanos < 0n) return [invalid(field, quantity, "must be greater than or equal to 0")];
  if (!isWhole || nanos % nanosInOne === 0n) return [];
  return [invalid(field, quantity, "must be an integer")];
}

/** The name of a resource: one of the standard ones, or with a domain. */
export function checkResourceName(
  field: string,
  name: string,
  isStandard: (name: string) => boolean,
): FieldError[] {
  const errors = checkText(field, name, checkQualifiedName);
  if (errors.length > 0 || name.includes("/") || isStandard(name)) return errors;
  return [invalid(field, name, "must be a standard resource type or fully qualified")];
}
