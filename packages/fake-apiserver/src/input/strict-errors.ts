import { goQuote } from "../base/go-text.ts";
import { keyPathsOf } from "./json-scanner.ts";

/**
 * Returns the errors of strict decoding of a declared type in the order of the text, as Go's
 * decoder meets them. It does not look into fields that the type does not have, and so finds no
 * duplicates of them or in them.
 */
export function orderStrictErrors(text: string, errors: readonly string[]): readonly string[] {
  const known = new Set(errors);
  const ordered = new Set<string>();
  const seen = new Set<string>();
  let skipped: string | undefined;
  for (const path of keyPathsOf(text)) {
    if (skipped !== undefined && isWithin(path, skipped)) continue;
    skipped = undefined;
    const field = `field ${goQuote(path)}`;
    if (known.has(`unknown ${field}`)) {
      ordered.add(`unknown ${field}`);
      skipped = path;
    } else if (seen.has(path) && known.has(`duplicate ${field}`)) {
      ordered.add(`duplicate ${field}`);
    }
    seen.add(path);
  }
  return [...ordered];
}

function isWithin(path: string, outer: string): boolean {
  return path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}
