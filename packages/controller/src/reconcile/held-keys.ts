import { sleep, type Clock } from "@listwatch/core-fifo";
import { describeDuration, linkAbort, untilAborted } from "@listwatch/core-fifo/base";
import type { NotedWrite } from "@listwatch/shared-informer";
import type { WorkItem, WorkQueue } from "@listwatch/workqueue";
import type { Failures } from "../lifecycle/failures.ts";
import { createStateError } from "./errors.ts";

/** Subject of log lines about caches that do not show a write in time. */
export const writesSubject = "Reading own writes";

/** Parts of {@link HeldKeys}. */
interface HeldKeysParts<K extends string> {
  readonly queue: WorkQueue<K>;
  readonly clock: Clock;
  /** How long a key waits for the caches, in milliseconds. */
  readonly timeoutMs: number;
  readonly log: Failures;
  /** Ends all waits. */
  readonly signal: AbortSignal;
}

/** Keeps keys from being reconciled until the caches show the writes of their last reconciles. */
export class HeldKeys<K extends string> {
  readonly #parts: HeldKeysParts<K>;
  /** Writes that a cache does not show yet. */
  readonly #writes = new Map<K, Set<NotedWrite>>();
  readonly #waits = new Map<K, Promise<void>>();

  constructor(parts: HeldKeysParts<K>) {
    this.#parts = parts;
  }

  /** Adds a write of a reconcile. */
  add(key: K, write: NotedWrite): void {
    const writes = this.#writes.get(key) ?? new Set();
    this.#writes.set(key, writes.add(write));
    void this.#forgetLater(key, writes, write);
  }

  /** Whether a key waits for the caches. */
  has(key: K): boolean {
    return this.#waits.has(key);
  }

  /**
   * Keeps a key taken, without blocking a worker, while the caches lack writes of its reconciles;
   * then adds it again. Returns `false` if they lack none, so that it can be reconciled.
   */
  hold(work: WorkItem<K>): boolean {
    const writes = this.#take(work.item);
    if (writes.length === 0) return false;
    this.#waits.set(work.item, this.#wait(work, writes));
    return true;
  }

  /** Resolves when no key waits any more. */
  async ended(): Promise<void> {
    await Promise.all(this.#waits.values());
  }

  async #forgetLater(key: K, writes: Set<NotedWrite>, write: NotedWrite): Promise<void> {
    await write.over;
    writes.delete(write);
    if (writes.size === 0 && this.#writes.get(key) === writes) this.#writes.delete(key);
  }

  #take(key: K): readonly NotedWrite[] {
    const writes = this.#writes.get(key) ?? [];
    this.#writes.delete(key);
    return [...writes].filter(({ isOver }) => !isOver);
  }

  async #wait(work: WorkItem<K>, writes: readonly NotedWrite[]): Promise<void> {
    const { item, priority } = work;
    if (await waitForCaches(writes, this.#parts)) {
      this.#reportLate(item, writes.filter(({ isOver }) => !isOver).length);
    }
    this.#waits.delete(item);
    this.#parts.queue.add(item, { priority });
    work[Symbol.dispose]();
  }

  #reportLate(key: K, writes: number): void {
    const limit = describeDuration(this.#parts.timeoutMs);
    const error = createStateError(
      `Cannot wait longer for own writes: expected the caches to show them within ${limit}, ` +
        "got older ones; reads by key show the writes, reads by index and selector may be older",
    );
    this.#parts.log.report({ subject: writesSubject, error, fields: { key, writes } }, undefined);
  }
}

/**
 * Waits until the caches show the writes, the time is over, or the signal is aborted. Never
 * rejects: if the caches are late, the key is reconciled anyway.
 *
 * @returns whether the time was over first
 */
async function waitForCaches(
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
