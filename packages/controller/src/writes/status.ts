import { metaNamespaceKey, type Cached, type KubernetesObject } from "@listwatch/core-fifo";
import { isJsonEqual, resourceVersionOf } from "@listwatch/core-fifo/base";
import type { MergePatch, ResourceClient } from "@listwatch/client";
import {
  checkConflictOptions,
  retryOnConflict,
  type RetryOnConflictOptions,
  type ObjectPatcher,
} from "./conflict.ts";

/** A status to write: the value of `status` in a merge patch of `T`; any value if the type has none. */
export type StatusOf<T> = "status" extends keyof T ? MergePatch<T>["status" & keyof T] : unknown;

/**
 * Callback of {@link writeStatus}. The condition gives its result the type of the status, so that
 * words of an enum need no `as const`: a function whose result alone depends on `T` would not.
 */
export type ComputeStatus<T> = "status" extends keyof T
  ? (object: Cached<T> | T) => StatusOf<T>
  : (object: Cached<T> | T) => unknown;

/**
 * Writes the status of an object, based on its newest state. `compute` is called with the cached
 * object, and again with the server's object if another client wrote in the meantime. An unchanged
 * status is not written.
 *
 * @returns the object as answered by the server; the given object if its status is unchanged
 * @throws {StatusError} if the conflicts do not end, and at once for any other refusal
 */
export async function writeStatus<T extends KubernetesObject>(
  client: ResourceClient<T>,
  object: Cached<T> | T,
  compute: ComputeStatus<T>,
  options?: RetryOnConflictOptions,
): Promise<Cached<T> | T>;
export async function writeStatus<T extends KubernetesObject>(
  client: ResourceClient<T>,
  object: Cached<T> | T,
  compute: (object: Cached<T> | T) => unknown,
  options: RetryOnConflictOptions = {},
): Promise<Cached<T> | T> {
  checkConflictOptions(options);
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
