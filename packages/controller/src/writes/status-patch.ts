import {
  metaNamespaceKey,
  resourceVersionOf,
  type KubernetesObject,
  type Cached,
} from "@listwatch/core-fifo";
import type { ResourceClient } from "@listwatch/client";
import { retryOnConflict, type RetryOptions } from "./retry-on-conflict.ts";

/**
 * Writes the status of an object, based on its newest state: `compute` is called with what the
 * cache had, and again with what the server has whenever somebody else wrote meanwhile. Does not
 * write a status that is there already.
 *
 * @returns the object as the server has it now; the given one if there was nothing to write
 * @throws {StatusError} when the conflicts do not end, and at once for any other refusal
 */
export async function writeStatus<T extends KubernetesObject>(
  client: ResourceClient<T>,
  object: Cached<T> | T,
  compute: (object: Cached<T> | T) => unknown,
  options: RetryOptions = {},
): Promise<Cached<T> | T> {
  const key = metaNamespaceKey(object);
  const { signal } = options;
  let current: Cached<T> | T | undefined = object;
  return retryOnConflict(async () => {
    const base: Cached<T> | T = current ?? (await client.get(key, { signal }));
    current = undefined;
    const status = compute(base);
    if (isSame(status, Reflect.get(base, "status"))) return base;
    const resourceVersion = resourceVersionOf(base);
    return client.patchStatus(key, { metadata: { resourceVersion }, status }, { signal });
  }, options);
}

/** Whether two values of JSON say the same, whatever the order of their members. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    if (!isSame(left.get(name), right.get(name))) return false;
  }
  return true;
}
