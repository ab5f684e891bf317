import { recordOf, stringOf } from "@listwatch/core-fifo/base";
import type { FieldError } from "../api/errors.ts";
import { byteLength, isPrintable } from "../base/go-text.ts";
import { invalid, tooLong } from "./field-errors.ts";

/**
 * Maximum bytes of a field manager's name (k8s.io/apimachinery meta/v1/validation
 * `FieldManagerMaxLength`).
 */
export const maxManagerBytes = 128;
// k8s.io/apimachinery meta/v1/validation: `MaxSubresourceNameLength`.
const maxSubresourceBytes = 256;

/** Validates a field manager (k8s.io/apimachinery meta/v1/validation `ValidateFieldManager`). */
export function checkFieldManager(field: string, manager: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(manager) > maxManagerBytes) errors.push(tooLong(field, maxManagerBytes));
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
      errors.push(invalid(field, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += byteLength(character);
  }
  return errors;
}

/** Validates decoded entries of `metadata.managedFields`. */
export function validateManagedFields(entries: unknown): readonly FieldError[] {
  if (!Array.isArray(entries)) return [];
  const errors: FieldError[] = [];
  for (const [index, entry] of entries.entries()) {
    const { manager, subresource } = recordOf(entry);
    const field = `metadata.managedFields[${index}]`;
    if (!isPlain(manager)) errors.push(...checkFieldManager(`${field}.manager`, stringOf(manager)));
    if (byteLength(stringOf(subresource)) > maxSubresourceBytes) {
      errors.push(tooLong(`${field}.subresource`, maxSubresourceBytes));
    }
  }
  return errors;
}

// Fast path for short ASCII names: each write checks all entries up to four times.
function isPlain(manager: unknown): boolean {
  return typeof manager === "string" && /^[ -~]{1,64}$/.test(manager);
}
