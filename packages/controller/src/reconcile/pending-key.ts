/**
 * Reason why a key is not reconciled now. `delay`: it is due later, after a failure or a requested
 * requeue. `own write`: caches do not show a write of its last reconcile yet. `its reconcile`: it
 * was added during one, and follows it. `start`: the controller waits for caches or for leadership.
 * `priority`: keys with a higher priority wait, too. `worker`: all workers are busy.
 */
export type PendingReason =
  | "delay"
  | "its reconcile"
  | "own write"
  | "priority"
  | "start"
  | "worker";

/** A key that waits for its next reconcile. */
export interface PendingKey {
  /** The key. */
  readonly key: string;
  /** Why it waits. */
  readonly reason: PendingReason;
  /** Priority of the key; higher leaves the queue earlier. */
  readonly priority: number;
  /** Number of its failures in a row. */
  readonly failures: number;
  /** Time at which a delay ends, in milliseconds since 1970; absent without a delay. */
  readonly dueMs: number | undefined;
}
