import {
  metadataOf,
  metaNamespaceKey,
  resourceVersionOf,
  type KubernetesObject,
  type Timer,
} from "@listwatch/core-fifo";
import { findInconsistency } from "./consistency.ts";
import {
  NetworkError,
  isExpired,
  isTooLargeResourceVersion,
  type WatchEvent,
} from "@listwatch/client";
import { VeryShortWatchError } from "../errors.ts";
import { slowListMs } from "./list-phase.ts";
import type { ReflectorCore } from "./reflector-core.ts";
import { WatchConnection } from "./watch-connection.ts";
import { errorOfEvent, isBrokenStream, isRefusal, isWorthWaiting } from "./watch-errors.ts";

/** Annotation of the bookmark that ends a streamed initial list (KEP-3157). */
const initialEventsEnd = "k8s.io/initial-events-end";

/** Period of the warning while that bookmark does not come (client-go, REF-26d). */
const warnMs = 10_000;

/**
 * How a watch-list ended: in step, with the stream still open; refused, so that a list is needed;
 * stopped.
 */
export type WatchListEnd<T> =
  | { readonly kind: "done"; readonly connection: WatchConnection<T> }
  /** `refused`: the server does not know how, and will not know the next time. */
  | { readonly kind: "fallback"; readonly refused: boolean }
  | { readonly kind: "stopped" };

/**
 * What one request came to; `again`: the next one follows, after a delay if the error is worth
 * waiting for.
 */
type Attempt<T> = WatchListEnd<T> | { readonly kind: "again"; readonly waitFor?: unknown };

/** Gets the initial list as a stream of events and hands it to the store in one piece. */
export class WatchListPhase<T extends KubernetesObject> {
  readonly #core: ReflectorCore<T>;

  constructor(core: ReflectorCore<T>) {
    this.#core = core;
  }

  async run(signal: AbortSignal): Promise<WatchListEnd<T>> {
    const core = this.#core;
    for (;;) {
      core.phase = "streamingList";
      const attempt = await this.#attempt(signal);
      if (signal.aborted) {
        if (attempt.kind === "done") attempt.connection.close();
        return { kind: "stopped" };
      }
      if (attempt.kind !== "again") return attempt;
      if ("waitFor" in attempt || !core.immediateRetries.take()) {
        await core.pause(core.nextDelayMs(attempt.waitFor), signal);
      }
    }
  }

