import {
  sleep,
  systemClock,
  systemRandom,
  type Clock,
  type Random,
  type Timer,
} from "@listwatch/core-fifo";
import { ControllerStateError, LeadershipLostError } from "../reconcile/errors.ts";
import { attempt, report } from "../writes/attempt.ts";
import { LeaseLock } from "./lease-lock.ts";
import { withTimeLimit } from "./time-limit.ts";
import {
  electionTimes,
  jitterFactor,
  type ElectionTimes,
  type LeaderElectorOptions,
  type Leadership,
} from "./leader-election-options.ts";
import { leases, type LeaseObject } from "./lease.ts";
import { isConflict } from "@listwatch/client";

type Work = (leadership: Leadership) => unknown;

/** A term of leadership, with the means to end it. */
class Term implements Leadership {
  readonly #ending = new AbortController();
  readonly #lost = new AbortController();
  readonly signal: AbortSignal = this.#ending.signal;
  readonly lost: AbortSignal = this.#lost.signal;
  /** Work in progress. The term is over only when it has ended. */
  readonly works = new Set<Promise<unknown>>();

  end(reason: unknown): void {
    this.#ending.abort(reason);
  }

  lose(reason: unknown): void {
    this.#lost.abort(reason);
    this.#ending.abort(reason);
  }
}

/**
 * Lets one of several candidates lead, by a Lease on the API server, with client-go's algorithm and
 * times.
 *
 * Guarantees: no two lead at one moment, as long as clocks run at speeds that differ by less than
 * lease duration / renew deadline (1.5 with the defaults); they need not agree about the time
 * (LE-2). A leader that cannot renew stops, and the work it does is aborted, before anybody else
 * can take the lease, because its time counts from before its last successful request, that of the
 * others from when they see the result. Not guaranteed: that work that ignores its signal stops, or
 * that a request which is on its way then never arrives; use resourceVersions in writes.
 *
 * ```ts
 * import { createClient, createConnection } from "@listwatch/client";
 * import { LeaderElector } from "@listwatch/controller";
 *
 * const elector = new LeaderElector({
 *   client: createClient(createConnection({ server: "http://127.0.0.1:8001" })),
 *   name: "my-operator",
 *   namespace: "default",
 *   identity: "pod-1",
 *   onStartedLeading: ({ signal }) => console.log("leading", signal.aborted),
 * });
 * console.assert(!elector.isLeader);
 * // await elector.run(signal);
 * ```
 */
export class LeaderElector {
  readonly identity: string;
  readonly #options: LeaderElectorOptions;
  readonly #times: ElectionTimes;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #lock: LeaseLock;
  #hasStarted = false;
  #term: Term | undefined;
  /** Until when this one leads at the latest. */
  #leadsUntilMs = -Infinity;
  readonly #applicants = new Set<(term: Term | undefined) => void>();
  #hasEnded = false;

