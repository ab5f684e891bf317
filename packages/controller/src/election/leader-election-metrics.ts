import type { CounterMetric, GaugeMetric } from "@listwatch/core-fifo";

/** The metrics of one elector. They are the caller's and live as long as the caller keeps them. */
export interface LeaderElectionMetrics {
  /** 1 while this one leads, 0 while it does not. */
  readonly masterStatus?: GaugeMetric | undefined;
  /** Renewals that could not be written at once, so that the lease had to be read. */
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
