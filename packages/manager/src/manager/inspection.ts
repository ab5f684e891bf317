import type { PendingKey } from "@listwatch/controller";
import { describeError } from "@listwatch/core-fifo/base";
import type { AnyRecipe } from "../controllers/managed-controller.ts";
import type { PastReconcile, RunningKey } from "../controllers/reconcile-history.ts";
import type { AnyInformer } from "../informers/managed-informers.ts";

/** Number of pending keys in an inspection. */
const maxPending = 1000;

/** State of an informer, without its objects. */
export interface InspectedInformer {
  /** Name of the informer. */
  readonly name: string;
  /** Phase of the informer: created, running, stopping or stopped. */
  readonly phase: string;
  /** Whether its first list is in the cache. */
  readonly hasSynced: boolean;
  /** Number of objects in the cache. */
  readonly objects: number;
  /** Last time at which the cache was complete, in milliseconds since 1970; absent if behind. */
  readonly freshAsOfMs: number | undefined;
  /** Message of the problem that it has; absent without one. */
  readonly problem: string | undefined;
  /** Events that wait, by the name of the handler. */
  readonly backlogs: Readonly<Record<string, number>>;
}

/** State of a controller. */
export interface InspectedController {
  /** Name of the controller. */
  readonly name: string;
  /** Whether it runs; false for an optional one whose definition is absent. */
  readonly isRunning: boolean;
  /** Number of keys that wait in the queue. */
  readonly waiting: number;
  /**
   * Keys that wait in the queue, for a delay, or for a cache, each with the reason; at most 1000,
   * the highest priorities first.
   */
  readonly pending: readonly PendingKey[];
  /** Reconciles in progress. */
  readonly running: readonly RunningKey[];
  /** The last reconciles of the last 1000 keys, the latest first, at most five of each. */
  readonly past: readonly (readonly [key: string, reconciles: readonly PastReconcile[]])[];
}

/** State of a manager, as plain data. It contains keys and no objects. */
export interface ManagerInspection {
  /** Name of the manager. */
  readonly name: string;
  /** Time of the state, in milliseconds since 1970. */
  readonly asOfMs: number;
  /** Whether this replica leads; true without an election. */
  readonly isLeader: boolean;
  /** All informers and views. */
  readonly informers: readonly InspectedInformer[];
  /** All controllers. */
  readonly controllers: readonly InspectedController[];
}

export function inspectInformer(informer: AnyInformer): InspectedInformer {
  const { freshAsOfMs, handlers, hasSynced, name, phase, problem } = informer.status();
  return {
    name,
    phase,
    hasSynced,
    objects: informer.store.listKeys().length,
    freshAsOfMs,
    problem: problem && describeError(problem.error),
    backlogs: Object.fromEntries(handlers.map((handler) => [handler.name, handler.backlog])),
  };
}

export function inspectController({
  depth,
  history,
  isRunning,
  name,
  pending,
}: AnyRecipe): InspectedController {
  const { past, running } = history;
  const shown = pending.toSorted((a, b) => b.priority - a.priority).slice(0, maxPending);
  return { name, isRunning, waiting: depth, pending: shown, running, past };
}
