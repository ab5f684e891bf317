import type { DeepReadonly } from "@listwatch/store-indexer";

/** The same object, by identity, under its plain type, for code that only reads it. */
export function asPlain<T>(object: DeepReadonly<T> | undefined): T | undefined;
export function asPlain(object: unknown): unknown {
  return object;
}
