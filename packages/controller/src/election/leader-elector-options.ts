import {
  InvalidOptionsError,
  type Clock,
  type Log,
  type MetricsSink,
  type Random,
  type TraceSink,
} from "@listwatch/core-fifo";
import {
  recordOf,
  stringOf,
  aBoolean,
  aClock,
  aFunction,
  aLog,
  aMetricsSink,
  aNumber,
  anObject,
  aString,
  aTraceSink,
  having,
  oneOf,
  checkOptions,
  type MetersOf,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { Client } from "@listwatch/client";
import type { EventRecorder } from "../events/event-recorder.ts";
import type { Leadership } from "./term.ts";

/** Lease object that the candidates of an election share. */
export interface LeaseOptions {
  /** Namespace of the lease. Candidates need the right to get, create and update leases there. */
  readonly namespace: string;
  /** Name of the lease, the same for all candidates of an election. */
  readonly name: string;
  /** Labels to add to the lease. @default none */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether to release the lease after a stop, once all work has ended. The next leader then does
   * not wait until the lease expires (client-go `ReleaseOnCancel`).
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
   * @default 15_000 (recommended by client-go, like the other two)
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * How long a leader leads after the start of its last successful renewal.
   *
   * @default 10_000
   */
  readonly renewDeadlineMs?: number | undefined;
  /**
   * Time between renewals. Candidates try after a random time of 1 to 2.2 times this.
   *
   * @default 2000
   */
  readonly retryPeriodMs?: number | undefined;
}

/**
 * Reaction of an elector to a loss of leadership. `"exit"` ends its run with a
 * {@link LeadershipLostError}, so that the process can end and restart. `"rejoin"` takes part again
 * once all work of the lost term has ended.
 */
export type OnLost = "exit" | "rejoin";

/** Log and metrics of an election. */
export interface ElectionTelemetry {
  /** Receives errors if there is no `onError`, and errors that it throws. @default consoleLog */
  readonly log?: Log | undefined;
  /** Receives `leader_election_*`, with the name of the lease as the label `name`. @default none */
  readonly metrics?: MetricsSink | undefined;
  /** Receives a span for each term of this candidate. @default none */
  readonly traces?: TraceSink | undefined;
}

/** Options of {@link LeaderElector}. */
export interface LeaderElectorOptions {
  /** Client that reads and writes the lease. */
  readonly client: Client;
  /** Lease that all candidates of the election share. */
  readonly lease: LeaseOptions;
  /**
   * Name of this candidate. It must be unique among running processes: two with the same identity
   * both lead, because each takes the other's lease for its own. A process that restarts with the
   * same identity leads again at once.
   *
   * @default the environment's `HOSTNAME`, otherwise "listwatch", with "_" and a random UUID
   */
  readonly identity?: string | undefined;
  /** Durations of the election. @default {} */
  readonly limits?: ElectionLimits | undefined;
  /**
   * Reaction to a loss of leadership: `"exit"` or `"rejoin"`. Controllers with this elector follow
   * it. With `"rejoin"` they keep their queue and reconcile again in the next term.
   *
   * @default "exit"
   */
  readonly onLost?: OnLost | undefined;
  /**
   * Called when leadership begins. A stopped elector keeps the lease until the returned promise
   * settles.
   *
   * @default none
   */
  readonly onStartedLeading?: ((leadership: Leadership) => unknown) | undefined;
  /**
   * Called when {@link LeaderElector.run} ends, even if it never led. With `onLost: "rejoin"` also
   * after each lost term, when all its work has ended.
   *
   * @default none
   */
  readonly onStoppedLeading?: (() => unknown) | undefined;
  /**
   * Called with each new holder of the lease, in a microtask after the change of state.
   *
   * @default none
   */
  readonly onNewLeader?: ((identity: string) => unknown) | undefined;
  /**
   * Called with failed requests and with errors of callbacks and metrics; the election continues.
   * Not called for conflicts, where another candidate was faster.
   *
   * @default errors are written to `telemetry.log`, each cause at once and then once a minute
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /**
   * Records events on the lease when a candidate begins or stops leading. The caller runs the
   * recorder. The elector retains it until its end, so that one signal can stop both and the last
   * event is still written.
   *
   * @default none
   */
  readonly recorder?:
    | (Pick<EventRecorder, "event"> & Partial<Pick<EventRecorder, "retain">>)
    | undefined;
  /** Log and metrics of the election. @default {} */
  readonly telemetry?: ElectionTelemetry | undefined;
  /**
   * Clock for the durations of the election. Other candidates' clocks need not agree with it.
   *
   * @default the client's clock
   */
  readonly clock?: Clock | undefined;
  /** Source of the jitter of retries, with results from 0 to less than 1. @default Math.random */
  readonly random?: Random | undefined;
}

/** Checks the identity of a candidate, or of a member of a ring. */
export function anIdentity(value: unknown): string | undefined {
  return value === "" ? "a string that is not empty" : aString(value);
}

/** Checks the times of an election, or of a ring. */
export const timesTable: OptionsOf<ElectionLimits> = {
  leaseDurationMs: aNumber(0),
  renewDeadlineMs: aNumber(0),
  retryPeriodMs: aNumber(0),
};

const electorTable: OptionsOf<LeaderElectorOptions> = {
  client: having("resource"),
  lease: {
    // Checked as parts of a path as well.
    namespace: aString,
    name: aString,
    labels: anObject,
    releaseOnCancel: aBoolean,
  } satisfies OptionsOf<LeaseOptions>,
  identity: anIdentity,
  limits: timesTable,
  onLost: oneOf("exit", "rejoin"),
  onStartedLeading: aFunction,
  onStoppedLeading: aFunction,
  onNewLeader: aFunction,
  onError: aFunction,
  recorder: having("event"),
  telemetry: {
    log: aLog,
    metrics: aMetricsSink,
    traces: aTraceSink,
  } satisfies OptionsOf<ElectionTelemetry>,
  clock: aClock,
  random: aFunction,
};

/** @throws {InvalidOptionsError} if an option cannot be used, or is missing */
export function checkElectorOptions(options: unknown): void {
  checkOptions(options, electorTable, ["client", "lease", "lease.namespace", "lease.name"]);
}

/** client-go `JitterFactor`, tools/leaderelection/leaderelection.go. */
export const jitterFactor = 1.2;

/** Times of an election, in milliseconds, with defaults applied. */
export interface ElectionTimes {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** Returns the identity of a candidate. Default: as in controller-runtime, pkg/leaderelection. */
export function identityOf({ identity }: Pick<LeaderElectorOptions, "identity">): string {
  return identity ?? `${readHostName() || "listwatch"}_${crypto.randomUUID()}`;
}

/** Returns the host name; `""` if it is unknown. */
function readHostName(): string {
  try {
    // Node, Deno and Bun have an environment. Browsers and the types of this package do not.
    const { env } = recordOf(Reflect.get(globalThis, "process"));
    return stringOf(recordOf(env)["HOSTNAME"]);
  } catch {
    // Deno throws without permission to read it.
    return "";
  }
}

/**
 * Returns the times of an election, or of a ring, with defaults applied.
 *
 * @param action what needs them, for errors: "hold an election"
 * @throws {InvalidOptionsError} unless lease duration > renew deadline > retry period × 1.2
 *   (client-go `NewLeaderElector`, tools/leaderelection/leaderelection.go)
 */
export function electionTimes(limits: ElectionLimits | undefined, action: string): ElectionTimes {
  const { leaseDurationMs = 15_000, renewDeadlineMs = 10_000, retryPeriodMs = 2000 } = limits ?? {};
  const isInOrder =
    leaseDurationMs > renewDeadlineMs &&
    renewDeadlineMs > retryPeriodMs * jitterFactor &&
    retryPeriodMs > 0;
  if (!isInOrder) {
    throw new InvalidOptionsError(
      `Cannot ${action}: expected ` +
        "leaseDurationMs > renewDeadlineMs > retryPeriodMs × 1.2 > 0, " +
        `got ${leaseDurationMs}, ${renewDeadlineMs}, ${retryPeriodMs}`,
    );
  }
  // The API stores whole seconds. A truncated duration would let others lead too early.
  if (leaseDurationMs % 1000 !== 0) {
    throw new InvalidOptionsError(
      `Cannot ${action}: expected leaseDurationMs in whole seconds, got ${leaseDurationMs}`,
      "leaseDurationMs",
    );
  }
  return { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}

/** Metrics of an elector under client-go's names, tools/leaderelection/metrics.go. */
export const electionMeters = {
  /** 1 while this elector leads, otherwise 0. */
  masterStatus: ["gauge", "leader_election_master_status"],
  /** Renewals that had to read the lease first. */
  slowpath: ["counter", "leader_election_slowpath_total"],
} as const;

/** Metrics of one elector. */
export type LeaderElectionMetrics = MetersOf<typeof electionMeters>;