  /** @throws {InvalidOptionsError} unless lease duration > renew deadline > retry period × 1.2 */
  constructor(options: LeaderElectorOptions) {
    this.identity = options.identity;
    this.#options = options;
    this.#times = electionTimes(options);
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    this.#lock = new LeaseLock({
      client: options.client.resource<LeaseObject>(leases),
      key: `${options.namespace}/${options.name}`,
      identity: options.identity,
      leaseDurationMs: this.#times.leaseDurationMs,
      labels: options.labels,
      clock: this.#clock,
      onHolder: (identity) =>
        queueMicrotask(() => this.#call(() => options.onNewLeader?.(identity))),
      onSlowPath: () => this.#call(() => options.metrics?.slowpath?.inc()),
    });
    this.#call(() => options.metrics?.masterStatus?.set(0));
  }

  /**
   * Whether this candidate leads right now. Looks at the clock, so it is right also after the
   * process slept.
   */
  get isLeader(): boolean {
    return this.#term !== undefined && this.#clock.now() < this.#leadsUntilMs;
  }

  /** Who was last seen to lead; `""` for nobody. */
  get leader(): string {
    return this.#lock.holder;
  }

  /**
   * Whether all is well, for a health check (LE-11): false when this one believes to lead, and has
   * not seen its lease renewed for the lease duration and `toleranceMs` more.
   */
  isHealthy(toleranceMs = 0): boolean {
    if (this.#term === undefined) return true;
    const ageMs = this.#clock.now() - this.#lock.observedMs;
    return ageMs <= this.#times.leaseDurationMs + toleranceMs;
  }

  /**
   * Takes part until `signal` is aborted or leadership is lost. After an abort it keeps the lease
   * until all work has ended, then releases it.
   *
   * @throws {LeadershipLostError} when leadership is lost
   * @throws {ControllerStateError} if it has run before
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.#hasStarted) {
      throw new ControllerStateError("Couldn't run the elector: an elector runs once");
    }
    this.#hasStarted = true;
    const stop = signal ?? new AbortController().signal;
    try {
      if (await this.#acquire(stop)) await this.#leadTerm(stop);
    } finally {
      this.#hasEnded = true;
      for (const apply of this.#applicants) apply(undefined);
      this.#applicants.clear();
      this.#call(() => this.#options.onStoppedLeading?.());
    }
  }

  /**
   * Waits for leadership, then works. A stopped elector keeps the lease until the work has ended.
   * Several works may be under way.
   *
   * @returns what the work returned; `undefined` if the elector ends, or `signal` is aborted,
   *   before it leads
   */
  async lead<R>(
    work: (leadership: Leadership) => Promise<R>,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<R | undefined> {
    const term = this.#term ?? (await this.#nextTerm(options.signal));
    if (term === undefined || term.lost.aborted) return undefined;
    const working = work(term);
    this.#track(term, working);
    return working;
  }

  async #nextTerm(signal: AbortSignal | undefined): Promise<Term | undefined> {
    if (this.#hasEnded || signal?.aborted === true) return undefined;
    const { promise, resolve } = Promise.withResolvers<Term | undefined>();
    const onAbort = (): void => resolve(undefined);
    this.#applicants.add(resolve);
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await promise;
    } finally {
      this.#applicants.delete(resolve);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  #track(term: Term, working: Promise<unknown>): void {
    const tracked = working
      .catch(() => {
        // Whoever called gets the error; here only the end counts.
      })
      .finally(() => term.works.delete(tracked));
    term.works.add(tracked);
  }

  /**
   * Tries now, and every retry period × [1, 2.2), until this one holds the lease or is stopped
   * (LE-3).
   */
  async #acquire(stop: AbortSignal): Promise<boolean> {
    while (!stop.aborted) {
      if (await this.#tryToHold(this.#times.renewDeadlineMs, [stop])) {
        if (this.#clock.now() < this.#leadsUntilMs) return true;
      }
      const delayMs = this.#times.retryPeriodMs * (1 + this.#random() * jitterFactor);
      await this.#pause(delayMs, stop);
    }
    return false;
  }

  /** One attempt; the time that it earns counts from before it. */
  async #tryToHold(limitMs: number, parents: readonly AbortSignal[]): Promise<boolean> {
    const startMs = this.#clock.now();
    try {
      const isHeld = await withTimeLimit(this.#clock, limitMs, parents, (signal) =>
        this.#lock.hold(this.#term !== undefined, signal),
      );
      if (isHeld) this.#leadsUntilMs = startMs + this.#times.renewDeadlineMs;
      return isHeld;
    } catch (error) {
      if (!parents.some(({ aborted }) => aborted)) report(error, this.#options.onError);
      return false;
    }
  }

  async #leadTerm(stop: AbortSignal): Promise<void> {
    const term = new Term();
    this.#term = term;
    const fence = new Fence(
      this.#clock,
      () => this.#leadsUntilMs,
      () => this.#lose(term),
    );
    const onStop = (): void => term.end(stop.reason);
    stop.addEventListener("abort", onStop, { once: true });
    if (stop.aborted) onStop();
    this.#announce("BecomeLeader", "became leader", 1);
    const onLost = (): void => this.#announce("StopLeading", "stopped leading", 0);
    term.lost.addEventListener("abort", onLost, { once: true });
    fence.arm();
    this.#begin(term);
    try {
      await this.#keepRenewing(term, stop);
      fence.close();
      if (!term.lost.aborted) {
        // All work has ended. What still looks at the term must see its end before somebody else can lead.
        this.#leadsUntilMs = -Infinity;
        term.lose(stop.reason);
        if (this.#options.releaseOnCancel !== false) await this.#release();
      }
    } finally {
      fence.close();
      stop.removeEventListener("abort", onStop);
      term.lose(stop.aborted ? stop.reason : new LeadershipLostError(this.identity));
      this.#term = undefined;
      await Promise.all(term.works);
    }
    if (term.lost.reason instanceof LeadershipLostError) throw term.lost.reason;
  }

  #begin(term: Term): void {
    const { onStartedLeading } = this.#options;
    if (onStartedLeading !== undefined) {
      const work: Work = onStartedLeading;
      const started = (async () => work(term))();
      started.catch((error: unknown) => report(error, this.#options.onError));
      this.#track(term, started);
    }
    for (const apply of this.#applicants) apply(term);
    this.#applicants.clear();
  }

  #lose(term: Term): void {
    this.#leadsUntilMs = -Infinity;
    term.lose(new LeadershipLostError(this.identity));
  }

  /** Renews every retry period until the term is lost, or stopped with all its work done. */
  async #keepRenewing(term: Term, stop: AbortSignal): Promise<void> {
    while (!term.lost.aborted) {
      if (stop.aborted) {
        if (term.works.size === 0) return;
        const worked = new AbortController();
        void Promise.all(term.works).then(() => worked.abort());
        await this.#pause(this.#times.retryPeriodMs, AbortSignal.any([term.lost, worked.signal]));
      } else {
        await this.#pause(this.#times.retryPeriodMs, AbortSignal.any([term.lost, stop]));
      }
      if (term.lost.aborted || (stop.aborted && term.works.size === 0)) return;
      const isHeld = await this.#tryToHold(this.#requestLimitMs, [term.lost]);
      if (!isHeld && this.#isTakenByAnother()) this.#lose(term);
    }
  }

  /**
   * client-go `NewFromKubeconfig`: a request may take half of the deadline, so that there is time
   * for another.
   */
  get #requestLimitMs(): number {
    return Math.max(1000, this.#times.renewDeadlineMs / 2);
  }

  #isTakenByAnother(): boolean {
    const { holder } = this.#lock;
    return holder !== "" && holder !== this.identity;
  }

  async #release(): Promise<void> {
    const release = async (signal: AbortSignal): Promise<void> => {
      for (;;) {
        try {
          await this.#lock.release(signal);
          return;
        } catch (error) {
          if (!isConflict(error)) throw error;
        }
      }
    };
    try {
      await withTimeLimit(this.#clock, this.#times.renewDeadlineMs, [], release);
    } catch (error) {
      report(error, this.#options.onError);
    }
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    try {
      await sleep(delayMs, { clock: this.#clock, signal });
    } catch {
      // Whoever paused looks at its signals.
    }
  }

  /** Tells those who watch from outside, in client-go's words. */
  #announce(action: string, what: string, masterStatus: number): void {
    const { metrics, recorder } = this.#options;
    this.#call(() => metrics?.masterStatus?.set(masterStatus));
    this.#call(() =>
      recorder?.event({
        regarding: this.#lock.object,
        reason: "LeaderElection",
        action,
        note: `${this.identity} ${what}`,
      }),
    );
  }

  /** A failing callback of the user must not end an election. */
  #call(callback: () => unknown): void {
    attempt(callback, this.#options.onError);
  }
}

/** Ends a term when its time is over, whatever requests are under way. */
class Fence {
  readonly #clock: Clock;
  readonly #untilMs: () => number;
  readonly #onEnd: () => void;
  #timer: Timer | undefined;

  constructor(clock: Clock, untilMs: () => number, onEnd: () => void) {
    this.#clock = clock;
    this.#untilMs = untilMs;
    this.#onEnd = onEnd;
  }

  /** One timer; a renewal moves the end, and the timer finds that out when it fires. */
  arm(): void {
    const leftMs = this.#untilMs() - this.#clock.now();
    if (leftMs <= 0) this.#onEnd();
    else this.#timer = this.#clock.setTimeout(() => this.arm(), leftMs);
  }

  close(): void {
    this.#timer?.cancel();
  }
}
