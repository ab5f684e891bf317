import { NotSyncedError } from "./errors.ts";

/** What can be waited for: an informer, a view, a registration of a handler. */
export interface Syncable {
  readonly name: string;
  readonly hasSynced: boolean;
  /** Resolves when `hasSynced` turns true; rejects when that can no longer happen. */
  readonly synced: Promise<void>;
}

/**
 * Resolves when all of the given informers, views and handlers have synced. Reacts at once, without
 * polling; what has synced already counts also after an abort (WAI-3).
 *
 * @throws {NotSyncedError} on abort, or when one of them ends before it has synced; it names all
 *   that are missing
 */
export async function waitForCacheSync(
  signal: AbortSignal | undefined,
  ...syncables: readonly Syncable[]
): Promise<void> {
  const missing = syncables.filter(({ hasSynced }) => !hasSynced);
  if (missing.length === 0) return;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted === true) onAbort();
  try {
    await Promise.race([aborted.promise, Promise.all(missing.map(({ synced }) => synced))]);
  } catch (cause) {
    const names = missing.filter(({ hasSynced }) => !hasSynced).map(({ name }) => name);
    throw new NotSyncedError(names.toSorted(), { cause });
  } finally {
    signal?.removeEventListener("abort", onAbort);
  }
}
