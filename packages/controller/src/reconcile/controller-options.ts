import type { Client } from "@listwatch/client";
import { isOwnClient } from "@listwatch/client/base";
import {
  InvalidOptionsError,
  type Clock,
  type Key,
  type Log,
  type MetricsSink,
  type Scope,
  type TraceSink,
} from "@listwatch/core-fifo";
import type { Informer } from "@listwatch/shared-informer";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import { WorkQueue, type WorkQueueOptions } from "@listwatch/workqueue";
import type { LeaderElector } from "../election/leader-elector.ts";
import type { ShardRing } from "../sharding/shard-ring.ts";
import type { Reconcile } from "./reconcile.ts";
import {
  aBoolean,
  aClock,
  aFunction,
  aLog,
  aMetricsSink,
  aNumber,
  anInteger,
  aString,
  aTraceSink,
  having,
  recordOf,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Details of a failed reconcile. */
export interface ReconcileFailure {
  /** Key that was reconciled. */
  readonly key: string;
  /** Number of failures of the key in a row, including this one. */
  readonly failures: number;
  /** Whether the key is reconciled again; false after a {@link TerminalError}. */
  readonly willRetry: boolean;
}

/** Time limits of a {@link Controller}, in milliseconds. */
export interface ControllerLimits {
  /**
   * Time limit of a reconcile. At the limit its signal is aborted and the overrun is reported. The
   * key stays taken until the reconcile ends, so one that ignores its signal blocks a worker.
   *
   * @default 300_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * How long a stop waits for running reconciles before it aborts their signals. A reconcile that
   * continues is reported at once and then each minute until it ends.
   *
   * In a pod it should be some seconds below `terminationGracePeriodSeconds`, after which the
   * process is killed without a log line. Both are 30 s by default.
   *
   * @default 30_000 (controller-runtime `GracefulShutdownTimeout`)
   */
  readonly stopTimeoutMs?: number | undefined;
  /**
   * Longest time for which a key waits until the caches show what its last reconcile wrote. Then it
   * is reconciled anyway, with one log line: reads by key still show the writes, reads by index and
   * selector may be older. Bookmarks arrive about once a minute.
   *
   * @default 90_000
   */
  readonly readYourWritesTimeoutMs?: number | undefined;
}

/** controller-runtime `defaultGracefulShutdownPeriod`, pkg/manager/manager.go. */
export const defaultStopTimeoutMs = 30_000;

/** Log and metrics of a {@link Controller}. */
export interface ControllerTelemetry {
  /**
   * Receives errors without a hook, errors that a hook throws, and the reason why no reconcile
   * starts.
   *
   * @default consoleLog
   */
  readonly log?: Log | undefined;
  /**
   * Receives the metrics of the reconciles, under controller-runtime's names with the label
   * `controller`, and those of the queue that the controller creates.
   *
   * @default none
   */
  readonly metrics?: MetricsSink | undefined;
  /** Receives a span for each reconcile, with the controller and the key. @default none */
  readonly traces?: TraceSink | undefined;
  /** Called with the first error of each metric. Its value is lost. @default written to `log` */
  readonly onMetricsError?: ((error: unknown) => void) | undefined;
}

/** Options of the queue that a {@link Controller} creates. */
export type ControllerQueueOptions<S extends Scope = Scope> = Pick<
  WorkQueueOptions<Key<S>>,
  "ordering" | "rateLimiter"
>;

const queueTable: OptionsOf<ControllerQueueOptions> = {
  ordering: having("push", "touch", "pop"),
  rateLimiter: having("when", "forget", "numRequeues"),
};

/**
 * Options of {@link Controller}. `T`, `I` and `S` are the types of the informer's objects and
 * indexes, and the scope of its resource.
 */
export interface ControllerOptions<
  T = never,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
> {
  /** Called with each key to reconcile. */
  readonly reconcile: Reconcile<T, I, S>;
  /**
   * The informer whose objects are reconciled, as with {@link Controller.for}. It gives `reconcile`
   * typed keys, objects and indexes.
   *
   * @default none
   */
  readonly informer?: Informer<T, I, S> | undefined;
  /** Name for reports and event handlers. @default "controller" */
  readonly name?: string | undefined;
  /**
   * Maximum number of concurrent reconciles.
   *
   * @default 1 (controller-runtime `MaxConcurrentReconciles`)
   */
  readonly workers?: number | undefined;
  /**
   * The queue of keys, or options of the queue that the controller creates. The latter has merged
   * delays and a {@link PriorityOrdering}, so that changes precede the initial list. A queue must
   * not be shared with other users.
   *
   * @default {}
   */
  readonly queue?: WorkQueue<string> | WorkQueue<Key<S>> | ControllerQueueOptions<S> | undefined;
  /**
   * Client that reconciles write with, from `createClient`. Each reconcile gets it bound to its
   * key, as {@link ReconcileContext.client}, so that it reads its own writes.
   *
   * @default none, `client` of the context cannot be read
   */
  readonly client?: Client | undefined;
  /**
   * Whether an event does not queue a key if it only shows a write of that key's reconcile: a watch
   * has delivered the state right after the one that the write required. Other events are always
   * delivered: those of a list, of a deletion, and of a write without a resourceVersion or that
   * changed nothing. A write then causes no further reconcile, so a reconcile that expects one has
   * to return `requeueAfterMs`.
   *
   * @default false
   */
  readonly ignoreOwnEvents?: boolean | undefined;
  /** Time limits of reconciles and of a stop. @default {} */
  readonly limits?: ControllerLimits | undefined;
  /**
   * Elector of the leader. The controller only reconciles while it leads, and the `client` of its
   * reconciles only writes then. Caches and queue are filled before (warm standby). If the elector
   * has `onLost: "rejoin"`, the controller keeps both after a loss, and in its next term reconciles
   * each cached object once.
   *
   * @default none, the controller always reconciles
   */
  readonly elector?:
    | (Pick<LeaderElector, "lead"> & Partial<Pick<LeaderElector, "guard" | "onLost">>)
    | undefined;
  /**
   * Ring that divides the keys among the replicas of the program. The controller only reconciles
   * keys whose slots this process owns, and the `client` of its reconciles only writes then. Caches
   * are filled before. Slots that the process takes over are reconciled once, with low priority.
   *
   * The slot of a key is that of its namespace, or of the uid of the cached object that `for` or
   * `informer` has under this key. With uids, a key without such an object belongs to no slot and
   * starts nothing, except shortly after its deletion.
   *
   * @default none, the controller reconciles all keys
   */
  readonly shards?: ShardRing | undefined;
  /**
   * Called with every failed reconcile, but for those that a stop has aborted; with an error with
   * the code `LW_STOPPED` for each that goes on after that, once a minute.
   *
   * @default errors are written to `telemetry.log`, each cause at once and then once a minute;
   *   conflicts that are retried are not
   */
  readonly onError?: ((error: unknown, failure: ReconcileFailure) => void) | undefined;
  /** Log and metrics of the controller. @default {} */
  readonly telemetry?: ControllerTelemetry | undefined;
  /**
   * Clock for time limits, debouncing and the queue that the controller creates.
   *
   * @default systemClock
   */
  readonly clock?: Clock | undefined;
}

const controllerTable: OptionsOf<ControllerOptions> = {
  reconcile: aFunction,
  informer: having("addEventHandler"),
  name: aString,
  workers: anInteger(1),
  queue: [(value) => (value instanceof WorkQueue ? undefined : "a queue"), queueTable],
  client: (value) =>
    typeof value === "object" && value !== null && isOwnClient(value)
      ? undefined
      : "what createClient makes",
  ignoreOwnEvents: aBoolean,
  limits: {
    timeoutMs: aNumber(1),
    stopTimeoutMs: aNumber(0),
    readYourWritesTimeoutMs: aNumber(0),
  } satisfies OptionsOf<ControllerLimits>,
  elector: having("lead"),
  shards: having("use", "owns"),
  onError: aFunction,
  telemetry: {
    log: aLog,
    metrics: aMetricsSink,
    traces: aTraceSink,
    onMetricsError: aFunction,
  } satisfies OptionsOf<ControllerTelemetry>,
  clock: aClock,
};

/** @throws {InvalidOptionsError} if an option cannot be used, or `reconcile` is missing */
export function checkControllerOptions(options: unknown): void {
  checkOptions(options, controllerTable, ["reconcile"]);
  const { elector, shards } = recordOf(options);
  if (elector !== undefined && shards !== undefined) {
    throw new InvalidOptionsError(
      "Cannot create a controller: expected one of the options elector and shards, got both",
      "shards",
    );
  }
}
