import { cutManagedFields } from "./managed-fields.ts";

/** What JSON text stands for, or `undefined` if it is none. */
export function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Parses a piece of text without the `managedFields` of the object that begins at `object` in it.
 *
 * @param finish what to do to the text of the piece before it is parsed
 */
export function tryParseStripped(
  text: string,
  piece: { readonly start: number; readonly end: number; readonly object: number },
  finish: (text: string) => string,
): unknown {
  const { start, end, object } = piece;
  const head = text.slice(start, object);
  const cut = cutManagedFields(text, object, end, false);
  if (cut === undefined) return tryParse(finish(text.slice(start, end)));
  const value = tryParse(finish(head + cut.text));
  if (value !== undefined || !cut.guessed) return value;
  const exact = cutManagedFields(text, object, end, true);
  return exact === undefined ? undefined : tryParse(finish(head + exact.text));
}
