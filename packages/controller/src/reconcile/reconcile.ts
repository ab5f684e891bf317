import type { KubernetesObject } from "@listwatch/core-fifo";
import type { VersionSource } from "./controller-source.ts";

/** What a reconcile is told besides its key. */
export interface ReconcileContext {
  /**
   * Aborted at the time limit, when leadership is lost, and when a stop takes too long. Pass it on
   * to every request.
   */
  readonly signal: AbortSignal;
  /** How often this key has failed since it last succeeded. */
  readonly retries: number;
  /**
   * Tells what the server answered a write with. With `readYourWrites`, the key is not reconciled
   * again before the cache that it came from shows that state or a later one.
   *
   * @param source the informer whose cache holds such objects @default the one given to
   *   {@link Controller.for}
   */
  readonly wrote: (object: KubernetesObject, source?: VersionSource) => void;
}

/** What a reconcile may ask for. */
export interface ReconcileResult {
  /** Reconcile again in so many milliseconds, even if nothing changes. */
  readonly requeueAfterMs?: number | undefined;
}

/**
 * Brings the world closer to what the object under `key` asks for. It is told which object, not
 * what happened: it reads the present state from a lister, where the object may be gone. Never runs
 * twice at a time for one key.
 *
 * What it throws is reported and retried later each time, except a {@link TerminalError}.
 */
export type Reconcile = (
  key: string,
  context: ReconcileContext,
) => ReconcileResult | void | Promise<ReconcileResult | void>;
