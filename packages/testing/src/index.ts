/**
 * Operators under test: simulations of a whole program on simulated time, against a cluster that
 * fails in every way it can, and the shortest story of each failure. With the simulated clock of
 * `@listwatch/core-fifo/testing`.
 *
 * @module
 */
export * from "@listwatch/core-fifo/testing";
export {
  ConditionNotMetError,
  LeftRunningError,
  MissingRightError,
  UnsupportedError,
} from "./cluster/errors.ts";
export {
  matchers,
  type ComparedCache,
  type ExpectedEvent,
  type ExpectedReconcile,
  type MatcherResult,
  type Matchers,
} from "./cluster/matchers.ts";
export { readManifests } from "./cluster/read-manifests.ts";
export type {
  FakeClusterOptions,
  RealClusterOptions,
  TestClusterOptions,
  UntilMetOptions,
} from "./cluster/test-cluster-options.ts";
export { testCluster, withTestCluster, type TestCluster } from "./cluster/test-cluster.ts";
export type { RealTestCluster } from "./cluster/real-test-cluster.ts";
export type { TestLogLine } from "./cluster/test-log.ts";
export { TestEventRecorder, type RecordedEvent } from "./cluster/test-event-recorder.ts";
export { formatRoles } from "./rights/roles.ts";
export type { UsedRight } from "./rights/used-right.ts";
export { EscapeError, SimulationError } from "./simulation/errors.ts";
export type {
  ActionContext,
  ClusterState,
  StateCheck,
  Life,
  Scenario,
} from "./simulation/scenario.ts";
export {
  replay,
  simulate,
  type SimulateOptions,
  type SimulationReport,
} from "./simulation/simulate.ts";
export {
  type Fault,
  type RequestFault,
  type Story,
  type StoryAction,
  type StoryFault,
  type StoryFocus,
  type StoryOptions,
  type StoryUpset,
  type Upset,
  type WatchFault,
  type WebhookFault,
} from "./simulation/story.ts";
