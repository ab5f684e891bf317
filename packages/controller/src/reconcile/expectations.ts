import { sleep, type Clock } from "@listwatch/core-fifo";
import { linkAbort, untilAborted } from "@listwatch/core-fifo/base";
import type { NotedWrite } from "@listwatch/shared-informer";

/** Writes of reconciles, by key, until the caches show them. */
export class Expectations {
  readonly #expected = new Map<string, Set<NotedWrite>>();

  add(key: string, write: NotedWrite): void {
    const writes = this.#expected.get(key) ?? new Set();
    this.#expected.set(key, writes.add(write));
    void this.#forgetLater(key, writes, write);
  }

  async #forgetLater(key: string, writes: Set<NotedWrite>, write: NotedWrite): Promise<void> {
    await write.over;
    writes.delete(write);
    if (writes.size === 0 && this.#expected.get(key) === writes) this.#expected.delete(key);
  }

  /** Removes and returns the writes of a key that a cache does not show; `undefined` if none. */
  take(key: string): readonly NotedWrite[] | undefined {
    const writes = this.#expected.get(key);
    if (writes === undefined) return undefined;
    this.#expected.delete(key);
    const left = [...writes].filter(({ isOver }) => !isOver);
    return left.length === 0 ? undefined : left;
  }
}

/**
 * Waits until the caches show the writes, the time is over, or the signal is aborted. Never
 * rejects: if the caches are late, the key is reconciled anyway.
 *
 * @returns whether the time was over first
 */
export async function waitForCaches(
  writes: readonly NotedWrite[],
  options: { readonly timeoutMs: number; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<boolean> {
  const { timeoutMs, clock } = options;
  const enough = linkAbort(options.signal);
  const { signal } = enough;
  const seen = untilAborted(Promise.all(writes.map(({ over }) => over)), signal);
  const isLate = sleep(timeoutMs, { clock, signal }).then(() => true);
  try {
    return await Promise.race([isLate, seen.then(() => false)]);
  } catch {
    return false;
  } finally {
    enough.abort();
    await Promise.allSettled([isLate, seen]);
  }
}
