import { isStatusError, type Status, type StatusError, type WatchEvent } from "@listwatch/client";
import { isExpired } from "@listwatch/client/base";
import {
  InvalidOptionsError,
  sleep,
  systemClock,
  type Clock,
  type KubernetesObject,
  type Log,
} from "@listwatch/core-fifo";
import {
  FailureLog,
  hasCode,
  linkAbort,
  isBelow,
  resourceVersionOf,
  aClock,
  aLog,
  aNumber,
  aSignal,
  aString,
  having,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { ListerWatcher } from "../source/lister-watcher.ts";
import { EventReader } from "../session/event-reader.ts";
import { errorOfEvent, isSilent } from "../services/errors.ts";
import { defaultBehaviour } from "../options/settings.ts";
import { boundedRetryAfterMs, RequestBudget } from "../services/retry.ts";
import { isState } from "../services/history.ts";

/** client-go `minRestartDelay`, tools/watch/retrywatcher.go. */
const defaultSpacingMs = 1000;

/** Options of a {@link RetryWatcher}. */
export interface RetryWatcherOptions<T> {
  /** Source of the watches. Lists are not requested. */
  readonly listerWatcher: Pick<ListerWatcher<T>, "watch">;
  /** State after which events are delivered, from a list or a write; not `""` and not `"0"`. */
  readonly resourceVersion: string;
  /** Ends the loop, without an error. @default none */
  readonly signal?: AbortSignal | undefined;
  /**
   * Shortest time between the starts of two watches, in milliseconds. A Retry-After of the server,
   * up to 60 s, is added. There are at most 15 requests in ten seconds.
   *
   * @default 1000
   */
  readonly spacingMs?: number | undefined;
  /**
   * Time without a byte after which a watch is replaced by a new one, in milliseconds.
   *
   * @default 90_000
   */
  readonly silenceMs?: number | undefined;
  /**
   * Receives retried failures: the first of each cause, then one line a minute while it lasts, and
   * one when it is over.
   *
   * @default consoleLog
   */
  readonly log?: Log | undefined;
  /** Clock for delays and for `silenceMs`. @default systemClock */
  readonly clock?: Clock | undefined;
}

const retryWatcherTable: OptionsOf<RetryWatcherOptions<never>> = {
  listerWatcher: having("watch"),
  resourceVersion: aString,
  signal: aSignal,
  spacingMs: aNumber(0),
  silenceMs: aNumber(1),
  log: aLog,
  clock: aClock,
};

/** A delivered event: all except bookmarks. */
export type RetryWatchEvent<T> = Exclude<WatchEvent<T>, { readonly type: "BOOKMARK" }>;

/** End of a watch that another one follows. */
interface WatchEnd {
  /** State after which the next watch starts. */
  readonly resourceVersion: string;
  /** Delay requested by the server. */
  readonly retryAfterMs: number;
}

/**
 * Delivers the changes of a collection after a given state, each once and in order, over as many
 * watches as necessary. It never lists: if the server no longer has that history, it delivers an
 * ERROR event and ends.
 *
 * It ends after an ERROR event: 410 in the stream, 401 or 403 when opening, or an event that has no
 * place in the order. A 410 when opening, before any event, does not end it: it is retried until
 * the signal is aborted, as in client-go. Bookmarks advance it and are not delivered. Each loop
 * starts at the given resourceVersion, and throws an error with the code `LW_NOT_A_WATCH` if the
 * lister-watcher returns no watch.
 */
export class RetryWatcher<T extends KubernetesObject = KubernetesObject> implements AsyncIterable<
  RetryWatchEvent<T>
> {
  readonly #options: RetryWatcherOptions<T>;
  readonly #clock: Clock;
  readonly #requests: RequestBudget;

  /**
   * @throws {InvalidOptionsError} if the resourceVersion is `""` or `"0"`, which identify no state,
   *   or a number is out of its range
   */
  constructor(options: RetryWatcherOptions<T>) {
    checkOptions(options, retryWatcherTable, ["listerWatcher", "resourceVersion"]);
    const { resourceVersion } = options;
    if (resourceVersion === "" || resourceVersion === "0") {
      throw new InvalidOptionsError(
        `Cannot watch from a state: expected a resourceVersion above 0, got ${JSON.stringify(resourceVersion)}`,
        "resourceVersion",
      );
    }
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#requests = new RequestBudget(defaultBehaviour.maxRequests, this.#clock);
  }

  /** Starts a watch at `resourceVersion`. Leaving the loop ends its request. */
  [Symbol.asyncIterator](): AsyncGenerator<RetryWatchEvent<T>, void, undefined> {
    const left = new AbortController();
    const events = this.#watches(left.signal);
    const leave = events.return.bind(events);
    // A generator that waits in a read only ends with the next event, which may never come.
    events.return = (value) => {
      left.abort();
      return leave(value);
    };
    return events;
  }

  async *#watches(left: AbortSignal): AsyncGenerator<RetryWatchEvent<T>, void, undefined> {
    const { log, spacingMs = defaultSpacingMs } = this.#options;
    let { resourceVersion } = this.#options;
    const stop = linkAbort(this.#options.signal, left);
    const { signal } = stop;
    const failures = new FailureLog({ log, clock: this.#clock });
    try {
      while (!signal.aborted) {
        const startMs = this.#clock.now();
        const end = yield* this.#watch(resourceVersion, failures, signal);
        if (end === undefined) return;
        ({ resourceVersion } = end);
        const leftMs = Math.max(startMs + spacingMs - this.#clock.now(), 0);
        await this.#pause(leftMs + end.retryAfterMs, signal);
      }
    } finally {
      failures.close();
      stop.release();
    }
  }

  /** Runs one watch, from its request to its end; returns `undefined` if the loop is over. */
  async *#watch(
    from: string,
    failures: FailureLog,
    signal: AbortSignal,
  ): AsyncGenerator<RetryWatchEvent<T>, WatchEnd | undefined, undefined> {
    let resourceVersion = from;
    let reader: EventReader<T> | undefined;
    const retry = (error: unknown): WatchEnd => {
      // Silence is normal without changes.
      if (!isSilent(error)) failures.report({ subject: "Watch", error, isLasting: true });
      const { maxRetryAfterMs } = defaultBehaviour.retry;
      return { resourceVersion, retryAfterMs: boundedRetryAfterMs(error, maxRetryAfterMs) };
    };
    try {
      for (;;) {
        let batch: readonly WatchEvent<T>[] | undefined;
        try {
          if (reader === undefined) {
            reader = await this.#open(resourceVersion, signal);
            failures.recover("Watch");
          }
          batch = await reader.read({ receive: (events) => events });
        } catch (error) {
          // Another request would fail too.
          if (hasCode(error, "LW_NOT_A_WATCH")) throw error;
          if (signal.aborted) return undefined;
          if (!isDenied(error)) return retry(error);
          yield { type: "ERROR", object: error.status };
          return undefined;
        }
        if (batch === undefined) return { resourceVersion, retryAfterMs: 0 };
        for (const event of batch) {
          if (signal.aborted) return undefined;
          const last = lastEventFor(event);
          if (last !== undefined) {
            yield last;
            return undefined;
          }
          if (event.type === "ERROR") return retry(errorOfEvent(event.object));
          if (event.type !== "BOOKMARK") yield event;
          const reached = resourceVersionOf(event.object) ?? "";
          // A deletion may have the last version of its object, below that of events before it.
          if (!isBelow(reached, resourceVersion)) resourceVersion = reached;
        }
      }
    } finally {
      reader?.close();
    }
  }

  async #open(resourceVersion: string, signal: AbortSignal): Promise<EventReader<T>> {
    const { listerWatcher, silenceMs = 90_000 } = this.#options;
    await this.#requests.take(signal);
    return EventReader.open({
      listerWatcher,
      options: { resourceVersion, allowWatchBookmarks: true },
      clock: this.#clock,
      signal,
      silenceMs,
      what: "Cannot watch",
    });
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    try {
      await sleep(delayMs, { clock: this.#clock, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** Access to the watch was refused: another request would be refused too. */
function isDenied(error: unknown): error is StatusError {
  return isStatusError(error) && isStatusError(error, "Unauthorized", "Forbidden");
}

/**
 * Returns the event with which the loop ends because of this one; `undefined` if it goes on
 * (client-go `doReceive`, tools/watch/retrywatcher.go).
 */
function lastEventFor<T extends KubernetesObject>(
  event: WatchEvent<T>,
): RetryWatchEvent<T> | undefined {
  switch (event.type) {
    case "ERROR":
      return isExpired(errorOfEvent(event.object)) ? event : undefined;
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
    case "BOOKMARK":
      if (isState(resourceVersionOf(event.object) ?? "")) return undefined;
      return createLostEvent("an object without a resourceVersion");
  }
  return createLostEvent("an event of an unknown type");
}

/** Creates the last event of a watch whose order is no longer known. */
function createLostEvent<T>(got: string): RetryWatchEvent<T> {
  const object: Status = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: "InternalError",
    code: 500,
    message: `Cannot continue the watch: expected an event with a resourceVersion, got ${got}`,
  };
  return { type: "ERROR", object };
}
