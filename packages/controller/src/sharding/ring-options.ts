import type { Clock, Log, MetricsSink, Random } from "@listwatch/core-fifo";
import {
  aClock,
  aFunction,
  aLog,
  aMetricsSink,
  anInteger,
  aString,
  checkOptions,
  createInvalidOptionError,
  having,
  oneOf,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { Client, ShardKey } from "@listwatch/client";
import {
  anIdentity,
  electionTimes,
  timesTable,
  type ElectionTimes,
} from "../election/leader-elector-options.ts";

/** Times of a {@link ShardRing}, in milliseconds. All members of a ring should have the same. */
export interface RingLimits {
  /**
   * How long others wait after they last saw a member's renewal, before they take its slots; whole
   * seconds.
   *
   * @default 15_000 (recommended by client-go for leader election, like the other two)
   */
  readonly leaseDurationMs?: number | undefined;
  /**
   * How long a member owns its slots after it has last read the ring and renewed its Lease.
   *
   * @default 10_000
   */
  readonly renewDeadlineMs?: number | undefined;
  /** Time between renewals. @default 2000 */
  readonly retryPeriodMs?: number | undefined;
}

/** Metrics of a ring. */
export const ringMeters = {
  /** Number of slots that this process owns. */
  ownedSlots: ["gauge", "shard_ring_owned_slots"],
  /** Slots that this process has taken over. */
  moves: ["counter", "shard_ring_moves_total"],
  /** Time for which a slot was seen without an owner before this process took it over, in seconds. */
  ownerless: ["histogram", "shard_ring_ownerless_seconds"],
} as const;

/** Log and metrics of a {@link ShardRing}. */
export interface RingTelemetry {
  /** Receives errors if there is no `onError`, and errors that it throws. @default consoleLog */
  readonly log?: Log | undefined;
  /** Receives `shard_ring_*`, with the name of the ring as the label `name`. @default none */
  readonly metrics?: MetricsSink | undefined;
}

/** Options of {@link ShardRing}. */
export interface ShardRingOptions {
  /** Client that reads and writes the Leases of the ring. */
  readonly client: Client;
  /**
   * Namespace of the Leases. Members need the right to list, get, create, update and delete Leases
   * there.
   */
  readonly namespace: string;
  /**
   * Name of the ring, the same for all members: a Lease of this name has the assignment. At most 63
   * characters, because it is also the value of a label.
   */
  readonly name: string;
  /**
   * The part of an object that divides the objects. With `"namespace"` objects are in one shard
   * with those that they own. With `"uid"` the uid of the reconciled object counts, so that the
   * shards are of equal size.
   *
   * @default "namespace"
   */
  readonly by?: ShardKey | undefined;
  /**
   * Number of slots, a power of two up to 1024. It is fixed for the life of a ring, and should be
   * some times the number of processes.
   *
   * @default 32
   */
  readonly slots?: number | undefined;
  /**
   * Name of this process in its Lease, for people. @default the environment's `HOSTNAME`, with a
   * UUID
   */
  readonly identity?: string | undefined;
  /** Durations of the ring. @default {} */
  readonly limits?: RingLimits | undefined;
  /**
   * Called with failed requests and with errors of metrics; the ring continues.
   *
   * @default errors are written to `telemetry.log`, each cause at once and then once a minute
   */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Log and metrics of the ring. @default {} */
  readonly telemetry?: RingTelemetry | undefined;
  /** Clock for the durations. Clocks of other members need not agree with it. @default the client's */
  readonly clock?: Clock | undefined;
  /** Source of names and jitter, with results from 0 to less than 1. @default Math.random */
  readonly random?: Random | undefined;
}

const maxSlots = 1024;

/** Longest value of a label. */
const maxNameLength = 63;

const ringTable: OptionsOf<ShardRingOptions> = {
  client: having("resource"),
  namespace: aString,
  name: aString,
  by: oneOf("namespace", "uid"),
  slots: anInteger(1),
  identity: anIdentity,
  limits: timesTable,
  onError: aFunction,
  telemetry: { log: aLog, metrics: aMetricsSink } satisfies OptionsOf<RingTelemetry>,
  clock: aClock,
  random: aFunction,
};

/** @throws {InvalidOptionsError} if an option cannot be used, or is missing */
export function checkRingOptions(options: ShardRingOptions): ElectionTimes {
  checkOptions(options, ringTable, ["client", "namespace", "name"]);
  const { name, slots = 32 } = options;
  if (name.length > maxNameLength) {
    throw createInvalidOptionError("name", `at most ${maxNameLength} characters`, name);
  }
  if (slots > maxSlots || !Number.isInteger(Math.log2(slots))) {
    throw createInvalidOptionError("slots", `a power of two up to ${maxSlots}`, slots);
  }
  return electionTimes(options.limits, "join a ring");
}
