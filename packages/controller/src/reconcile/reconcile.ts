import type { Cached, KubernetesObject } from "@listwatch/core-fifo";
import type { VersionSource } from "./controller-source.ts";

/**
 * What a reconcile gets besides its key. `T` is the type of the objects of the controller's
 * informer.
 */
export interface ReconcileContext<T = never> {
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
   * Records the server's answer to a write. With `readYourWrites`, the key is not reconciled again
   * before the cache of `source` shows that state or a later one.
   *
   * @default the informer of the controller
   * @param source the informer whose cache has such objects
   */
  readonly recordWrite: (object: KubernetesObject, source?: VersionSource) => void;
}

/** What a reconcile may ask for. */
export interface ReconcileResult {
  /** Reconciles again after so many milliseconds, even if nothing changes. */
  readonly requeueAfterMs?: number | undefined;
}

/**
 * Brings the cluster closer to what the object under `key` asks for. It gets the key and not the
 * change: it reads the present state from a cache, where the object may be gone. Never runs twice
 * at a time for one key.
 *
 * What it throws is reported and retried, later each time, except a {@link TerminalError}.
 */
export type Reconcile<T = never> = (
  key: string,
  context: ReconcileContext<T>,
) => ReconcileResult | void | Promise<ReconcileResult | void>;
