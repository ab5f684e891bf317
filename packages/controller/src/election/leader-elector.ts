import type { Client, Connection } from "@listwatch/client";
import { checkConnection, checkPathSegment, isOwnClient } from "@listwatch/client/base";
import { systemClock, type Clock } from "@listwatch/core-fifo";
import {
  systemRandom,
  createMeters,
  trace,
  onAborted,
  provideDispose,
  WaitQueue,
  aNumber,
  checkOptions,
  isInstance,
  aSignal,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { Failures, isAbortOf } from "../lifecycle/failures.ts";
import { SingleRun } from "../lifecycle/single-run.ts";
import { watchStart } from "../lifecycle/unstarted.ts";
import { Election, type ElectionState } from "./election.ts";
import {
  checkElectorOptions,
  electionTimes,
  identityOf,
  type ElectionTimes,
  type LeaderElectorOptions,
  electionMeters,
  type LeaderElectionMetrics,
  type OnLost,
} from "./leader-elector-options.ts";
import { LeaseLock } from "./lease-lock.ts";
import { Fence } from "./fence.ts";
import { leases, type LeaseObject } from "./lease.ts";
import { LeadershipLostError, NotLeadingError, type Leadership, type Term } from "./term.ts";

provideDispose();

/** Subject of log lines while the lease cannot be reached. */
const requestSubject = "Leader election";

/**
 * Time for work to end after a loss, if the elector rejoins: controller-runtime
 * `GracefulShutdownTimeout`.
 */
const defaultEndMs = 30_000;

const leadTable: OptionsOf<NonNullable<Parameters<LeaderElector["lead"]>[1]>> = {
  signal: aSignal,
  endWithinMs: aNumber(0),
};

/**
 * Elects one leader among several candidates by a Lease on the API server, with client-go's
 * algorithm and times.
 *
 * Guarantees: two candidates never lead at the same time, as long as the speeds of their clocks
 * differ by less than lease duration / renew deadline (1.5 with the defaults). The clocks need not
 * show the same time. A leader that cannot renew stops, and its work is aborted, before another
 * candidate can take the lease: its time starts before its last successful request, the time of the
 * others when they see the result. Each candidate needs a unique identity. A client or connection
 * from {@link LeaderElector.guard} begins no write outside of a term. Not guaranteed: that work
 * that ignores its signal stops, or that a request that has left at that moment never arrives. Send
 * resourceVersions in writes.
 *
 * ```ts
 * import { createClient, createConnection } from "@listwatch/client";
 * import { LeaderElector } from "@listwatch/controller";
 *
 * const elector = new LeaderElector({
 *   client: createClient(createConnection({ server: "http://127.0.0.1:8001" })),
 *   lease: { namespace: "default", name: "my-operator-leader" },
 *   onStartedLeading: ({ signal }) => console.log("leading", signal.aborted),
 * });
 * console.assert(!elector.isLeader);
 * // await elector.run(signal);
 * ```
 */
export class LeaderElector implements AsyncDisposable {
  /** Name of this candidate in the lease. */
  readonly identity: string;
  /** Reaction to a loss of leadership, as in the options. */
  readonly onLost: OnLost;
  /** Namespace and name of the lease. */
  readonly #key: string;
  readonly #clock: Clock;
  readonly #options: LeaderElectorOptions;
  readonly #leaseDurationMs: number;
  readonly #lock: LeaseLock;
  readonly #metrics: LeaderElectionMetrics;
  readonly #failures: Failures;
  readonly #fence: Fence;
  readonly #election: Election;
  readonly #run: SingleRun;
  #state: ElectionState = { phase: "idle" };
  /** The loss of the last term, until the next one begins. */
  #lost: LeadershipLostError | undefined;
  /** Pending calls of `lead`. */
  readonly #applicants = new WaitQueue<Term | undefined>();

  /**
   * @throws {InvalidOptionsError} unless lease duration > renew deadline > retry period × 1.2
   * @throws {InvalidNameError} if the namespace or name of the lease cannot be part of a path
   */
  constructor(options: LeaderElectorOptions) {
    checkElectorOptions(options);
    const { client, lease } = options;
    const clock = options.clock ?? client.clock ?? systemClock;
    const times = electionTimes(options.limits, "hold an election");
    const identity = identityOf(options);
    const namespace = checkPathSegment("namespace", lease.namespace);
    const key = `${namespace}/${checkPathSegment("name", lease.name)}`;
    this.#key = key;
    this.identity = identity;
    this.onLost = options.onLost ?? "exit";
    const { name } = lease;
    this.#fence = new Fence({
      namespace,
      name,
      ends: () => this.#heldTerm && [this.#heldTerm.lost],
      refuse: () => {
        this.#loseExpired();
        return this.#lost ?? new NotLeadingError(identity, this.leader);
      },
    });
    this.#clock = clock;
    this.#options = options;
    this.#leaseDurationMs = times.leaseDurationMs;
    this.#failures = new Failures({
      log: options.telemetry?.log,
      clock,
      fields: { lease: key, identity },
    });
    this.#metrics = createMeters(options.telemetry?.metrics, electionMeters, { name }, (error) =>
      this.#report("A metric of the election", error),
    );
    this.#run = new SingleRun(`the elector of ${key}`);
    this.#lock = this.#createLock(key, options, times.leaseDurationMs);
    this.#election = this.#createElection(options, times);
    this.#metrics.masterStatus?.set(0);
  }

  /** Whether this candidate leads now. Reads the clock, so it is correct even after a sleep. */
  get isLeader(): boolean {
    return this.#heldTerm !== undefined;
  }

  get #heldTerm(): Term | undefined {
    return this.#state.phase === "leading" && this.#state.term.isHeld
      ? this.#state.term
      : undefined;
  }

  /** Ends a term that is over while its timer has not fired, after a suspension of the process. */
  #loseExpired(): void {
    if (this.#state.phase !== "leading") return;
    const { term } = this.#state;
    if (!term.isHeld && !term.lost.aborted) term.watchTime();
  }

  /** Identity of the last known leader; `""` if none is known. */
  get leader(): string {
    return this.#lock.holder;
  }

  /**
   * Whether the elector is healthy, for a health check. `false` if a leader has not renewed its
   * lease (client-go `Check`), or another candidate has not reached the lease, for longer than the
   * lease duration + `toleranceMs`. `true` before and after the run.
   *
   * @param toleranceMs time by which the lease may be overdue, in milliseconds; 0 by default
   */
  isHealthy(toleranceMs = 0): boolean {
    const limitMs = this.#leaseDurationMs + toleranceMs;
    switch (this.#state.phase) {
      case "leading":
        return this.#lock.observedAgeMs <= limitMs;
      case "acquiring":
        return this.#election.unreachedMs <= limitMs;
      case "idle":
      case "releasing":
      case "stopped":
      default:
        return true;
    }
  }

  /**
   * Takes part in the election until `signal` is aborted or leadership is lost. After an abort it
   * keeps the lease until all work has ended, then releases it. With `onLost: "rejoin"` it takes
   * part again after a loss, once all work of that term has ended.
   *
   * @throws {LeadershipLostError} when leadership is lost; with `onLost: "rejoin"` only if work of
   *   the lost term goes on for longer than it may, see {@link LeaderElector.lead}
   * @throws {AlreadyRunningError} if it was called before
   */
  run(signal?: AbortSignal): Promise<void> {
    return this.#run.run(signal, (stop) => this.#elect(stop));
  }

  /** Stops the elector and waits until {@link LeaderElector.run} ends. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#run.stop();
  }

  /**
   * Waits for leadership, then calls `work`. A stopped elector keeps the lease until the work has
   * ended. Several calls may be in progress.
   *
   * @returns the result of `work`; `undefined` if the elector ends or `signal` is aborted before it
   *   leads
   * @throws {LeadershipLostError} if the elector rejoins after losses, and `work` goes on for
   *   longer than `endWithinMs` after one
   */
  async lead<R>(
    work: (leadership: Leadership) => Promise<R>,
    options?: {
      /** Ends the wait for leadership; `work` is then not called. @default none */
      readonly signal?: AbortSignal | undefined;
      /**
       * Time for `work` to end after a loss, in milliseconds, if the elector rejoins. After that
       * the elector ends instead. @default 30_000
       */
      readonly endWithinMs?: number | undefined;
    },
  ): Promise<R | undefined> {
    if (options !== undefined) checkOptions(options, leadTable);
    const { endWithinMs = defaultEndMs, signal } = options ?? {};
    const term = await this.#nextTerm(signal);
    if (term === undefined || term.lost.aborted) return undefined;
    // The async function turns any thenable, and a throw, into a promise.
    const working = (async () => work(term))();
    term.track(working, endWithinMs);
    return Promise.race([working, term.abandoned]);
  }

  /**
   * Returns the same client, or connection, which only writes while this candidate leads. Writes at
   * other times are refused before anything is sent, and those in flight are aborted when the term
   * ends. They pass until the lease is released, so also while work ends after a stop.
   *
   * Guarded are create, update, patch, apply, delete, deleteCollection and writes of subresources.
   * Not guarded are reads, dry runs, reviews, creates and updates of events, and those of the lease
   * itself. Not guaranteed: that a request that has left before the end of the term does not arrive
   * after it.
   *
   * @throws {InvalidOptionsError} if it is neither a connection nor a client of `createClient`
   */
  guard(client: Client): Client;
  guard(connection: Connection): Connection;
  guard(target: Client | Connection): Client | Connection {
    if (isOwnClient(target)) return this.#fence.guardClient(asClient(target));
    checkConnection(target);
    return this.#fence.guardConnection(asConnection(target));
  }

  #nextTerm(signal: AbortSignal | undefined): Promise<Term | undefined> | Term | undefined {
    switch (this.#state.phase) {
      case "idle":
        return this.#waitForRun(signal);
      case "acquiring":
        return this.#waitForTerm(signal);
      case "leading":
        if (!this.#rejoinsAfter(this.#state.term)) return this.#state.term;
        return this.#waitForTerm(signal);
      case "releasing":
        return this.#rejoinsAfter(this.#state.term) ? this.#waitForTerm(signal) : undefined;
      case "stopped":
      default:
        return undefined;
    }
  }

  /** Whether a term was lost, so that another one may follow. */
  #rejoinsAfter({ lost }: Term): boolean {
    return this.onLost === "rejoin" && isInstance(lost.reason, LeadershipLostError);
  }

  #waitForTerm(signal: AbortSignal | undefined): Promise<Term | undefined> {
    // An aborted wait is a normal end.
    return this.#applicants.wait(signal).catch(() => undefined);
  }

  /** Same, for an elector that has not been started; logs a warning if it never is. */
  async #waitForRun(signal: AbortSignal | undefined): Promise<Term | undefined> {
    const timer = watchStart({
      clock: this.#clock,
      action: "lead",
      subject: requestSubject,
      unstarted: () => (this.#state.phase === "idle" ? "the elector" : undefined),
      report: (failure) => this.#failures.report(failure, this.#options.onError),
    });
    try {
      return await this.#waitForTerm(signal);
    } finally {
      timer.cancel();
    }
  }

  async #elect(stop: AbortSignal): Promise<void> {
    // The same signal may stop the recorder before this elector has stopped leading.
    let releaseRecorder: (() => void) | undefined;
    this.#call("The event recorder", () => {
      releaseRecorder = this.#options.recorder?.retain?.();
    });
    try {
      while (this.#state.phase !== "stopped") {
        this.#state = await this.#election.step(this.#state, stop);
      }
    } finally {
      this.#applicants.resolveAll(undefined);
      this.#call("onStoppedLeading", () => this.#options.onStoppedLeading?.());
      this.#call("The event recorder", () => releaseRecorder?.());
      this.#failures.close();
    }
    if (this.#state.failure !== undefined) throw this.#state.failure;
  }

  /** All work of a lost term has ended. */
  #rejoin(failure: LeadershipLostError): void {
    this.#report(requestSubject, failure);
    this.#call("onStoppedLeading", () => this.#options.onStoppedLeading?.());
  }

  #createLock(key: string, options: LeaderElectorOptions, leaseDurationMs: number): LeaseLock {
    const { client, lease } = options;
    return new LeaseLock({
      client: client.resource<LeaseObject>(leases),
      key,
      identity: this.identity,
      leaseDurationMs,
      labels: lease.labels,
      clock: this.#clock,
      onHolder: (holder) =>
        queueMicrotask(() => this.#call("onNewLeader", () => options.onNewLeader?.(holder))),
      onSlowPath: () => this.#metrics.slowpath?.inc(),
    });
  }

  #createElection(options: LeaderElectorOptions, times: ElectionTimes): Election {
    const { lease, random = systemRandom } = options;
    return new Election({
      lock: this.#lock,
      identity: this.identity,
      times,
      releaseOnCancel: lease.releaseOnCancel ?? true,
      rejoins: this.onLost === "rejoin",
      onRejoin: (failure) => this.#rejoin(failure),
      clock: this.#clock,
      random,
      onTerm: (term) => this.#announce(term),
      onLeading: (term) => this.#begin(term),
      onReached: () => this.#failures.recover(requestSubject),
      onFailure: (error, what) => {
        const isLasting = what === "hold";
        this.#report(isLasting ? requestSubject : "The release of the lease", error, isLasting);
      },
    });
  }

  #begin(term: Term): void {
    const { onStartedLeading } = this.#options;
    if (onStartedLeading !== undefined) {
      const started = (async () => onStartedLeading(term))();
      started.catch((error: unknown) => {
        if (!isAbortOf(term.signal, error)) this.#report("onStartedLeading", error);
      });
      term.track(started, defaultEndMs);
    }
    this.#applicants.resolveAll(term);
  }

  /** Announces the beginning and the end of a term, in client-go's words. */
  #announce(term: Term): void {
    this.#metrics.masterStatus?.set(1);
    this.#record("BecomeLeader", "became leader");
    void this.#traceTerm(term);
    this.#lost = undefined;
    onAborted(term.lost, () => {
      const reason: unknown = term.lost.reason;
      if (isInstance(reason, LeadershipLostError)) this.#lost = reason;
      this.#metrics.masterStatus?.set(0);
      this.#record("StopLeading", "stopped leading");
    });
  }

  async #traceTerm({ lost }: Term): Promise<void> {
    const { traces } = this.#options.telemetry ?? {};
    if (traces === undefined) return;
    const attributes = { "listwatch.lease": this.#key, "listwatch.identity": this.identity };
    await trace(traces, "term", attributes, async (span) => {
      await new Promise<void>((resolve) => void onAborted(lost, resolve));
      span.set("listwatch.lost", isInstance(lost.reason, LeadershipLostError));
    });
  }

  #record(action: string, what: string): void {
    this.#call("The event recorder", () =>
      this.#options.recorder?.event({
        regarding: this.#lock.object,
        reason: "LeaderElection",
        action,
        note: `${this.identity} ${what}`,
      }),
    );
  }

  /** Calls a user callback, whose failure must not end the election. */
  #call(name: string, callback: () => unknown): void {
    this.#failures.call(name, callback, this.#options.onError);
  }

  #report(subject: string, error: unknown, isLasting = false): void {
    this.#failures.report({ subject, error, isLasting }, this.#options.onError);
  }
}

/** A client has no `fetch`; a connection has no `resource`. */
function asClient(target: Client | Connection): Client {
  if ("resource" in target) return target;
  throw new TypeError("Expected a client");
}

function asConnection(target: Client | Connection): Connection {
  if ("fetch" in target) return target;
  throw new TypeError("Expected a connection");
}
