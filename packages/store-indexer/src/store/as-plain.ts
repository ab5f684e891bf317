import type { DeletedFinalStateUnknown } from "@listwatch/core-fifo";
import type { DeepReadonly } from "./deep-readonly.ts";

/**
 * The same object, by identity, under its plain type: for a user's own function over `T` that only
 * reads, or that was declared before anybody thought of read-only types.
 */
export function asPlain<T>(object: T | DeepReadonly<T> | DeletedFinalStateUnknown<T>): T;
export function asPlain(object: unknown): unknown {
  return object;
}
