import { FieldSelector, LabelSelector } from "@listwatch/store-indexer";
import { isRecord } from "./values.ts";

/** Strings by name in a trace, such as labels. */
export function texts(value: unknown): Record<string, string> {
  if (!isRecord(value)) throw new TypeError("Couldn't read texts by name: expected an object");
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}

/** Decodes a label selector from the notation of the traces. */
export function labelSelector(notation: unknown): LabelSelector {
  if (typeof notation === "string") return LabelSelector.parse(notation);
  if (isRecord(notation)) {
    if (notation["$nothing"] === true) return LabelSelector.nothing;
    if (notation["$everything"] === true) return LabelSelector.everything;
    return LabelSelector.fromSet(texts(notation["$fromSet"]), { validate: false });
  }
  throw new TypeError(`Couldn't read the selector ${JSON.stringify(notation)}`);
}

/** Decodes a field selector from the notation of the traces. */
export function fieldSelector(notation: unknown): FieldSelector {
  if (typeof notation === "string") return FieldSelector.parse(notation);
  if (isRecord(notation)) {
    if (notation["$nothing"] === true) return FieldSelector.nothing;
    if (notation["$everything"] === true) return FieldSelector.everything;
    const { $and: all, $equal: equal, $notEqual: notEqual } = notation;
    if (Array.isArray(all)) return FieldSelector.and(...all.map(fieldSelector));
    if (Array.isArray(equal)) return FieldSelector.equal(String(equal[0]), String(equal[1]));
    if (Array.isArray(notEqual)) {
      return FieldSelector.notEqual(String(notEqual[0]), String(notEqual[1]));
    }
  }
  throw new TypeError(`Couldn't read the selector ${JSON.stringify(notation)}`);
}
