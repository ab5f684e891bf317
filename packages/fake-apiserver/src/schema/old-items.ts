import { isRecord } from "@listwatch/core-fifo/base";
import type { JsonSchema } from "../api/json-schema.ts";

/**
 * Returns a function that finds the item of an old list with the same keys as a new item. Only
 * items in lists of the type map have an identity: it finds none in others.
 */
export function oldItemFinder(
  schema: JsonSchema,
  old: unknown,
): (item: unknown) => { readonly value: unknown } | undefined {
  if (schema["x-kubernetes-list-type"] !== "map" || !Array.isArray(old)) return () => undefined;
  const keys = schema["x-kubernetes-list-map-keys"] ?? [];
  const keyOf = (item: unknown): string | undefined =>
    isRecord(item) ? JSON.stringify(keys.map((key) => item[key])) : undefined;
  const items = new Map<string, { readonly value: unknown }>();
  for (const value of old) {
    const key = keyOf(value);
    if (key !== undefined && !items.has(key)) items.set(key, { value });
  }
  return (item) => items.get(keyOf(item) ?? "");
}
