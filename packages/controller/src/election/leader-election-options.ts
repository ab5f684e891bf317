import { InvalidOptionsError, type Clock, type Random } from "@listwatch/core-fifo";
import type { Client } from "@listwatch/client";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { LeaderElectionMetrics } from "./leader-election-metrics.ts";

/** The time in which somebody leads. */
export interface Leadership {
  /** Aborted when the work is to come to its end: the elector was stopped, or leadership is lost. */
  readonly signal: AbortSignal;
  /**
   * Aborted when leadership is gone: from now on somebody else may lead, and nothing may be written
   * any more.
   */
  readonly lost: AbortSignal;
}

/** Options of {@link LeaderElector}. */
export interface LeaderElectorOptions {
  readonly client: Client;
  /** Name of the Lease object that the candidates share. */
  readonly name: string;
  readonly namespace: string;
  /** Tells the candidates apart; the name of the pod is a good one. */
  readonly identity: string;
  /**
   * How long others wait after they last saw the lease change, in milliseconds; whole seconds.
   *
   * @default 15_000 (client-go's recommendation, as all three)
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * How long a leader leads after the beginning of its last successful renewal, in milliseconds.
   *
   * @default 10_000
   */
  readonly renewDeadlineMs?: number | undefined;
  /**
   * Time between renewals; candidates try at 1 to 2.2 times this, at random. In milliseconds.
   *
   * @default 2000
   */
  readonly retryPeriodMs?: number | undefined;
  /**
   * Give the lease back after a stop, once all work has ended, so that the next leader need not
   * wait (LE-7).
   *
   * @default true
   */
  readonly releaseOnCancel?: boolean | undefined;
  /** Labels of the lease, added to those that are there. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Called when leadership begins. The promise it returns counts as work: a stopped elector keeps
   * the lease until it settles.
   */
  readonly onStartedLeading?: ((leadership: Leadership) => unknown) | undefined;
  /** Called when {@link LeaderElector.run} ends, also if it never led (LE-6). */
  readonly onStoppedLeading?: (() => void) | undefined;
  /** Called whenever another holder is seen, later than the change of state. */
  readonly onNewLeader?: ((identity: string) => void) | undefined;
  /** Told of failed requests, and of callbacks and metrics that throw; the election goes on anyway. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Records on the lease who became leader and who stopped leading (LE-8); running it is up to the
   * caller.
   *
   * @default none
   */
  readonly recorder?: Pick<EventRecorder, "event"> | undefined;
  /** @default none */
  readonly metrics?: LeaderElectionMetrics | undefined;
  /** @default systemClock */
  readonly clock?: Clock | undefined;
  /** @default systemRandom */
  readonly random?: Random | undefined;
}

/** client-go `JitterFactor`, tools/leaderelection/leaderelection.go. */
export const jitterFactor = 1.2;

/** The three times of an election. */
export interface ElectionTimes {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/**
 * The times of an election, with defaults.
 *
 * @throws {InvalidOptionsError} unless lease duration > renew deadline > retry period × 1.2 (LE-1)
 */
export function electionTimes(options: LeaderElectorOptions): ElectionTimes {
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2000 } = options;
  const isInOrder =
    leaseDurationMs > renewDeadlineMs &&
    renewDeadlineMs > retryPeriodMs * jitterFactor &&
    retryPeriodMs > 0;
  if (!isInOrder) {
    throw new InvalidOptionsError(
      "Couldn't hold an election: expected leaseDurationMs > renewDeadlineMs > retryPeriodMs × 1.2 > 0, " +
        `got ${leaseDurationMs}, ${renewDeadlineMs}, ${retryPeriodMs}`,
    );
  }
  // The API has whole seconds; less would let others come before the leader is gone.
  if (leaseDurationMs % 1000 !== 0) {
    throw new InvalidOptionsError(
      `Couldn't hold an election: expected leaseDurationMs in whole seconds, got ${leaseDurationMs}`,
    );
  }
  if (options.identity === "") {
    throw new InvalidOptionsError("Couldn't hold an election: expected an identity, got none");
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
