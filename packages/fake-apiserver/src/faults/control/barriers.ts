import { untilAborted } from "@listwatch/core-fifo/base";
import type { RecordedRequest, RequestRecorder } from "./request-recorder.ts";
import {
  checkRequestMatch,
  type MatchableRequest,
  matchesRequest,
  type RequestMatch,
} from "../inputs/request-match.ts";
import type { WatchRegistry } from "./watch-registry.ts";

/** Options of every wait. */
export interface WaitOptions {
  /** Ends the wait: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Number of watches or requests to wait for. @default 1 */
  readonly count?: number | undefined;
}

/** State that barriers observe. */
export interface BarrierState {
  readonly watches: WatchRegistry;
  readonly recorder: RequestRecorder;
  currentRevision(): number;
}

type Matcher = (request: MatchableRequest) => boolean;

interface Waiter {
  readonly reached: () => boolean;
  readonly release: () => void;
}

/**
 * Conditions that a test waits for instead of sleeping. A promise resolves in the turn in which the
 * server makes its condition true; at once if it already is.
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

  /** Waits until `count` matching watches are open at the same time. */
  watchOpen(match: RequestMatch = {}, options: WaitOptions = {}): Promise<void> {
    const { watches } = this.#state;
    const isReached = (fits: Matcher): boolean =>
      watches.list().filter(({ request }) => fits(request)).length >= (options.count ?? 1);
    return this.#wait(match, isReached, options.signal);
  }

  /**
   * Waits until no matching watch is open on the server. A watch that the server has ended is
   * closed once its reader has taken what was sent before.
   */
  watchesClosed(match: RequestMatch = {}, options: Omit<WaitOptions, "count"> = {}): Promise<void> {
    const { watches } = this.#state;
    const isReached = (fits: Matcher): boolean =>
      !watches.list().some(({ request }) => fits(request));
    return this.#wait(match, isReached, options.signal);
  }

  /** Waits until `count` matching lists have been answered since the recorder was last cleared. */
  listServed(match: RequestMatch = {}, options: WaitOptions = {}): Promise<void> {
    return this.requestServed({ ...match, verb: "list" }, options);
  }

  /**
   * Waits until `count` matching requests have been answered since the recorder was last cleared;
   * of a watch the head counts.
   */
  requestServed(match: RequestMatch = {}, options: WaitOptions = {}): Promise<void> {
    const { recorder } = this.#state;
    const served = (record: RecordedRequest): boolean => record.status !== undefined;
    const isReached = (fits: Matcher): boolean =>
      recorder.list().filter((record) => served(record) && fits(record)).length >=
      (options.count ?? 1);
    return this.#wait(match, isReached, options.signal);
  }

  /**
   * Waits until every open matching watch has handed everything up to the revision to its reader,
   * and the reader waits for more. Never resolves while a fault stalls a matching watch. Resolves
   * at once if no matching watch is open: wait for `watchOpen` first.
   *
   * @param revision @default the current one
   */
  allWatchersAt(
    revision: number = this.#state.currentRevision(),
    match: RequestMatch = {},
    options: Omit<WaitOptions, "count"> = {},
  ): Promise<void> {
    const { watches } = this.#state;
    const isReached = (fits: Matcher): boolean =>
      watches.list().every((watch) => !fits(watch.request) || watch.isAt(revision));
    return this.#wait(match, isReached, options.signal);
  }

  /**
   * Waits until no request is being answered, and every watch that is not stalled is at the current
   * revision.
   */
  idle(options: Omit<WaitOptions, "count"> = {}): Promise<void> {
    const state = this.#state;
    return this.#wait(
      {},
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

  async #wait(
    match: RequestMatch,
    isReached: (fits: Matcher) => boolean,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    signal?.throwIfAborted();
    checkRequestMatch(match);
    const reached = (): boolean => isReached((request) => matchesRequest(match, request));
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
