import type { Client } from "@listwatch/client";
import type { Cached, Key, Scope } from "@listwatch/core-fifo";
import type { Informer } from "@listwatch/shared-informer";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";

/**
 * Second argument of a reconcile. `T`, `I` and `S` are the types of the informer's objects and
 * indexes, and the scope of its resource.
 */
export interface ReconcileContext<
  T = never,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
> {
  /**
   * Aborted at the time limit, when leadership is lost, and when a stop takes too long. Pass it to
   * every request.
   */
  readonly signal: AbortSignal;
  /** Number of failures of this key since it last succeeded. */
  readonly retries: number;
  /**
   * The object under the key, read from the cache of the controller's `informer` at each access;
   * `undefined` if the object is gone or the controller has no such option.
   */
  readonly object: Cached<T> | undefined;
  /**
   * The `informer` of the controller's options, for its indexes and its lister.
   *
   * @throws {ListwatchError} with the code `LW_CONTROLLER_STATE` when it is read without that
   *   option
   */
  readonly informer: Informer<T, I, S>;
  /**
   * The `client` of the controller's options for the writes of this key. Its writes are the key's
   * own: reads by key from the controller's caches (`object`, `lister.get`, `store.getByKey`) show
   * them, or later states, at once, and the key is not reconciled again before all caches of the
   * controller show them. With an `elector` it only writes while that leads, see
   * {@link LeaderElector.guard}.
   *
   * Not noted are dry runs, evictions, bindings, deletions of collections, and requests whose
   * answer was lost. It replaces no resourceVersion in an update.
   *
   * @throws {ListwatchError} with the code `LW_CONTROLLER_STATE` when it is read without that
   *   option
   */
  readonly client: Client;
}

/** Result of a reconcile. */
export interface ReconcileResult {
  /**
   * Delay before the next reconcile of the key, in milliseconds, even if nothing changes. 0 and
   * less mean as soon as possible.
   *
   * @default none
   */
  readonly requeueAfterMs?: number | undefined;
  /**
   * Priority of that next reconcile, any number.
   *
   * @default the priority of this reconcile
   */
  readonly priority?: number | undefined;
}

/**
 * Drives the cluster towards the desired state of the object under `key`. It gets the key, not the
 * change, and reads the current state from a cache, where the object may be gone. Never runs twice
 * at a time for one key.
 *
 * Errors are reported and retried with growing delays, except a {@link TerminalError}.
 */
export type Reconcile<T = never, I extends IndexValues = NoIndexes, S extends Scope = Scope> = (
  key: Key<S>,
  context: ReconcileContext<T, I, S>,
) => ReconcileResult | void | Promise<ReconcileResult | void>;
