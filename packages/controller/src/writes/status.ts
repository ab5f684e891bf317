import { metaNamespaceKey, type Cached, type KubernetesObject } from "@listwatch/core-fifo";
import { isJsonEqual, resourceVersionOf } from "@listwatch/core-fifo/base";
import type { MergePatch, ResourceClient } from "@listwatch/client";
import { retryOnConflict, type RetryOnConflictOptions } from "./conflict.ts";
import type { ObjectPatcher } from "./object-patcher.ts";

/**
 * A status to write: what a merge patch may have in place of that of a `T`; anything where the type
 * has none.
 */
export type StatusOf<T> = "status" extends keyof T ? MergePatch<T>["status" & keyof T] : unknown;

/**
 * Writes the status of an object, based on its newest state: `compute` is called with what the
 * cache had, and again with what the server has whenever another client wrote in the meantime. Does
 * not write a status that is there already.
 *
 * @returns the object as the server has it now; the given one if there was nothing to write
 * @throws {StatusError} when the conflicts do not end, and at once for any other refusal
 */
export async function writeStatus<T extends KubernetesObject>(
  client: ResourceClient<T>,
  object: Cached<T> | T,
  compute: (object: Cached<T> | T) => StatusOf<T>,
  options: RetryOnConflictOptions = {},
): Promise<Cached<T> | T> {
  const key = metaNamespaceKey(object);
  const { clock = client.clock, signal } = options;
  const patcher: ObjectPatcher<T> = client;
  let current: Cached<T> | T | undefined = object;
  return retryOnConflict(
    async () => {
      const base: Cached<T> | T = current ?? (await client.get(key, { signal }));
      current = undefined;
      const status = compute(base);
      if (isJsonEqual(status, Reflect.get(base, "status"))) return base;
      const resourceVersion = resourceVersionOf(base);
      return patcher.patchStatus(key, { metadata: { resourceVersion }, status }, { signal });
    },
    { ...options, clock },
  );
}
