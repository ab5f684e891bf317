import { ListwatchError, type Clock, type KubernetesObject } from "@listwatch/core-fifo";
import { batchOf } from "../machine/event-reader.ts";
import { RetryWatcher } from "./retry-watcher.ts";
import type { WatchEvent } from "@listwatch/client";
import type { ListerWatcher, WatchStream } from "../source/lister-watcher.ts";

/** Looks at an event and says whether what is waited for has happened. Throwing ends the wait. */
export type WatchCondition<T> = (event: WatchEvent<T>) => boolean | Promise<boolean>;

/** The watch ended before every condition was met. Code `LW_WATCH_CLOSED`. */
export class WatchClosedError extends ListwatchError {
  override readonly name: string = "WatchClosedError";
  /** The last event that was seen. */
  readonly lastEvent: WatchEvent<unknown> | undefined;

  constructor(lastEvent: WatchEvent<unknown> | undefined, met: number, of: number) {
    super(
      "LW_WATCH_CLOSED",
      `Couldn't wait any longer: the watch ended with ${met} of ${of} conditions met`,
    );
    this.lastEvent = lastEvent;
  }
}

/** The wait was aborted; the signal's reason is the `cause`. Code `LW_WAIT_INTERRUPTED`. */
export class WaitInterruptedError extends ListwatchError {
  override readonly name: string = "WaitInterruptedError";
  readonly lastEvent: WatchEvent<unknown> | undefined;

  constructor(lastEvent: WatchEvent<unknown> | undefined, cause: unknown) {
    super("LW_WAIT_INTERRUPTED", "Couldn't wait for the conditions: the wait was interrupted", {
      cause,
    });
    this.lastEvent = lastEvent;
  }
}

/** Options of {@link until}. */
export interface UntilOptions<T> {
  readonly listerWatcher: Pick<ListerWatcher<T>, "watch">;
  /** The state after which events count; not `""` and not `"0"`. */
  readonly resourceVersion: string;
  /**
   * To be met one after the other. Each is tried on the event that met the one before, then on
   * later ones.
   */
  readonly conditions: readonly WatchCondition<T>[];
  /** Ends the wait with a {@link WaitInterruptedError}; `AbortSignal.timeout` limits its time. */
  readonly signal?: AbortSignal | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/**
 * Watches, across broken connections, until the conditions have been met, and gives the event that
 * met the last one (`undefined` without conditions). A 410 when opening a watch is tried again
 * until the signal is aborted, as client-go does; only one in the stream ends the wait.
 *
 * @throws {WatchClosedError} if the history that is needed is gone on the server, or access is
 *   refused
 * @throws {WaitInterruptedError} if the signal is aborted
 * @throws what a condition throws
 */
export function until<T extends KubernetesObject>(
  options: UntilOptions<T>,
): Promise<WatchEvent<T> | undefined> {
  const { conditions, ...watching } = options;
  return untilWithoutRetry(new RetryWatcher<T>(watching), conditions, options.signal);
}

/**
 * {@link until} over a watch that is open already, and whose end ends the wait.
 *
 * @throws {WatchClosedError} if the watch ends before
 * @throws {WaitInterruptedError} if the signal is aborted; the watch must end with it
 */
export async function untilWithoutRetry<T>(
  watch: WatchStream<T>,
  conditions: readonly WatchCondition<T>[],
  signal?: AbortSignal,
): Promise<WatchEvent<T> | undefined> {
  let last: WatchEvent<T> | undefined;
  let met = 0;
  if (conditions.length === 0) return undefined;
  try {
    for await (const batch of watch) {
      for (const event of batchOf(batch)) {
        signal?.throwIfAborted();
        last = event;
        for (; met < conditions.length; met++) {
          if ((await conditions[met]?.(event)) !== true) break;
        }
        if (met === conditions.length) return event;
      }
    }
  } catch (error) {
    if (signal?.aborted === true && error === signal.reason) {
      throw new WaitInterruptedError(last, error);
    }
    throw error;
  }
  if (signal?.aborted === true) throw new WaitInterruptedError(last, signal.reason);
  throw new WatchClosedError(last, met, conditions.length);
}
