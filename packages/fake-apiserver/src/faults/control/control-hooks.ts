import type { RequestInfo } from "../../input/request-info.ts";
import type { WatchListMode } from "../../control/server-control.ts";
import type { EventSource } from "../stream/watch-event.ts";

/**
 * How old the cache is that one request sees. Reads served from a cache (resourceVersion "0" or N,
 * watches) see the state at `revision`; a version above it is "in the future".
 */
export interface CacheView {
  readonly revision: number;
  /** Watches from before this revision are refused, in addition to what the storage refuses anyway. */
  readonly watchFloor: number;
  /** Reads without a resourceVersion are served from the cache too. A real server never does it. */
  readonly staleReads: boolean;
}

/**
 * The server control's side of one request. The core goes through it in this order:
 *
 * ```
 * begin ──▶ intercept() ──▶ bodyRead() ──▶ watchOpened() ──▶ respond()
 * ```
 *
 * `intercept` and `respond` may reject with a {@link ConnectionResetError}: the core lets that out
 * of `fetch`, as a network failure.
 */
export interface Exchange {
  /**
   * An answer that replaces the server's, after any latency; undefined = go on. Synchronous when no
   * rule concerns the request.
   */
  intercept(): Promise<Response | undefined> | undefined;
  /** The text of the request's body, for the recorder. */
  bodyRead(text: string): void;
  /** A watch was accepted. Returns the body of its answer, null if the answer gets lost. */
  watchOpened(source: WatchSource): ReadableStream<Uint8Array> | null;
  /**
   * Returns the answer for the client. Called for every answer the core makes, errors included, but
   * not for those of `intercept`.
   */
  respond(response: Response): Response | Promise<Response>;
  /** Instead of `respond`: the client has gone while the core was waiting for something. */
  abandoned(): void;
  /** Undefined = every read is fresh. Asked after `intercept`. */
  readonly cacheView: CacheView | undefined;
  readonly watchList: WatchListMode;
  /** Milliseconds between the periodic bookmarks of a watch; undefined = the server's own. */
  readonly bookmarkIntervalMs: number | undefined;
}

/** The calls from the core to the server control. */
export interface ControlHooks {
  begin(info: RequestInfo): Exchange;
  /** After each effective write, when its event is in the buffers of the watches. */
  committed(revision: number): void;
}

/** One open watch of the core, as the server control reaches it. */
export interface WatchSource extends EventSource {
  /** Revision after which live events begin. */
  readonly startRevision: number;
  /** Revision of the newest event or bookmark that was read; `startRevision` before the first. */
  readonly sentRevision: number;
  /**
   * Everything up to this revision that concerns the watch has been read: the current revision of
   * the server while nothing waits in the watch's buffer (and the initial events are out), else
   * less than the revision of the oldest waiting event.
   */
  readonly caughtUpRevision: number;
  /** Ends the watch cleanly after what waits. */
  finish(): void;
  /**
   * Calls back once when the watch has ended, for whatever reason: end of time, overflow, cancelled
   * by the reader.
   */
  onClose(listener: () => void): void;
}
