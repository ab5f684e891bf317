import {
  controllerMetricNames,
  leaderElectionMetricNames,
  type ControllerMetrics,
  type LeaderElectionMetrics,
} from "@listwatch/controller";
import type {
  CounterMetric,
  GaugeMetric,
  HistogramMetric,
  MetricsSink,
} from "@listwatch/core-fifo";
import { informerMetricNames, type InformerMetrics } from "@listwatch/shared-informer";
import { queueMetricNames, type QueueMetrics } from "@listwatch/workqueue";

/** controller-runtime `ReconcileTime`, pkg/internal/controller/metrics/metrics.go. */
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1,
  1.25, 1.5, 1.75, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** controller-runtime `workqueue` metrics, pkg/metrics/workqueue.go: 10⁻⁸ to 10³ s. */
const queueBuckets = [1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 1, 10, 100, 1000];

/** Numbers of objects, of lists of a namespace and of lists of a large cluster. */
const itemBuckets = [1, 10, 100, 1000, 10_000, 100_000];

type Meter<M> = (...labels: readonly string[]) => M;

/** All meters of a manager. Each is created once, and the parts of the program share it. */
export interface Meters {
  controller(name: string): ControllerMetrics;
  queue(name: string): QueueMetrics;
  informer(name: string): InformerMetrics;
  election(name: string): LeaderElectionMetrics;
}

/** Creates the meters of all packages under client-go's and controller-runtime's names. */
export function createMeters(sink: MetricsSink): Meters {
  return {
    controller: createControllerMeters(sink),
    queue: createQueueMeters(sink),
    informer: createInformerMeters(sink),
    election: createElectionMeters(sink),
  };
}

function createControllerMeters(sink: MetricsSink): Meters["controller"] {
  const names = controllerMetricNames;
  const { counter, gauge, histogram } = metersOf(sink, ["controller"]);
  const reconciles = sink.counter({
    name: names.reconciles,
    help: "Reconciles by result",
    labels: ["controller", "result"],
  });
  const errors = counter(names.reconcileErrors, "Reconciles that threw");
  const terminal = counter(names.terminalReconcileErrors, "Reconciles that are not retried");
  const timeouts = counter(names.reconcileTimeouts, "Reconciles beyond their time limit");
  const time = histogram(names.reconcileTime, "Duration of a reconcile", reconcileBuckets);
  const workers = gauge(names.maxConcurrentReconciles, "Workers of the controller");
  const active = gauge(names.activeWorkers, "Reconciles in progress");
  return (name) => ({
    reconciles: (result) => reconciles(name, result),
    reconcileErrors: errors(name),
    terminalReconcileErrors: terminal(name),
    reconcileTimeouts: timeouts(name),
    reconcileTime: time(name),
    maxConcurrentReconciles: workers(name),
    activeWorkers: active(name),
  });
}

function createQueueMeters(sink: MetricsSink): Meters["queue"] {
  const names = queueMetricNames;
  const { counter, gauge, histogram } = metersOf(sink, ["name"]);
  const depth = gauge(names.depth, "Keys that wait");
  const adds = counter(names.adds, "Keys that were added");
  const waited = histogram(names.queueDuration, "Seconds that a key waits", queueBuckets);
  const worked = histogram(names.workDuration, "Seconds that a key takes", queueBuckets);
  const unfinished = gauge(names.unfinishedWork, "Seconds of all work in progress");
  const longest = gauge(names.longestRunningProcessor, "Seconds of the longest work in progress");
  const retries = counter(names.retries, "Keys that were added with a delay");
  return (name) => ({
    depth: depth(name),
    adds: adds(name),
    queueDuration: waited(name),
    workDuration: worked(name),
    unfinishedWork: unfinished(name),
    longestRunningProcessor: longest(name),
    retries: retries(name),
  });
}

function createInformerMeters(sink: MetricsSink): Meters["informer"] {
  const names = informerMetricNames;
  const { counter, gauge, histogram } = metersOf(sink, ["name"]);
  const lists = counter(names.lists, "Lists of a resource");
  const listDuration = histogram(names.listDuration, "Seconds of a list");
  const itemsPerList = histogram(names.itemsPerList, "Objects of a list", itemBuckets);
  const watches = counter(names.watches, "Watches of a resource");
  const shortWatches = counter(names.shortWatches, "Watches that ended without an event");
  const watchDuration = histogram(names.watchDuration, "Seconds of a watch");
  const itemsPerWatch = histogram(names.itemsPerWatch, "Events of a watch", itemBuckets);
  const lastVersion = gauge(names.lastResourceVersion, "Last resourceVersion that was seen");
  const queued = gauge(names.queuedItems, "Changes that are not in the cache yet");
  const latency = histogram(names.processingLatency, "Seconds until handlers have a batch");
  const version = gauge(names.storeResourceVersion, "resourceVersion of the cache");
  const backlog = sink.gauge({
    name: names.handlerBacklog,
    help: "Events that wait for a handler",
    labels: ["name", "handler"],
  });
  const drifted = counter(names.driftedObjects, "Objects that watches missed");
  return (name) => ({
    lists: lists(name),
    listDuration: listDuration(name),
    itemsPerList: itemsPerList(name),
    watches: watches(name),
    shortWatches: shortWatches(name),
    watchDuration: watchDuration(name),
    itemsPerWatch: itemsPerWatch(name),
    lastResourceVersion: lastVersion(name),
    queuedItems: queued(name),
    processingLatency: latency(name),
    storeResourceVersion: version(name),
    handlerBacklog: (handler) => backlog(name, handler),
    driftedObjects: drifted(name),
  });
}

function createElectionMeters(sink: MetricsSink): Meters["election"] {
  const names = leaderElectionMetricNames;
  const { counter, gauge } = metersOf(sink, ["name"]);
  const master = gauge(names.masterStatus, "1 while this process leads");
  const slowpath = counter(names.slowpath, "Renewals that had to read the lease");
  return (name) => ({ masterStatus: master(name), slowpath: slowpath(name) });
}

/** Returns shorthands for meters with the same labels. */
function metersOf(
  sink: MetricsSink,
  labels: readonly string[],
): {
  readonly counter: (name: string, help: string) => Meter<CounterMetric>;
  readonly gauge: (name: string, help: string) => Meter<GaugeMetric>;
  readonly histogram: (
    name: string,
    help: string,
    buckets?: readonly number[],
  ) => Meter<HistogramMetric>;
} {
  return {
    counter: (name, help) => sink.counter({ name, help, labels }),
    gauge: (name, help) => sink.gauge({ name, help, labels }),
    histogram: (name, help, buckets) => sink.histogram({ name, help, labels, buckets }),
  };
}
