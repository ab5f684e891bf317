/**
 * The process of an operator: start and stop in order, probes, metrics, signals and exit codes.
 *
 * @module
 */
export { createManager, type Manager } from "./manager/manager.ts";
export type {
  ManagerElectionOptions,
  ManagerInspectorOptions,
  ManagerLimits,
  ManagerOptions,
  ManagerServerOptions,
  ManagerTelemetry,
  ProtectedMetricsOptions,
  ServedMetrics,
} from "./manager/manager-options.ts";
export type {
  InspectedController,
  InspectedInformer,
  ManagerInspection,
} from "./manager/inspection.ts";
export type { PastReconcile, RunningKey } from "./controllers/reconcile-history.ts";
export type { ManagerEnd } from "./manager/manager-run.ts";
export type { StartWebhooks, ServedWebhooks } from "./manager/served-webhooks.ts";
export type { Runnable } from "./manager/runnable.ts";
export type {
  ManagedController,
  ManagedControllerOptions,
  ManagedSource,
} from "./controllers/managed-controller.ts";
export type { AnyInformer, ManagedInformers } from "./informers/managed-informers.ts";
export { ManagerSyncError } from "./informers/sync-error.ts";
export type { StopSignal } from "./process/process-events.ts";
export type { Check } from "./server/checks.ts";
