import { isRecord } from "@listwatch/core-fifo/base";
import { findManagedFields, type FieldPlace } from "./managed-fields.ts";

/** Parses JSON. Returns `undefined` if the text is not JSON. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A piece of text, and the start of the object in it whose `managedFields` are not wanted. */
export interface ObjectPiece {
  readonly start: number;
  readonly end: number;
  readonly object: number;
}

/**
 * Parses a piece of text without the `managedFields` of an object in it. The text of that field is
 * not read, so invalid JSON there goes unnoticed. {@link removeManagedFields} removes a field that
 * could not be cut out.
 *
 * @param finish called with the text of the piece; returns the text to parse
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
 * Removes remaining `managedFields` of a parsed object: those in an unusual form, with escapes in
 * their key, or duplicates.
 */
export function removeManagedFields(object: unknown): void {
  if (!isRecord(object)) return;
  const { metadata } = object;
  if (!isRecord(metadata) || metadata["managedFields"] === undefined) return;
  // Copied: a deletion would make this long-lived object slow to read.
  const { managedFields: _, ...rest } = metadata;
  object["metadata"] = rest;
}

// One concatenation: V8 takes longer to parse text of three pieces.
function without(text: string, start: number, end: number, field: FieldPlace): string {
  return text.slice(start, field.start) + text.slice(field.end, end);
}
