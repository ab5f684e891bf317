/**
 * Controllers over shared informers: the reconcile loop, leader election, and what operators write.
 *
 * @module
 */
export type { PendingKey, PendingReason } from "./reconcile/pending-key.ts";
export type { ReconcileOutcome } from "./reconcile/controller-metrics.ts";
export type {
  ControllerLimits,
  ControllerOptions,
  ControllerQueueOptions,
  ControllerTelemetry,
  ReconcileFailure,
} from "./reconcile/controller-options.ts";
export { Controller } from "./reconcile/controller.ts";
export { ReconcileTimeoutError, TerminalError } from "./reconcile/errors.ts";
export {
  EventRecorder,
  type EventNote,
  type EventRecorderOptions,
} from "./events/event-recorder.ts";
export { withFinalizer, type FinalizerOptions } from "./writes/finalizer.ts";
export type {
  ElectionLimits,
  ElectionTelemetry,
  LeaderElectorOptions,
  LeaseOptions,
  OnLost,
} from "./election/leader-elector-options.ts";
export { LeadershipLostError, NotLeadingError, type Leadership } from "./election/term.ts";
export { LeaderElector } from "./election/leader-elector.ts";
export {
  controllerReference,
  ownerOf,
  ownerReferences,
  type OwnerHandle,
  type OwnerKind,
  type OwnerMapping,
  type OwnerReference,
  type OwnerType,
} from "./writes/owner.ts";
export { allOf, anyOf, not } from "@listwatch/client";
export {
  annotationsChanged,
  generationChanged,
  labelsChanged,
  labelSelector,
  resourceVersionChanged,
  type Predicate,
  type UpdatePredicate,
} from "./reconcile/predicates.ts";
export { NotSlotOwnerError, RingMismatchError } from "./sharding/ring-errors.ts";
export type { RingLimits, RingTelemetry, ShardRingOptions } from "./sharding/ring-options.ts";
export { ShardRing, type RingStatus } from "./sharding/shard-ring.ts";
export type { SlotUser, Tenure } from "./sharding/slot-table.ts";
export type { SourceOptions } from "./reconcile/mapping-handler.ts";
export type { Reconcile, ReconcileContext, ReconcileResult } from "./reconcile/reconcile.ts";
export { retryOnConflict, type RetryOnConflictOptions } from "./writes/conflict.ts";
export {
  conditionOf,
  isConditionTrue,
  setCondition,
  type ConditionOf,
  type NewCondition,
  type SetConditionOptions,
  type Settled,
  type StatusCondition,
} from "./writes/conditions.ts";
export { writeStatus, type ComputeStatus, type StatusOf } from "./writes/status.ts";
export type { ControllerSource } from "./reconcile/controller-source.ts";
