import type { CounterMetric, GaugeMetric } from "@listwatch/core-fifo";

/** Metrics of one elector. The caller owns them and decides how long they live. */
export interface LeaderElectionMetrics {
  /** 1 while this elector leads, otherwise 0. */
  readonly masterStatus?: GaugeMetric | undefined;
  /** Renewals that had to read the lease first. */
  readonly slowpath?: CounterMetric | undefined;
}

/**
 * client-go's name of each metric (component-base, metrics/prometheus/clientgo/leaderelection), so
 * that dashboards keep working.
 */
export const leaderElectionMetricNames: {
  readonly [Metric in keyof LeaderElectionMetrics]-?: string;
} = {
  masterStatus: "leader_election_master_status",
  slowpath: "leader_election_slowpath_total",
};
