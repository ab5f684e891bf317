/** A metric of the packages of listwatch. */
export interface KnownMetric {
  /** Name, that of client-go or controller-runtime where these have the metric. */
  readonly name: string;
  /** Kind of the metric. */
  readonly type: "counter" | "gauge" | "histogram";
  /** Names of its labels, in the order of their values. */
  readonly labels: readonly string[];
  /** Sentence about its values. */
  readonly help: string;
  /** Upper bounds of the buckets of a histogram; absent for other kinds and default buckets. */
  readonly buckets?: readonly number[] | undefined;
}

/** prometheus/client_golang `DefBuckets`, prometheus/histogram.go. */
export const defaultBuckets: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

/** controller-runtime `ReconcileTime`, pkg/internal/controller/metrics/metrics.go. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** controller-runtime `workqueue` metrics, pkg/metrics/workqueue.go: 10⁻⁸ to 10³ s. */
const queueBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];

/** Up to and beyond the 10 min after which a server ends a watch, in seconds. */
const watchBuckets = [1, 5, 10, 30, 60, 120, 300, 450, 600, 900];

/** component-base `requestLatency`, metrics/prometheus/restclient/metrics.go. */
const requestBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Numbers of objects, of lists of a namespace and of lists of a large cluster. */
const itemBuckets = [1, 10, 100, 1000, 10_000, 100_000];

type Row = readonly [
  type: KnownMetric["type"],
  name: string,
  help: string,
  buckets?: readonly number[] | undefined,
  label?: string,
];

function metricsOf(labels: readonly string[], rows: readonly Row[]): readonly KnownMetric[] {
  return rows.map(([type, name, help, buckets, label]) => {
    return { name, type, labels: label === undefined ? labels : [...labels, label], help, buckets };
  });
}

/**
 * All metrics of the packages of listwatch. A program only has those of the parts that it uses. The
 * label `name` is that of a queue, an informer or a lease, `controller` that of a controller.
 */
export const knownMetrics: readonly KnownMetric[] = [
  ...metricsOf(
    ["controller"],
    [
      [
        "counter",
        "controller_runtime_reconcile_total",
        "Reconciles by result",
        undefined,
        "result",
      ],
      ["counter", "controller_runtime_reconcile_errors_total", "Reconciles that threw"],
      [
        "counter",
        "controller_runtime_terminal_reconcile_errors_total",
        "Reconciles that threw a TerminalError and are not retried",
      ],
      [
        "counter",
        "controller_runtime_reconcile_timeouts_total",
        "Reconciles that exceeded their time limit",
      ],
      [
        "histogram",
        "controller_runtime_reconcile_time_seconds",
        "Duration of a reconcile",
        reconcileBuckets,
      ],
      [
        "gauge",
        "controller_runtime_max_concurrent_reconciles",
        "Maximum number of concurrent reconciles",
      ],
      ["gauge", "controller_runtime_active_workers", "Reconciles in progress"],
    ],
  ),
  ...metricsOf(
    ["name"],
    [
      ["gauge", "workqueue_depth", "Keys that wait"],
      ["counter", "workqueue_adds_total", "Keys that were added"],
      [
        "histogram",
        "workqueue_queue_duration_seconds",
        "Time from the add of a key to its reconcile",
        queueBuckets,
      ],
      [
        "histogram",
        "workqueue_work_duration_seconds",
        "Time that the work on a key took",
        queueBuckets,
      ],
      [
        "gauge",
        "workqueue_unfinished_work_seconds",
        "Time that the work in progress has taken, summed over all keys",
      ],
      [
        "gauge",
        "workqueue_longest_running_processor_seconds",
        "Time that the longest work in progress has taken",
      ],
      ["counter", "workqueue_retries_total", "Keys that were added with a delay"],
      ["counter", "reflector_lists_total", "Lists that were requested"],
      ["histogram", "reflector_list_duration_seconds", "Time that a list took", defaultBuckets],
      ["histogram", "reflector_items_per_list", "Objects of a list", itemBuckets],
      ["counter", "reflector_watches_total", "Watches that were requested"],
      [
        "counter",
        "reflector_short_watches_total",
        "Watches that ended within a second without an event",
      ],
      ["histogram", "reflector_watch_duration_seconds", "Duration of a watch", watchBuckets],
      ["histogram", "reflector_items_per_watch", "Events of a watch", itemBuckets],
      ["gauge", "reflector_last_resource_version", "The last resourceVersion, as a number"],
      ["gauge", "informer_queued_items", "Changes that are not in the cache yet"],
      [
        "histogram",
        "informer_processing_latency_seconds",
        "Time from a batch of changes to its last event for a handler",
        defaultBuckets,
      ],
      [
        "gauge",
        "informer_store_resource_version",
        "The last 15 digits of the resourceVersion of the cache, as a number",
      ],
      ["gauge", "informer_handler_backlog", "Events that wait for a handler", undefined, "handler"],
      [
        "counter",
        "informer_drifted_objects_total",
        "Objects that a relist changed because watches missed their events",
      ],
      ["gauge", "leader_election_master_status", "1 while this process leads, otherwise 0"],
      ["counter", "leader_election_slowpath_total", "Renewals that had to read the lease first"],
    ],
  ),
  ...metricsOf(
    ["code", "method", "host"],
    [["counter", "rest_client_requests_total", "Requests to the API server"]],
  ),
  ...metricsOf(
    ["code", "verb", "host"],
    [["counter", "rest_client_request_retries_total", "Requests that repeat an earlier one"]],
  ),
  ...metricsOf(
    ["verb", "host"],
    [
      [
        "histogram",
        "rest_client_request_duration_seconds",
        "Time from a request to the beginning of its response",
        requestBuckets,
      ],
    ],
  ),
  ...metricsOf(
    ["code", "call_status"],
    [["counter", "rest_client_exec_plugin_call_total", "Runs of exec plugins by exit code"]],
  ),
  ...metricsOf(
    [],
    [
      [
        "gauge",
        "rest_client_exec_plugin_ttl_seconds",
        "Time until the credentials of an exec plugin expire, as of the last request",
      ],
    ],
  ),
];
