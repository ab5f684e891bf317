import { recordOf } from "@listwatch/core-fifo/base";

/** Returns labels or annotations; no entries if the value is not an object. */
export function stringMap(value: unknown): Readonly<Record<string, string>> {
  const entries = Object.entries(recordOf(value));
  return Object.fromEntries(entries.map(([key, one]) => [key, String(one)]));
}
