import type { RequestMatch } from "./requests.ts";

/** Options of a barrier. */
export interface BarrierOptions {
  /** Ends the wait: the promise rejects with the signal's reason. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Number of watches or requests to wait for. @default 1 */
  readonly count?: number | undefined;
}

/**
 * Conditions that a test waits for instead of sleeping. A promise resolves in the turn in which the
 * server makes its condition true; at once if it already is.
 *
 * ```ts
 * import { FakeApiServer } from "@listwatch/fake-apiserver";
 *
 * const server = new FakeApiServer();
 * const opened = server.control.when.watchOpen({ resource: "pods" });
 * const watch = await server.fetch(new Request("http://localhost/api/v1/pods?watch=true"));
 * await opened;
 *
 * await watch.body?.cancel();
 * await server.control.when.watchesClosed();
 * ```
 */
export interface Barriers {
  /** Waits until `count` matching watches are open at the same time. */
  watchOpen(match?: RequestMatch, options?: BarrierOptions): Promise<void>;
  /**
   * Waits until no matching watch is open on the server. A watch that the server has ended is
   * closed once its reader has taken what was sent before.
   */
  watchesClosed(match?: RequestMatch, options?: Omit<BarrierOptions, "count">): Promise<void>;
  /** Waits until `count` matching lists have been answered since the recorder was last cleared. */
  listServed(match?: RequestMatch, options?: BarrierOptions): Promise<void>;
  /**
   * Waits until `count` matching requests have been answered since the recorder was last cleared; a
   * watch counts from its head on.
   */
  requestServed(match?: RequestMatch, options?: BarrierOptions): Promise<void>;
  /**
   * Waits until every open matching watch has handed everything up to the revision to its reader,
   * and the reader waits for more. Never resolves while a fault stalls a matching watch. Resolves
   * at once if no matching watch is open: wait for `watchOpen` first.
   *
   * @param revision revision to wait for; the current one by default
   */
  allWatchersAt(
    revision?: number,
    match?: RequestMatch,
    options?: Omit<BarrierOptions, "count">,
  ): Promise<void>;
  /**
   * Waits until no request is being answered, and every watch that is not stalled is at the current
   * revision.
   */
  idle(options?: Omit<BarrierOptions, "count">): Promise<void>;
}
