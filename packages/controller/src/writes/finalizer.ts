import {
  metaNamespaceKey,
  type Cached,
  type KubernetesObject,
  type ObjectMeta,
} from "@listwatch/core-fifo";
import {
  metadataOf,
  aFunction,
  aString,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { type ResourceClient, isNotFound } from "@listwatch/client";
import {
  conflictTable,
  requiredDelays,
  retryOnConflict,
  type RetryOnConflictOptions,
  type ObjectPatcher,
} from "./conflict.ts";

interface FinalizerMeta extends ObjectMeta {
  readonly finalizers?: readonly string[] | undefined;
  readonly deletionTimestamp?: string | undefined;
}

/** Options of {@link withFinalizer}: finalizer, callbacks, and retries of its writes. */
export interface FinalizerOptions<R> extends RetryOnConflictOptions {
  /** Name of the finalizer, such as `example.com/cleanup`. */
  readonly finalizer: string;
  /** Called while the object is not being deleted, once it has the finalizer. */
  readonly apply: () => Promise<R>;
  /** Called while the object is being deleted, until it succeeds. */
  readonly cleanup: () => Promise<void>;
}

const finalizerTable: OptionsOf<FinalizerOptions<never>> = {
  ...conflictTable,
  finalizer: aString,
  apply: aFunction,
  cleanup: aFunction,
};

/** Whether an object is being deleted. */
function isBeingDeleted(object: unknown): boolean {
  return finalizerMeta(object).deletionTimestamp !== undefined;
}

/**
 * Keeps an object until `cleanup` has succeeded. Adds the finalizer and calls `apply`; for an
 * object that is being deleted, calls `cleanup` and removes the finalizer. Other finalizers stay.
 * Conflicts are retried.
 *
 * @returns the result of `apply`; `undefined` for an object that is being deleted
 */
export async function withFinalizer<T extends KubernetesObject, R>(
  client: ResourceClient<T>,
  object: Cached<T> | T,
  options: FinalizerOptions<R>,
): Promise<R | undefined> {
  checkOptions(options, finalizerTable, ["finalizer", "apply", "cleanup", ...requiredDelays]);
  const { finalizer, apply, cleanup } = options;
  const { finalizers = [] } = finalizerMeta(object);
  const isPresent = finalizers.includes(finalizer);
  if (!isBeingDeleted(object)) {
    if (!isPresent) {
      await change(client, object, (present) => [...present, finalizer], options);
    }
    return apply();
  }
  if (!isPresent) return undefined;
  await cleanup();
  const remove = (present: readonly string[]): string[] =>
    present.filter((name) => name !== finalizer);
  try {
    await change(client, object, remove, options);
  } catch (error) {
    // An earlier attempt, whose answer was lost, may have removed the finalizer.
    if (!isNotFound(error)) throw error;
  }
  return undefined;
}

async function change(
  client: ObjectPatcher<unknown>,
  object: unknown,
  edit: (finalizers: readonly string[]) => readonly string[],
  options: RetryOnConflictOptions,
): Promise<void> {
  const key = metaNamespaceKey(object);
  const { clock = client.clock, delays, signal } = options;
  let metadata: FinalizerMeta | undefined = finalizerMeta(object);
  await retryOnConflict(
    async () => {
      const {
        finalizers = [],
        resourceVersion,
        uid,
      } = metadata ?? finalizerMeta(await client.get(key, { signal }));
      metadata = undefined;
      const wanted = Array.from(new Set(edit(finalizers)));
      if (wanted.length === finalizers.length) return;
      await client.patch(
        key,
        { metadata: { uid, resourceVersion, finalizers: wanted } },
        { signal },
      );
    },
    { clock, delays, signal },
  );
}

function finalizerMeta(object: unknown): FinalizerMeta {
  return metadataOf(object) ?? {};
}
