import {
  untilAborted,
  anInteger,
  aSignal,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { Barriers, BarrierOptions } from "../../control/barriers.ts";
import type { RecordedRequest, MatchableRequest, RequestMatch } from "../../control/requests.ts";
import type { RequestLog } from "./request-log.ts";
import { checkRequestMatch, matchesRequest } from "../inputs/request-match.ts";
import type { WatchRegistry } from "./watch-registry.ts";

const barrierTable: OptionsOf<BarrierOptions> = { signal: aSignal, count: anInteger(0) };

/** State of the server that the barriers look at. */
export interface BarrierState {
  readonly watches: WatchRegistry;
  readonly recorder: RequestLog;
  currentRevision(): number;
}

type Matcher = (request: MatchableRequest) => boolean;

interface Waiter {
  readonly reached: () => boolean;
  readonly release: () => void;
}

/** Barriers over the open watches and the recorded requests of a server. */
export class StateBarriers implements Barriers {
  readonly #state: BarrierState;
  readonly #waiters: Set<Waiter> = new Set();
  #requestsInFlight = 0;

  constructor(state: BarrierState) {
    this.#state = state;
  }

  watchOpen(match: RequestMatch = {}, options: BarrierOptions = {}): Promise<void> {
    const { watches } = this.#state;
    const isReached = (fits: Matcher): boolean =>
      watches.list().filter(({ request }) => fits(request)).length >= (options.count ?? 1);
    return this.#wait(match, isReached, options);
  }

  watchesClosed(
    match: RequestMatch = {},
    options: Omit<BarrierOptions, "count"> = {},
  ): Promise<void> {
    const { watches } = this.#state;
    const isReached = (fits: Matcher): boolean =>
      !watches.list().some(({ request }) => fits(request));
    return this.#wait(match, isReached, options);
  }

  listServed(match: RequestMatch = {}, options: BarrierOptions = {}): Promise<void> {
    return this.requestServed({ ...match, verb: "list" }, options);
  }

  requestServed(match: RequestMatch = {}, options: BarrierOptions = {}): Promise<void> {
    const { recorder } = this.#state;
    const served = (record: RecordedRequest): boolean => record.status !== undefined;
    const isReached = (fits: Matcher): boolean =>
      recorder.list().filter((record) => served(record) && fits(record)).length >=
      (options.count ?? 1);
    return this.#wait(match, isReached, options);
  }

  allWatchersAt(
    revision: number = this.#state.currentRevision(),
    match: RequestMatch = {},
    options: Omit<BarrierOptions, "count"> = {},
  ): Promise<void> {
    const { watches } = this.#state;
    const isReached = (fits: Matcher): boolean =>
      watches.list().every((watch) => !fits(watch.request) || watch.isAt(revision));
    return this.#wait(match, isReached, options);
  }

  idle(options: Omit<BarrierOptions, "count"> = {}): Promise<void> {
    const state = this.#state;
    return this.#wait(
      {},
      () =>
        this.#requestsInFlight === 0 &&
        state.watches.list().every((watch) => watch.stalled || watch.isAt(state.currentRevision())),
      options,
    );
  }

  /** A request has arrived. */
  requestBegan(): void {
    this.#requestsInFlight++;
  }

  /** A request has been answered or abandoned. */
  requestEnded(): void {
    this.#requestsInFlight--;
    this.check();
  }

  /** Something changed that a barrier may wait for. */
  check(): void {
    for (const waiter of this.#waiters) if (waiter.reached()) waiter.release();
  }

  async #wait(
    match: RequestMatch,
    isReached: (fits: Matcher) => boolean,
    options: BarrierOptions,
  ): Promise<void> {
    checkOptions(options, barrierTable);
    const { signal } = options;
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
