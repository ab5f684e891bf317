import type { WatchEvent } from "@listwatch/client";
import { ListwatchError, type KubernetesObject } from "@listwatch/core-fifo";
import { isPromiseLike, untilAborted } from "@listwatch/core-fifo/base";
import { batchOf } from "../machine/event-reader.ts";
import { returnIterator } from "../machine/request-scope.ts";
import type { WatchStream } from "../source/lister-watcher.ts";
import { RetryWatcher, type RetryWatcherOptions } from "./retry-watcher.ts";

/** Called with an event; returns whether the condition is met by it. Throwing ends the wait. */
export type WatchCondition<T> = (event: WatchEvent<T>) => boolean | Promise<boolean>;

/** The watch ended before every condition was met. Code `LW_WATCH_CLOSED`. */
export class WatchClosedError extends ListwatchError {
  override readonly name: string = "WatchClosedError";
  /** The last event that was seen. */
  readonly lastEvent: WatchEvent<unknown> | undefined;

  constructor(lastEvent: WatchEvent<unknown> | undefined, met: number, of: number) {
    super(
      "LW_WATCH_CLOSED",
      `Cannot wait any longer: the watch ended with ${met} of ${of} conditions met`,
    );
    this.lastEvent = lastEvent;
  }
}

/** The wait was aborted; the signal's reason is the `cause`. Code `LW_WAIT_INTERRUPTED`. */
export class WaitInterruptedError extends ListwatchError {
  override readonly name: string = "WaitInterruptedError";
  readonly lastEvent: WatchEvent<unknown> | undefined;

  constructor(lastEvent: WatchEvent<unknown> | undefined, cause: unknown) {
    super("LW_WAIT_INTERRUPTED", "Cannot wait for the conditions: the wait was interrupted", {
      cause,
    });
    this.lastEvent = lastEvent;
  }
}

/** Options of {@link until}. */
export interface UntilOptions<T> extends Pick<
  RetryWatcherOptions<T>,
  "clock" | "listerWatcher" | "log" | "resourceVersion"
> {
  /**
   * To be met one after the other. Each is tried on the event that met the one before, then on
   * later ones.
   */
  readonly conditions: readonly WatchCondition<T>[];
  /** Ends the wait with a {@link WaitInterruptedError}; `AbortSignal.timeout` limits its time. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Watches, across broken connections, until the conditions have been met, and resolves with the
 * event that met the last one (`undefined` without conditions). A 410 when opening a watch is tried
 * again until the signal is aborted, as client-go does; only one in the stream ends the wait.
 *
 * @throws {WatchClosedError} if the history that is needed is gone on the server, or access is
 *   refused
 * @throws {WaitInterruptedError} if the signal is aborted
 * @throws what a condition throws
 */
export function until<T extends KubernetesObject>(
  options: UntilOptions<T>,
): Promise<WatchEvent<T> | undefined> {
  return untilWithoutRetry(new RetryWatcher<T>(options), options);
}

/**
 * {@link until} over a watch that is open already, and whose end ends the wait.
 *
 * @throws {WatchClosedError} if the watch ends before
 * @throws {WaitInterruptedError} if the signal is aborted
 * @throws what a condition throws, or the watch
 */
export async function untilWithoutRetry<T>(
  watch: WatchStream<T>,
  { conditions, signal }: Pick<UntilOptions<T>, "conditions" | "signal">,
): Promise<WatchEvent<T> | undefined> {
  const progress = new ConditionProgress(conditions, signal);
  const iterator = watch[Symbol.asyncIterator]();
  try {
    if (conditions.length === 0) return undefined;
    for (;;) {
      const { done, value } = await untilAborted(iterator.next(), signal);
      if (done === true) break;
      for (const event of batchOf(value)) {
        signal?.throwIfAborted();
        if (await progress.isLastMetBy(event)) return event;
      }
    }
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) {
      throw new WaitInterruptedError(progress.lastEvent, error);
    }
    throw error;
  } finally {
    returnIterator(iterator);
  }
  // A watch may end with the signal, without an error.
  if (signal?.aborted === true) throw new WaitInterruptedError(progress.lastEvent, signal.reason);
  throw new WatchClosedError(progress.lastEvent, progress.met, conditions.length);
}

/** How many of the conditions have been met. */
class ConditionProgress<T> {
  readonly #conditions: readonly WatchCondition<T>[];
  readonly #signal: AbortSignal | undefined;
  #met = 0;
  #lastEvent: WatchEvent<T> | undefined;

  constructor(conditions: readonly WatchCondition<T>[], signal: AbortSignal | undefined) {
    this.#conditions = conditions;
    this.#signal = signal;
  }

  get met(): number {
    return this.#met;
  }

  get lastEvent(): WatchEvent<T> | undefined {
    return this.#lastEvent;
  }

  /** Whether the event meets all conditions that are left. */
  async isLastMetBy(event: WatchEvent<T>): Promise<boolean> {
    this.#lastEvent = event;
    for (const condition of this.#conditions.slice(this.#met)) {
      const answer = condition(event);
      const isMet = isPromiseLike(answer) ? await untilAborted(answer, this.#signal) : answer;
      if (!isMet) return false;
      this.#met += 1;
    }
    return true;
  }
}
