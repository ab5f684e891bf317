import {
  InvalidOptionsError,
  resourceVersionOf,
  sleep,
  systemClock,
  type Clock,
  type KubernetesObject,
} from "@listwatch/core-fifo";
import { NotAWatchError } from "../errors.ts";
import { eventsOf } from "../source/checked-source.ts";
import { asBatch } from "../machine/event-batch.ts";
import { leave } from "../internal/leave.ts";
import { RequestScope } from "../machine/request-scope.ts";
import { errorOfEvent } from "../machine/watch-errors.ts";
import {
  type WatchEvent,
  isExpired,
  isStatusError,
  retryAfterMs,
  type Status,
} from "@listwatch/client";
import type { ListerWatcher } from "../source/lister-watcher.ts";

/** client-go `minRestartDelay`, tools/watch/retrywatcher.go (RW-2). */
const defaultSpacingMs = 1000;

/** Options of a {@link RetryWatcher}. */
export interface RetryWatcherOptions<T> {
  readonly listerWatcher: Pick<ListerWatcher<T>, "watch">;
  /** The state after which events are wanted, from a list or a write; not `""` and not `"0"`. */
  readonly resourceVersion: string;
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Least time from the start of one watch to the start of the next, in milliseconds.
   *
   * @default 1000
   */
  readonly spacingMs?: number | undefined;
  /**
   * A watch on which nothing came for this long is given up for a new one, in milliseconds.
   *
   * @default 90_000
   */
  readonly silenceMs?: number | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
}

/** What follows an event or a failure of one watch. */
type Step<T> =
  | { readonly kind: "go on"; readonly event?: WatchEvent<T> }
  | { readonly kind: "retry"; readonly afterMs: number }
  | { readonly kind: "end"; readonly event: WatchEvent<T> };

/**
 * The changes of a collection from a certain state on, each once and in order, over as many watches
 * as it takes. It never lists: when the server no longer has that history, an ERROR event says so
 * and the iteration ends.
 *
 * It ends after an ERROR event: 410 in the stream, 401 or 403 when opening, or an event that cannot
 * be placed in the order (RW-3). A 410 when opening, before any event, is no end: it is tried again
 * until the signal is aborted, as client-go does. Bookmarks move it forward and are not handed out.
 * Each iteration begins at the given resourceVersion, and throws a {@link NotAWatchError} if the
 * lister-watcher gives no watch.
 */
export class RetryWatcher<T extends KubernetesObject = KubernetesObject> implements AsyncIterable<
  WatchEvent<T>
> {
  readonly #options: RetryWatcherOptions<T>;
  readonly #clock: Clock;

  /**
   * @throws {InvalidOptionsError} if the resourceVersion is `""` or `"0"`, which name no state
   *   (RW-1)
   */
  constructor(options: RetryWatcherOptions<T>) {
    const { resourceVersion } = options;
    if (resourceVersion === "" || resourceVersion === "0") {
      throw new InvalidOptionsError(
        `Couldn't watch from a state: expected a resourceVersion above 0, got ${JSON.stringify(resourceVersion)}`,
      );
    }
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const { signal = new AbortController().signal } = this.#options;
    const position = { resourceVersion: this.#options.resourceVersion };
    while (!signal.aborted) {
      const startMs = this.#clock.now();
      const afterMs = yield* this.#watch(position, signal);
      if (afterMs === undefined) return;
      const { spacingMs = defaultSpacingMs } = this.#options;
      await this.#pause(Math.max(startMs + spacingMs - this.#clock.now(), 0) + afterMs, signal);
    }
  }

  /** One watch; gives the time that the server asked to be left alone, or nothing if all is over. */
  async *#watch(
    position: { resourceVersion: string },
    signal: AbortSignal,
  ): AsyncGenerator<WatchEvent<T>, number | undefined, undefined> {
    const scope = new RequestScope({
      clock: this.#clock,
      parent: signal,
      silenceMs: this.#options.silenceMs ?? 90_000,
      what: "Couldn't watch",
    });
    let iterator: AsyncIterator<WatchEvent<T> | readonly WatchEvent<T>[]> | undefined;
    try {
      for (;;) {
        let batch: readonly WatchEvent<T>[];
        try {
          iterator ??= await this.#open(scope, position.resourceVersion);
          const { done, value } = await scope.wait(iterator.next());
          if (done === true) return 0;
          batch = asBatch(value);
        } catch (error) {
          // No server will cure that.
          if (error instanceof NotAWatchError) throw error;
          const step = signal.aborted ? undefined : notOpened<T>(error);
          if (step?.kind === "end") yield step.event;
          return step?.kind === "retry" ? step.afterMs : undefined;
        }
        for (const event of batch) {
          if (signal.aborted) return undefined;
          const step = place(event, position);
          if (step.kind === "retry") return step.afterMs;
          if (step.event !== undefined) yield step.event;
          if (step.kind === "end") return undefined;
        }
      }
    } finally {
      scope.close();
      if (iterator !== undefined) leave(iterator);
    }
  }

  async #open(
    scope: RequestScope,
    resourceVersion: string,
  ): Promise<AsyncIterator<WatchEvent<T> | readonly WatchEvent<T>[]>> {
    const options = { resourceVersion, allowWatchBookmarks: true };
    const { listerWatcher } = this.#options;
    const stream = await scope.wait(listerWatcher.watch(options, { signal: scope.signal }));
    return eventsOf(stream);
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    try {
      await sleep(delayMs, { clock: this.#clock, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}

/** What an event means, and where it leaves the watcher. */
function place<T extends KubernetesObject>(
  event: WatchEvent<T>,
  position: { resourceVersion: string },
): Step<T> {
  switch (event.type) {
    case "ERROR": {
      const error = errorOfEvent(event.object);
      return isExpired(error)
        ? { kind: "end", event }
        : { kind: "retry", afterMs: retryAfterMs(error) ?? 0 };
    }
    case "ADDED":
    case "MODIFIED":
    case "DELETED":
    case "BOOKMARK": {
      const resourceVersion = resourceVersionOf(event.object) ?? "";
      if (resourceVersion === "") return lost("an object without a resourceVersion");
      position.resourceVersion = resourceVersion;
      return event.type === "BOOKMARK" ? { kind: "go on" } : { kind: "go on", event };
    }
  }
  return lost("an event of an unknown type");
}

function lost<T>(what: string): Step<T> {
  const status: Status = {
    kind: "Status",
    apiVersion: "v1",
    status: "Failure",
    reason: "InternalError",
    code: 500,
    message: `Couldn't go on watching: got ${what}`,
  };
  return { kind: "end", event: { type: "ERROR", object: status } };
}

function notOpened<T>(error: unknown): Step<T> {
  if (isStatusError(error) && isStatusError(error, "Unauthorized", "Forbidden")) {
    return { kind: "end", event: { type: "ERROR", object: error.status } };
  }
  return { kind: "retry", afterMs: retryAfterMs(error) ?? 0 };
}
