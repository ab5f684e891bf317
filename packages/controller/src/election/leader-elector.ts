import { systemClock, systemRandom } from "@listwatch/core-fifo";
import { guardMetrics, onAborted, WaitQueue } from "@listwatch/core-fifo/base";
import { attempt, report } from "../lifecycle/callbacks.ts";
import { SingleRun } from "../lifecycle/single-run.ts";
import { Election, type ElectionState } from "./election.ts";
import { electionTimes, type LeaderElectorOptions } from "./leader-elector-options.ts";
import type { LeaderElectionMetrics } from "./leader-election-metrics.ts";
import { LeaseLock } from "./lease-lock.ts";
import { leases, type LeaseObject } from "./lease.ts";
import type { Leadership, Term } from "./term.ts";

/**
 * Lets one of several candidates lead, by a Lease on the API server, with client-go's algorithm and
 * times.
 *
 * Guarantees: no two lead at one moment, as long as clocks run at speeds that differ by less than
 * lease duration / renew deadline (1.5 with the defaults); they need not agree about the time. A
 * leader that cannot renew stops, and its work is aborted, before another candidate can take the
 * lease, because its time counts from before its last successful request, that of the others from
 * when they see the result. Not guaranteed: that work that ignores its signal stops, or that a
 * request which is on its way then never arrives; send resourceVersions in writes.
 *
 * ```ts
 * import { createClient, createConnection } from "@listwatch/client";
 * import { LeaderElector } from "@listwatch/controller";
 *
 * const elector = new LeaderElector({
 *   client: createClient(createConnection({ server: "http://127.0.0.1:8001" })),
 *   lease: { namespace: "default", name: "my-operator" },
 *   identity: "pod-1",
 *   onStartedLeading: ({ signal }) => console.log("leading", signal.aborted),
 * });
 * console.assert(!elector.isLeader);
 * // await elector.run(signal);
 * ```
 */
export class LeaderElector implements AsyncDisposable {
  readonly identity: string;
  readonly #options: LeaderElectorOptions;
  readonly #leaseDurationMs: number;
  readonly #lock: LeaseLock;
  readonly #metrics: LeaderElectionMetrics;
  readonly #election: Election;
  readonly #run: SingleRun;
  #state: ElectionState = { phase: "idle" };
  /** Calls of `lead` that wait for a term. */
  readonly #applicants = new WaitQueue<Term | undefined>();

  /** @throws {InvalidOptionsError} unless lease duration > renew deadline > retry period × 1.2 */
  constructor(options: LeaderElectorOptions) {
    const { identity, lease, clock = systemClock, random = systemRandom } = options;
    const times = electionTimes(options);
    const key = `${lease.namespace}/${lease.name}`;
    this.identity = identity;
    this.#options = options;
    this.#leaseDurationMs = times.leaseDurationMs;
    this.#metrics = guardMetrics(options.metrics ?? {}, (error) => this.#report(error));
    this.#run = new SingleRun(`the elector of ${key}`);
    this.#lock = new LeaseLock({
      client: options.client.resource<LeaseObject>(leases),
      key,
      identity,
      leaseDurationMs: times.leaseDurationMs,
      labels: lease.labels,
      clock,
      onHolder: (holder) => queueMicrotask(() => this.#call(() => options.onNewLeader?.(holder))),
      onSlowPath: () => this.#metrics.slowpath?.inc(),
    });
    this.#election = new Election({
      lock: this.#lock,
      identity,
      times,
      releaseOnCancel: lease.releaseOnCancel ?? true,
      clock,
      random,
      onTerm: (term) => this.#announce(term),
      onLeading: (term) => this.#begin(term),
      onError: (error) => this.#report(error),
    });
    this.#metrics.masterStatus?.set(0);
  }

  /** Whether this candidate leads right now. Looks at the clock, so it is right after a sleep, too. */
  get isLeader(): boolean {
    return this.#state.phase === "leading" && this.#state.term.isHeld;
  }

  /** The candidate that was last seen to lead; `""` if none was. */
  get leader(): string {
    return this.#lock.holder;
  }

  /**
   * Whether all is well, for a health check: false when this candidate believes to lead, and has
   * not seen its lease renewed for the lease duration and `toleranceMs` more (client-go `Check`).
   */
  isHealthy(toleranceMs = 0): boolean {
    if (this.#state.phase !== "leading") return true;
    return this.#lock.observedAgeMs <= this.#leaseDurationMs + toleranceMs;
  }

  /**
   * Takes part until `signal` is aborted or leadership is lost. After an abort it keeps the lease
   * until all work has ended, then releases it.
   *
   * @throws {LeadershipLostError} when leadership is lost
   * @throws {AlreadyRunningError} if it was called before
   */
  run(signal?: AbortSignal): Promise<void> {
    return this.#run.run(signal, (stop) => this.#elect(stop));
  }

  /** Stops the elector, and waits for the end of {@link LeaderElector.run}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#run.stop();
  }

  /**
   * Waits for leadership, then works. A stopped elector keeps the lease until the work has ended.
   * Several works may be in progress.
   *
   * @returns what the work returned; `undefined` if the elector ends, or `signal` is aborted,
   *   before it leads
   */
  async lead<R>(
    work: (leadership: Leadership) => Promise<R>,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<R | undefined> {
    const term = await this.#nextTerm(options.signal);
    if (term === undefined || term.lost.aborted) return undefined;
    const working = work(term);
    term.track(working);
    return working;
  }

  #nextTerm(signal: AbortSignal | undefined): Promise<Term | undefined> | Term | undefined {
    switch (this.#state.phase) {
      case "idle":
      case "acquiring":
        // An abort of the wait is an end like others.
        return this.#applicants.wait(signal).catch(() => undefined);
      case "leading":
        return this.#state.term;
      case "releasing":
      case "stopped":
      default:
        return undefined;
    }
  }

  async #elect(stop: AbortSignal): Promise<void> {
    try {
      while (this.#state.phase !== "stopped") {
        this.#state = await this.#election.step(this.#state, stop);
      }
    } finally {
      this.#applicants.resolveAll(undefined);
      this.#call(() => this.#options.onStoppedLeading?.());
    }
    if (this.#state.failure !== undefined) throw this.#state.failure;
  }

  #begin(term: Term): void {
    const { onStartedLeading } = this.#options;
    if (onStartedLeading !== undefined) {
      const started = (async () => onStartedLeading(term))();
      started.catch((error: unknown) => this.#report(error));
      term.track(started);
    }
    this.#applicants.resolveAll(term);
  }

  /** Announces the beginning and the end of a term to observers, in client-go's words. */
  #announce(term: Term): void {
    this.#metrics.masterStatus?.set(1);
    this.#record("BecomeLeader", "became leader");
    onAborted(term.lost, () => {
      this.#metrics.masterStatus?.set(0);
      this.#record("StopLeading", "stopped leading");
    });
  }

  #record(action: string, what: string): void {
    this.#call(() =>
      this.#options.recorder?.event({
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

  #report(error: unknown): void {
    report(error, this.#options.onError);
  }
}
