import type { WatchEvent } from "@listwatch/client";
import { ListwatchError, type KubernetesObject } from "@listwatch/core-fifo";
import {
  isPromiseLike,
  untilAborted,
  aClock,
  aFunction,
  aLog,
  anArrayOf,
  aSignal,
  aString,
  having,
  checkOptions,
  type OptionsOf,
  type OptionTable,
} from "@listwatch/core-fifo/base";
import { batchOf } from "../session/event-reader.ts";
import { returnIterator } from "../session/deadline.ts";
import type { WatchStream } from "../source/lister-watcher.ts";
import { RetryWatcher, type RetryWatcherOptions } from "./retry-watcher.ts";

/** Called with an event. Returns whether it satisfies the condition. Throwing ends the wait. */
export type WatchCondition<T> = (event: WatchEvent<T>) => boolean | Promise<boolean>;

/**
 * A wait ended before all conditions were satisfied. The code is `LW_WATCH_CLOSED` if the watch
 * ended, and `LW_WAIT_INTERRUPTED` if the signal was aborted; its reason is then the `cause`.
 */
export class UntilError extends ListwatchError {
  /** Always `"UntilError"`, also in minified programs. */
  override readonly name: string = "UntilError";
  /** Reason of the end: the watch closed, or the wait was aborted. */
  declare readonly code: "LW_WAIT_INTERRUPTED" | "LW_WATCH_CLOSED";
  /** Last event before the end; `undefined` if none came. */
  readonly lastEvent: WatchEvent<unknown> | undefined;

  constructor(
    code: UntilError["code"],
    message: string,
    lastEvent: WatchEvent<unknown> | undefined,
    options?: ErrorOptions,
  ) {
    super(code, message, options);
    this.lastEvent = lastEvent;
  }
}

/** Options of {@link until}. */
export interface UntilOptions<T> extends Pick<
  RetryWatcherOptions<T>,
  "clock" | "listerWatcher" | "log" | "resourceVersion"
> {
  /**
   * Conditions to satisfy in order. Each one is tested on the event that satisfied the previous
   * one, then on later ones.
   */
  readonly conditions: readonly WatchCondition<T>[];
  /**
   * Ends the wait with an {@link UntilError}; `AbortSignal.timeout` limits its time.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
}

const conditionsTable = {
  conditions: anArrayOf(aFunction, "an array of functions"),
  signal: aSignal,
} satisfies OptionTable;
const untilTable: OptionsOf<UntilOptions<never>> = {
  ...conditionsTable,
  clock: aClock,
  listerWatcher: having("watch"),
  log: aLog,
  resourceVersion: aString,
};

/**
 * Watches, over several connections if necessary, until all conditions are satisfied. Resolves with
 * the event that satisfied the last one (`undefined` without conditions). A 410 when opening a
 * watch is retried until the signal is aborted, as in client-go; one in the stream ends the wait.
 *
 * @throws {UntilError} if the signal is aborted, the server no longer has the required history, or
 *   access is refused
 * @throws the error of a condition
 */
export function until<T extends KubernetesObject>(
  options: UntilOptions<T>,
): Promise<WatchEvent<T> | undefined> {
  checkOptions(options, untilTable, ["conditions", "listerWatcher", "resourceVersion"]);
  const { clock, conditions, listerWatcher, log, resourceVersion, signal } = options;
  const watcher = new RetryWatcher<T>({ clock, listerWatcher, log, resourceVersion, signal });
  return untilWithoutRetry(watcher, { conditions, signal });
}

/**
 * Same as {@link until}, for an open watch, whose end ends the wait.
 *
 * @throws {UntilError} if the signal is aborted, or the watch ends before
 * @throws the error of a condition, or of the watch
 */
export async function untilWithoutRetry<T>(
  watch: WatchStream<T>,
  options: Pick<UntilOptions<T>, "conditions" | "signal">,
): Promise<WatchEvent<T> | undefined> {
  checkOptions(options, conditionsTable, ["conditions"]);
  const { conditions, signal } = options;
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
      throw progress.interruptedBy(error);
    }
    throw error;
  } finally {
    returnIterator(iterator);
  }
  // A watch may end with the signal, without an error.
  if (signal?.aborted === true) throw progress.interruptedBy(signal.reason);
  throw progress.closed();
}

/** Number of satisfied conditions. */
class ConditionProgress<T> {
  readonly #conditions: readonly WatchCondition<T>[];
  readonly #signal: AbortSignal | undefined;
  #met = 0;
  #lastEvent: WatchEvent<T> | undefined;

  constructor(conditions: readonly WatchCondition<T>[], signal: AbortSignal | undefined) {
    this.#conditions = conditions;
    this.#signal = signal;
  }

  /** Creates the error for a wait whose signal was aborted. */
  interruptedBy(cause: unknown): UntilError {
    const message = "Cannot wait for the conditions: the wait was interrupted";
    return new UntilError("LW_WAIT_INTERRUPTED", message, this.#lastEvent, { cause });
  }

  /** Creates the error for a watch that ended. */
  closed(): UntilError {
    const met = `${this.#met} of ${this.#conditions.length} conditions met`;
    const message = `Cannot wait any longer: the watch ended with ${met}`;
    return new UntilError("LW_WATCH_CLOSED", message, this.#lastEvent);
  }

  /** Whether the event satisfies all remaining conditions. */
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
