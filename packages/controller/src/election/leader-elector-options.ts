import { InvalidOptionsError, type Clock, type Log, type Random } from "@listwatch/core-fifo";
import { recordOf, stringOf } from "@listwatch/core-fifo/base";
import type { Client } from "@listwatch/client";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { LeaderElectionMetrics } from "./leader-election-metrics.ts";
import type { Leadership } from "./term.ts";

/** The Lease object that the candidates of an election share. */
export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** Labels of the lease, added to those that are there. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Gives the lease back after a stop, once all work has ended, so that the next leader need not
   * wait for its end (client-go `ReleaseOnCancel`).
   *
   * @default true
   */
  readonly releaseOnCancel?: boolean | undefined;
}

/** Times of an election, in milliseconds. */
export interface ElectionLimits {
  /**
   * How long other candidates wait after they last saw the lease change; whole seconds.
   *
   * @default 15_000 (client-go's recommendation, as all three)
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * How long a leader leads after the beginning of its last successful renewal.
   *
   * @default 10_000
   */
  readonly renewDeadlineMs?: number | undefined;
  /**
   * Time between renewals; candidates try at 1 to 2.2 times this, at random.
   *
   * @default 2000
   */
  readonly retryPeriodMs?: number | undefined;
}

/** What is recorded about an election. */
export interface ElectionTelemetry {
  /** Takes what `onError` is not there for, and what it throws. @default consoleLog */
  readonly log?: Log | undefined;
  /** @default none */
  readonly metrics?: LeaderElectionMetrics | undefined;
}

/** Options of {@link LeaderElector}. */
export interface LeaderElectorOptions {
  readonly client: Client;
  readonly lease: LeaseOptions;
  /**
   * Tells the candidates apart, and must be unique among the processes that run: two with one
   * identity both lead, since each takes the other's lease for its own. A process that is started
   * again with its identity leads again at once.
   *
   * @default the environment's `HOSTNAME`, otherwise "listwatch", with "_" and a random UUID
   */
  readonly identity?: string | undefined;
  readonly limits?: ElectionLimits | undefined;
  /**
   * Called when leadership begins. The promise it returns counts as work: a stopped elector keeps
   * the lease until it settles.
   */
  readonly onStartedLeading?: ((leadership: Leadership) => unknown) | undefined;
  /** Called when {@link LeaderElector.run} ends, also if it never led. */
  readonly onStoppedLeading?: (() => unknown) | undefined;
  /** Called whenever another holder is seen, in a microtask after the change of state. */
  readonly onNewLeader?: ((identity: string) => unknown) | undefined;
  /**
   * Called with failed requests, and with what callbacks and metrics throw; the election goes on
   * anyway. Conflicts are none of them: another candidate was faster.
   *
   * @default they are written to `telemetry.log`, each cause at once and then once a minute
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Records on the lease which candidate became leader and which stopped leading; running the
   * recorder is up to the caller. The elector holds it until its own end (`retain`), so that one
   * signal can stop both and the last event is written; an elector that goes on holds it, too.
   *
   * @default none
   */
  readonly recorder?:
    | (Pick<EventRecorder, "event"> & Partial<Pick<EventRecorder, "retain">>)
    | undefined;
  readonly telemetry?: ElectionTelemetry | undefined;
  /** @default that of the client */
  readonly clock?: Clock | undefined;
  /** @default Math.random */
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

/** The identity of a candidate; by default as of controller-runtime, pkg/leaderelection. */
export function identityOf({ identity }: Pick<LeaderElectorOptions, "identity">): string {
  if (identity === "") {
    throw new InvalidOptionsError(
      "Cannot hold an election: expected an identity, got none",
      "identity",
    );
  }
  return identity ?? `${readHostName() || "listwatch"}_${crypto.randomUUID()}`;
}

/** `""` if it is not known. */
function readHostName(): string {
  try {
    // Node, Deno and Bun have an environment, browsers none; the types of this package neither.
    const { env } = recordOf(Reflect.get(globalThis, "process"));
    return stringOf(recordOf(env)["HOSTNAME"]);
  } catch {
    // Deno throws without the permission to read it.
    return "";
  }
}

/**
 * The times of an election, with defaults.
 *
 * @throws {InvalidOptionsError} unless lease duration > renew deadline > retry period × 1.2
 *   (client-go `NewLeaderElector`, tools/leaderelection/leaderelection.go)
 */
export function electionTimes({ limits = {} }: LeaderElectorOptions): ElectionTimes {
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2000 } = limits;
  const isInOrder =
    leaseDurationMs > renewDeadlineMs &&
    renewDeadlineMs > retryPeriodMs * jitterFactor &&
    retryPeriodMs > 0;
  if (!isInOrder) {
    throw new InvalidOptionsError(
      "Cannot hold an election: expected " +
        "leaseDurationMs > renewDeadlineMs > retryPeriodMs × 1.2 > 0, " +
        `got ${leaseDurationMs}, ${renewDeadlineMs}, ${retryPeriodMs}`,
    );
  }
  // The API has whole seconds; fewer would let others come before the leader is gone.
  if (leaseDurationMs % 1000 !== 0) {
    throw new InvalidOptionsError(
      `Cannot hold an election: expected leaseDurationMs in whole seconds, got ${leaseDurationMs}`,
      "leaseDurationMs",
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}