  async #attempt(signal: AbortSignal): Promise<Attempt<T>> {
    const core = this.#core;
    let connection: WatchConnection<T>;
    try {
      connection = await WatchConnection.open(
        core,
        {
          resourceVersion: core.unavailable ? "" : core.resourceVersion,
          resourceVersionMatch: "NotOlderThan",
          sendInitialEvents: true,
        },
        signal,
        core.watchListSilenceMs,
      );
    } catch (error) {
      return signal.aborted ? { kind: "stopped" } : this.#failed(error, true);
    }
    const ticker = new WarningTicker(core, connection);
    const objects = new Map<string, T>();
    let end: Attempt<T>;
    try {
      end = await this.#collect(connection, objects, ticker);
    } catch (error) {
      end = signal.aborted ? { kind: "stopped" } : this.#broken(error, connection);
    } finally {
      ticker.stop();
    }
    if (end.kind !== "done") connection.close("waitFor" in end ? end.waitFor : undefined);
    return end;
  }

  /** Reads events until the bookmark that ends the list. */
  async #collect(
    connection: WatchConnection<T>,
    objects: Map<string, T>,
    ticker: WarningTicker<T>,
  ): Promise<Attempt<T>> {
    for (;;) {
      const batch = await connection.next();
      if (batch === undefined) return this.#closed(connection);
      if (batch.length > 0) ticker.seen();
      for (const [index, event] of batch.entries()) {
        if (event.type === "ERROR") return this.#failed(errorOfEvent(event.object), false);
        const resourceVersion = this.#take(event, objects, connection);
        if (resourceVersion !== undefined) {
          await this.#compare(objects, resourceVersion, connection);
          return this.#finish(connection, objects, resourceVersion, batch.slice(index + 1));
        }
      }
    }
  }

  /**
   * Applies one event; gives the resourceVersion of the list if the event ends it. No other one is
   * a state that could be resumed from: the store has nothing yet (REF-33).
   */
  #take(
    event: Exclude<WatchEvent<T>, { type: "ERROR" }>,
    objects: Map<string, T>,
    connection: WatchConnection<T>,
  ): string | undefined {
    const core = this.#core;
    const wrong = core.guard.check(event.object);
    if (wrong !== undefined) {
      core.report(wrong, "watch", "skip");
      return undefined;
    }
    connection.events++;
    if (event.type === "BOOKMARK") {
      const isEnd = metadataOf(event.object)?.annotations?.[initialEventsEnd] === "true";
      return isEnd ? (resourceVersionOf(event.object) ?? "") : undefined;
    }
    try {
      this.#collectObject(event, objects);
    } catch (error) {
      core.report(error, "store", "skip");
    }
    return undefined;
  }

  #collectObject({ type, object }: WatchEvent<T>, objects: Map<string, T>): void {
    const initialTransform = this.#core.options.behaviour?.initialTransform;
    if (type === "DELETED") {
      objects.delete(metaNamespaceKey(object));
    } else if (type === "ADDED" || type === "MODIFIED") {
      const collected = initialTransform === undefined ? object : initialTransform(object);
      objects.set(metaNamespaceKey(object), collected);
    }
  }

  /** For tests: whether the streamed list is what an ordinary one would have been. */
  async #compare(
    objects: ReadonlyMap<string, T>,
    resourceVersion: string,
    connection: WatchConnection<T>,
  ): Promise<void> {
    const { clock, listerWatcher, options } = this.#core;
    if (options.list?.checkConsistency !== true) return;
    const inconsistency = await findInconsistency({
      listerWatcher,
      objects: objects.values(),
      resourceVersion,
      transform: options.behaviour?.initialTransform,
      signal: connection.signal,
      clock,
    });
    if (inconsistency !== undefined) this.#core.report(inconsistency, "check", "skip");
  }

  #finish(
    connection: WatchConnection<T>,
    objects: ReadonlyMap<string, T>,
    resourceVersion: string,
    rest: readonly WatchEvent<T>[],
  ): Attempt<T> {
    const core = this.#core;
    const listMs = connection.ageMs;
    core.unavailable = false;
    try {
      core.store.replace([...objects.values()], resourceVersion);
    } catch (error) {
      core.report(error, "replace", "list");
      return { kind: "fallback", refused: false };
    }
    core.replaced(resourceVersion);
    const replaceMs = connection.ageMs - listMs;
    core.trace({
      kind: "list",
      reflector: core.name,
      items: objects.size,
      resourceVersion,
      listMs,
      replaceMs,
      paginated: false,
      streamed: true,
      slow: listMs + replaceMs > slowListMs,
    });
    connection.handOver(rest, core.silenceMs);
    return { kind: "done", connection };
  }

  /** The server ended the stream before the bookmark (REF-25). */
  #closed(connection: WatchConnection<T>): Attempt<T> {
    const core = this.#core;
    if (connection.isVeryShort) {
      core.report(new VeryShortWatchError(core.name), "watch", "list");
      return { kind: "fallback", refused: false };
    }
    // The time it was given is over and the list never came to its end: a server that ignores the option.
    if (connection.isTimedOut) return { kind: "fallback", refused: true };
    return { kind: "again" };
  }

  /** Reading failed, rather than the server saying so. */
  #broken(error: unknown, connection: WatchConnection<T>): Attempt<T> {
    if (!isBrokenStream(error)) return this.#failed(error, false);
    const isSilent = error instanceof NetworkError && error.kind === "timeout";
    if (isSilent) {
      this.#core.report(error, "watch", "list");
      return { kind: "fallback", refused: true };
    }
    this.#core.report(error, "watch", connection.isVeryShort ? "list" : "reopen");
    return connection.isVeryShort ? { kind: "fallback", refused: false } : { kind: "again" };
  }

  /** The request failed, when it was made or by an ERROR event. */
  #failed(error: unknown, opening: boolean): Attempt<T> {
    const core = this.#core;
    const operation = opening ? "openWatch" : "watch";
    if (isWorthWaiting(error)) {
      core.report(error, operation, "reopen");
      return { kind: "again", waitFor: error };
    }
    if (isExpired(error) || isTooLargeResourceVersion(error)) {
      core.report(error, operation, "newest");
      core.unavailable = true;
      return { kind: "again" };
    }
    core.report(error, operation, "list");
    return { kind: "fallback", refused: isRefusal(error) };
  }
}

/** Says every 10 s that the end of the list has not come. */
class WarningTicker<T> {
  readonly #core: ReflectorCore<T>;
  readonly #connection: WatchConnection<T>;
  #lastEventMs: number | undefined;
  #timer: Timer | undefined;

  constructor(core: ReflectorCore<T>, connection: WatchConnection<T>) {
    this.#core = core;
    this.#connection = connection;
    this.#arm();
  }

  seen(): void {
    this.#lastEventMs = this.#core.clock.now();
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #arm(): void {
    this.#timer = this.#core.clock.setTimeout(() => {
      const now = this.#core.clock.now();
      this.#core.trace({
        kind: "waitingForInitialEvents",
        reflector: this.#core.name,
        sinceMs: this.#connection.ageMs,
        sinceLastEventMs: this.#lastEventMs === undefined ? undefined : now - this.#lastEventMs,
        events: this.#connection.events,
      });
      this.#arm();
    }, warnMs);
  }
}
