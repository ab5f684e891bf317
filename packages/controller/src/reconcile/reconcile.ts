import type { Cached, Key, KubernetesObject, Scope } from "@listwatch/core-fifo";
import type { Informer } from "@listwatch/shared-informer";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import type { VersionSource } from "./controller-source.ts";

/**
 * What a reconcile gets besides its key. `T`, `I` and `S` are the types of the controller's
 * informer: of its objects, of its indexes, and the scope of its resource.
 */
export interface ReconcileContext<
  T = never,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
> {
  /**
   * Aborted at the time limit, when leadership is lost, and when a stop takes too long. To be
   * passed on to every request.
   */
  readonly signal: AbortSignal;
  /** How often this key has failed since it last succeeded. */
  readonly retries: number;
  /**
   * The object under the key in the cache of the `informer` of the controller's options, at the
   * moment it is read; `undefined` when the object is gone, or without that option.
   */
  readonly object: Cached<T> | undefined;
  /**
   * The `informer` of the controller's options, to read its indexes and its lister.
   *
   * @throws {ListwatchError} with the code `LW_CONTROLLER_STATE` when it is read without that
   *   option
   */
  readonly informer: Informer<T, I, S>;
  /**
   * Records the server's answer to a write. With `readYourWrites`, the key is not reconciled again
   * before the cache of `source` shows that state or a later one. Without that option it does
   * nothing.
   *
   * @param source the informer whose cache has such objects; by default the one of the object's
   *   resource among the sources of the controller
   * @throws {ListwatchError} with the code `LW_CONTROLLER_STATE` if none of the sources has such
   *   objects, or `source` has others
   */
  readonly recordWrite: (object: KubernetesObject, source?: VersionSource) => void;
}

/** What a reconcile may ask for. */
export interface ReconcileResult {
  /**
   * Reconciles again after so many milliseconds, even if nothing changes; 0 and less mean as soon
   * as possible.
   */
  readonly requeueAfterMs?: number | undefined;
  /**
   * The priority with which the key waits for that, any number.
   *
   * @default that of this reconcile
   */
  readonly priority?: number | undefined;
}

/**
 * Brings the cluster closer to what the object under `key` asks for. It gets the key and not the
 * change: it reads the present state from a cache, where the object may be gone. Never runs twice
 * at a time for one key.
 *
 * What it throws is reported and retried, later each time, except a {@link TerminalError}.
 */
export type Reconcile<T = never, I extends IndexValues = NoIndexes, S extends Scope = Scope> = (
  key: Key<S>,
  context: ReconcileContext<T, I, S>,
) => ReconcileResult | void | Promise<ReconcileResult | void>;
