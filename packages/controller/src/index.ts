/**
 * Controllers over shared informers: the reconcile loop, leader election, and what operators write.
 *
 * @module
 */
export {
  ApiClient,
  ResourceClient,
  type ApiClientOptions,
  type DeleteOptions,
  type PatchOptions,
  type PatchType,
  type RequestOptions,
} from "./api-client.ts";
export {
  controllerMetricNames,
  type ControllerMetrics,
  type ReconcileOutcome,
} from "./controller-metrics.ts";
export type { ControllerOptions, ReconcileFailure } from "./controller-options.ts";
export type { ControllerSource, VersionSource } from "./controller-source.ts";
export { Controller, type SourceOptions } from "./controller.ts";
export {
  ControllerStateError,
  ControllerStoppedError,
  LeadershipLostError,
  ReconcileTimeoutError,
  TerminalError,
} from "./errors.ts";
export { EventRecorder, type EventNote, type EventRecorderOptions } from "./event-recorder.ts";
export { isBeingDeleted, withFinalizer, type FinalizerActions } from "./finalizer.ts";
export {
  leaderElectionMetricNames,
  type LeaderElectionMetrics,
} from "./leader-election-metrics.ts";
export type { LeaderElectorOptions, Leadership } from "./leader-election-options.ts";
export { LeaderElector } from "./leader-elector.ts";
export {
  controllerReference,
  ownerOf,
  ownerReferences,
  type OwnerKind,
  type OwnerReference,
  type OwnerType,
} from "./owner.ts";
export {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  type Predicate,
  type UpdatePredicate,
} from "./predicates.ts";
export type { Reconcile, ReconcileContext, ReconcileResult } from "./reconcile.ts";
export {
  isAlreadyExists,
  isConflict,
  isNotFound,
  retryOnConflict,
  type RetryOptions,
} from "./retry-on-conflict.ts";
export { writeStatus } from "./status-patch.ts";
