import { isRecord } from "@listwatch/core-fifo/base";
import { findManagedFields, type FieldPlace } from "./managed-fields.ts";

/** Parses JSON; `undefined` if the text is not JSON. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A piece of text, and where the object in it begins whose `managedFields` are not wanted. */
export interface ObjectPiece {
  readonly start: number;
  readonly end: number;
  readonly object: number;
}

/**
 * Parses a piece of text without the `managedFields` of an object in it. The text of that field is
 * not looked at: what is no JSON there goes unnoticed. {@link removeManagedFields} removes a field
 * that could not be cut out.
 *
 * @param finish called with the text of the piece before it is parsed; returns what is parsed
 */
export function tryParseStripped(
  text: string,
  { start, end, object }: ObjectPiece,
  finish: (text: string) => string,
): unknown {
  const found = findManagedFields(text, object, end);
  const value =
    found === undefined ? undefined : tryParse(finish(without(text, start, end, found)));
  return value ?? tryParse(finish(text.slice(start, end)));
}

/**
 * Removes the `managedFields` of a parsed object that are still there: those in another form than
 * servers write, whose key is spelled with escapes, or that come twice.
 */
export function removeManagedFields(object: unknown): void {
  if (!isRecord(object)) return;
  const { metadata } = object;
  if (!isRecord(metadata) || metadata["managedFields"] === undefined) return;
  // A copy: deletion would make the object slow to read, and it is kept for long.
  const { managedFields: _, ...rest } = metadata;
  object["metadata"] = rest;
}

// One concatenation: V8 takes longer to parse text that was joined of three pieces.
function without(text: string, start: number, end: number, field: FieldPlace): string {
  return text.slice(start, field.start) + text.slice(field.end, end);
}
