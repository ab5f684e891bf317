import { untilAborted } from "@listwatch/core-fifo/base";
import type { RecordedRequest, RequestRecorder } from "./request-recorder.ts";
import type { RequestMatch } from "../inputs/request-match.ts";
import type { WatchRegistry } from "./watch-registry.ts";

/** Options of every wait. */
export interface WaitOptions {
  /** Ends the wait: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How many must be there. @default 1 */
  readonly count?: number | undefined;
}

/** What the barriers look at. */
export interface BarrierState {
  readonly watches: WatchRegistry;
  readonly recorder: RequestRecorder;
  currentRevision(): number;
}

interface Waiter {
  readonly reached: () => boolean;
  readonly release: () => void;
}

/**
 * Named points a test waits for instead of sleeping. A promise resolves at the moment the condition
 * is true (at once if it already is), in the same turn in which the server made it true.
 *
 * ```ts
 * import { FakeApiServer } from "@listwatch/fake-apiserver";
 *
 * const server = new FakeApiServer();
 * const opened = server.control.when.watchOpen({ resource: "pods" });
 * const watch = await server.fetch(new Request("http://localhost/api/v1/pods?watch=true"));
 * await opened;
 *
 * await watch.body?.cancel();
 * await server.control.when.watchesClosed();
 * ```
 */
export class Barriers {
  readonly #state: BarrierState;
  readonly #waiters: Set<Waiter> = new Set();
  #requestsInFlight = 0;

  /** @internal */
  constructor(state: BarrierState) {
    this.#state = state;
  }

  /** `count` matching watches are open, counted now and not over time. */
  watchOpen(match: RequestMatch = {}, options: WaitOptions = {}): Promise<void> {
    const { watches } = this.#state;
    return this.#wait(() => watches.list(match).length >= (options.count ?? 1), options.signal);
  }

  /**
   * No matching watch is open: clients that left are gone here too. A watch that the server has
   * ended is closed once its reader has taken what was sent before.
   */
  watchesClosed(match: RequestMatch = {}, options: Omit<WaitOptions, "count"> = {}): Promise<void> {
    const { watches } = this.#state;
    return this.#wait(() => watches.list(match).length === 0, options.signal);
  }

  /** `count` matching list requests have been answered since the recorder was last cleared. */
  listServed(match: RequestMatch = {}, options: WaitOptions = {}): Promise<void> {
    return this.requestServed({ ...match, verb: "list" }, options);
  }

  /**
   * `count` matching requests have been answered (a watch: its head) since the recorder was last
   * cleared.
   */
  requestServed(match: RequestMatch = {}, options: WaitOptions = {}): Promise<void> {
    const { recorder } = this.#state;
    const served = (record: RecordedRequest): boolean => record.status !== undefined;
    return this.#wait(
      () => recorder.list(match).filter(served).length >= (options.count ?? 1),
      options.signal,
    );
  }

  /**
   * Every open matching watch has handed everything up to the revision to its reader, and the
   * reader waits for more. A watch that a fault has stalled never gets there. With no matching
   * watch open it resolves at once: wait for `watchOpen` first.
   *
   * @param revision @default the current one
   */
  allWatchersAt(
    revision: number = this.#state.currentRevision(),
    match: RequestMatch = {},
    options: Omit<WaitOptions, "count"> = {},
  ): Promise<void> {
    const { watches } = this.#state;
    return this.#wait(
      () => watches.list(match).every((watch) => watch.isAt(revision)),
      options.signal,
    );
  }

  /**
   * No request is being answered, and every watch that no fault has stalled is at the current
   * revision.
   */
  idle(options: Omit<WaitOptions, "count"> = {}): Promise<void> {
    const state = this.#state;
    return this.#wait(
      () =>
        this.#requestsInFlight === 0 &&
        state.watches.list().every((watch) => watch.stalled || watch.isAt(state.currentRevision())),
      options.signal,
    );
  }

  /** A request has arrived. @internal */
  requestBegan(): void {
    this.#requestsInFlight++;
  }

  /** A request has been answered or abandoned. @internal */
  requestEnded(): void {
    this.#requestsInFlight--;
    this.check();
  }

  /** Something changed that a barrier may wait for. @internal */
  check(): void {
    for (const waiter of this.#waiters) if (waiter.reached()) waiter.release();
  }

  async #wait(reached: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (reached()) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiter: Waiter = {
      reached,
      release: () => {
        this.#waiters.delete(waiter);
        resolve();
      },
    };
    this.#waiters.add(waiter);
    try {
      await untilAborted(promise, signal);
    } finally {
      this.#waiters.delete(waiter);
    }
  }
}
