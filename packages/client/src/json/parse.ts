import { isRecord } from "@listwatch/core-fifo/base";

/** Parses JSON. Returns `undefined` if the text is not JSON. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
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
