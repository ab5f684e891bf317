import type { ItemKey } from "../item-key.ts";

/** Marks the text of a key that is no ordinary string. */
const mark = "\0";

/** A text of its own for each key, for containers whose keys are strings; nearly always the key itself. */
export function keyText(key: ItemKey): string {
  if (typeof key === "string" && !key.startsWith(mark)) return key;
  return `${mark}${typeof key} ${String(key)}`;
}
