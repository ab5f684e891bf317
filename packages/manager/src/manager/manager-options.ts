import type { ClientOptions } from "@listwatch/client";
import { checkConnection } from "@listwatch/client/base";
import type { ElectionLimits } from "@listwatch/controller";
import type { Clock, Log, MetricsSink, Random, TraceSink } from "@listwatch/core-fifo";
import {
  aBoolean,
  aClock,
  aFunction,
  aLog,
  aMetricsSink,
  aNumber,
  anInteger,
  anObject,
  aString,
  aTraceSink,
  checkOptions,
  isRecord,
  oneOf,
  someStrings,
  type OptionCheck,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import type { InformerDefaults } from "@listwatch/shared-informer";
import type { StopSignal } from "../process/process-events.ts";

/** Protection of the metrics of a manager. */
export interface ProtectedMetricsOptions {
  /** TCP port of `/metrics`; 0 for any free one. @default 8443 (as controller-runtime's scaffold) */
  readonly port?: number | undefined;
  /**
   * Certificate and key of the server: as PEM, or as the paths of two files, such as those of a
   * mounted Secret. Files are read again every 10 s (as controller-runtime's certwatcher does), and
   * a new certificate is served from then on; files that cannot be used leave the last one.
   *
   * @default none, without TLS
   */
  readonly tls?:
    | { readonly certificate: string; readonly key: string }
    | { readonly certificateFile: string; readonly keyFile: string }
    | undefined;
  /**
   * Whether readers need a token whose user may `get` the `nonResourceURLs: /metrics`. The manager
   * asks the API server with a TokenReview and a SubjectAccessReview, which it must be allowed to
   * create, and keeps each decision for a minute.
   *
   * @default true
   */
  readonly authorize?: boolean | undefined;
}

/** Where a manager serves its probes and metrics. */
export interface ManagerServerOptions {
  /** TCP port; 0 for any free one. @default 8081 (the probes of controller-runtime's scaffold) */
  readonly port?: number | undefined;
  /**
   * Address to listen on. The kubelet calls the address of the pod; `127.0.0.1` is for programs
   * outside of a cluster.
   *
   * @default all addresses
   */
  readonly host?: string | undefined;
  /**
   * Age of the cache of an informer from which on `/readyz` fails, in milliseconds. Without it a
   * lost connection makes no replica unready, since all would be at once.
   *
   * @default Infinity
   */
  readonly staleAfterMs?: number | undefined;
  /**
   * Serves `/metrics` on a separate port, over TLS and to readers with the permission alone.
   *
   * @default on the port of the probes, to all readers
   */
  readonly protectedMetrics?: ProtectedMetricsOptions | undefined;
}

/** Where a manager serves the page of its state. */
export interface ManagerInspectorOptions {
  /** TCP port on 127.0.0.1; 0 for any free one. @default 8082 */
  readonly port?: number | undefined;
}

/** The election of the leader among the replicas of a manager. */
export interface ManagerElectionOptions {
  /**
   * Namespace of the lease.
   *
   * @default the first of `namespaces`, otherwise that of the connection
   */
  readonly namespace?: string | undefined;
  /** Name of the lease. @default the name of the manager */
  readonly name?: string | undefined;
  /**
   * Name of this replica, unique among running ones.
   *
   * @default the host name and a random UUID
   */
  readonly identity?: string | undefined;
  /**
   * Reaction to lost leadership: `"exit"` ends the manager with a `LeadershipLostError`, and so the
   * process with the code 1; `"rejoin"` ends the work of the leader and waits for the next term.
   *
   * @default "exit"
   */
  readonly onLost?: "exit" | "rejoin" | undefined;
  /** Durations of the election. @default {} */
  readonly limits?: ElectionLimits | undefined;
}

/** Time limits of a manager, in milliseconds. */
export interface ManagerLimits {
  /** Time for the first lists, after which the manager ends with the reasons. @default 120_000 */
  readonly syncTimeoutMs?: number | undefined;
  /**
   * How long reconciles and other leader-only work may continue after a stop, before their signals
   * are aborted. Both this and `exitTimeoutMs` must end before the grace period of the pod, which
   * is 30 s by default.
   *
   * @default 20_000
   */
  readonly stopTimeoutMs?: number | undefined;
  /**
   * Time after `stopTimeoutMs` at which the process exits with the code 1, whatever still runs. It
   * has no effect with `signals: false`.
   *
   * @default 5000
   */
  readonly exitTimeoutMs?: number | undefined;
  /** Time without a turn of the event loop from which on `/livez` fails. @default 10_000 */
  readonly blockedMs?: number | undefined;
  /** Time between two checks for the definition of an optional controller. @default 30_000 */
  readonly discoveryMs?: number | undefined;
}

/** A sink that may write its metrics in Prometheus' text format 0.0.4. */
export interface ServedMetrics extends MetricsSink {
  /** Returns all metrics as text. @default none, `/metrics` is absent */
  write?(): string | Promise<string>;
}

/** Log, metrics and traces of a manager and all its parts. */
export interface ManagerTelemetry {
  /**
   * Log of the manager and all its parts.
   *
   * @default the console on a terminal and in pages, otherwise JSON lines on stderr
   */
  readonly log?: Log | undefined;
  /**
   * Receives the metrics of all parts. One with a method `write`, such as a `PrometheusRegistry`,
   * is served at `/metrics`; without it `/metrics` is absent.
   *
   * @default new PrometheusRegistry()
   */
  readonly metrics?: ServedMetrics | undefined;
  /** Receives a span for each reconcile, request, list and term of leadership. @default none */
  readonly traces?: TraceSink | undefined;
}

/** Options of {@link createManager}. */
export interface ManagerOptions {
  /** Name of the program, the same for all replicas: in logs, events, and for the lease. */
  readonly name: string;
  /**
   * Namespaces that informers read. With several, each informer is a view over one list and watch
   * in each of them, so that Roles in these namespaces suffice. Cluster-scoped resources are read
   * as usual.
   *
   * @default all namespaces
   */
  readonly namespaces?: readonly string[] | undefined;
  /**
   * Signals that stop the manager. A second one exits at once, with 130 or 143. The manager also
   * ends on errors that the program has not caught, and sets the exit code. `false` leaves the
   * process alone, for a manager in a larger program.
   *
   * @default ["SIGTERM", "SIGINT"]
   */
  readonly signals?: readonly StopSignal[] | false | undefined;
  /** Probes and metrics over HTTP; `false` for none. @default {}; false in browsers */
  readonly server?: ManagerServerOptions | false | undefined;
  /**
   * A page with the state of informers, queues and reconciles, and `/inspect.json` with the result
   * of `inspect()`, on a port of 127.0.0.1 that only this machine reaches, such as through `kubectl
   * port-forward`. It has keys and error messages, and no objects.
   *
   * @default false
   */
  readonly inspector?: ManagerInspectorOptions | false | undefined;
  /** Election of one leader among the replicas; `false` for none. @default false */
  readonly election?: ManagerElectionOptions | false | undefined;
  /** Time limits of start and stop. @default {} */
  readonly limits?: ManagerLimits | undefined;
  /** Log and metrics of all parts. @default {} */
  readonly telemetry?: ManagerTelemetry | undefined;
  /** Options of the client, such as its field manager. @default {} */
  readonly client?: Omit<ClientOptions, "clock" | "random"> | undefined;
  /** Options of all informers. @default {} */
  readonly informers?: InformerDefaults | undefined;
  /** Clock of all parts. @default systemClock */
  readonly clock?: Clock | undefined;
  /** Source of jitter, with results from 0 to less than 1. @default Math.random */
  readonly random?: Random | undefined;
}

const aCertificate: OptionCheck = (value) => {
  const isPair = (...names: readonly string[]): boolean =>
    isRecord(value) &&
    Object.keys(value).length === names.length &&
    names.every((name) => typeof value[name] === "string");
  return isPair("certificate", "key") || isPair("certificateFile", "keyFile")
    ? undefined
    : "certificate and key as PEM, or certificateFile and keyFile as paths";
};
const isFalse: OptionCheck = (value) => (value === false ? undefined : "false");
const stopSignals = ["SIGHUP", "SIGINT", "SIGTERM"];

const managerTable: OptionsOf<ManagerOptions> = {
  name: (value) => (value === "" ? "a string that is not empty" : aString(value)),
  namespaces: (value) =>
    someStrings(value) ??
    (Array.isArray(value) && value.includes("") ? "names of namespaces" : undefined),
  signals: (value) =>
    value === false || (Array.isArray(value) && value.every((each) => stopSignals.includes(each)))
      ? undefined
      : `false or an array of ${stopSignals.join(", ")}`,
  server: [
    isFalse,
    {
      port: anInteger(0),
      host: aString,
      staleAfterMs: aNumber(0),
      protectedMetrics: {
        port: anInteger(0),
        tls: aCertificate,
        authorize: aBoolean,
      } satisfies OptionsOf<ProtectedMetricsOptions>,
    } satisfies OptionsOf<ManagerServerOptions>,
  ],
  inspector: [isFalse, { port: anInteger(0) } satisfies OptionsOf<ManagerInspectorOptions>],
  election: [
    isFalse,
    {
      namespace: aString,
      name: aString,
      identity: aString,
      onLost: oneOf("exit", "rejoin"),
      // Checked by the elector.
      limits: anObject,
    } satisfies OptionsOf<ManagerElectionOptions>,
  ],
  limits: {
    syncTimeoutMs: aNumber(1),
    stopTimeoutMs: aNumber(0),
    exitTimeoutMs: aNumber(0),
    blockedMs: aNumber(1),
    discoveryMs: aNumber(1),
  } satisfies OptionsOf<ManagerLimits>,
  telemetry: {
    log: aLog,
    metrics: aMetricsSink,
    traces: aTraceSink,
  } satisfies OptionsOf<ManagerTelemetry>,
  // Checked by the client and the factory.
  client: anObject,
  informers: anObject,
  clock: aClock,
  random: aFunction,
};

/** @throws {InvalidOptionsError} if the connection or an option cannot be used */
export function checkManagerOptions(connection: unknown, options: unknown): void {
  checkConnection(connection);
  checkOptions(options, managerTable, ["name"]);
}
