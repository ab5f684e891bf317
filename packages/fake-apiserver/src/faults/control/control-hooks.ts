import type { RequestInfo } from "../../input/request-info.ts";
import type { WatchSource } from "./watch-source.ts";

/**
 * How old the cache is that one request sees. Reads served from a cache (resourceVersion "0" or N,
 * watches) see the state at `revision`; a version above it is "in the future".
 */
export interface CacheView {
  readonly revision: number;
  /** Watches from before this revision are refused, as well as those that the storage refuses. */
  readonly watchFloor: number;
  /** Reads without a resourceVersion are served from the cache too. A real server never does it. */
  readonly staleReads: boolean;
}

/**
 * How the server treats `sendInitialEvents`: `refused` is a 422 (feature gate off), `ignored` a
 * server too old to know the parameter.
 */
export type WatchListMode = "supported" | "refused" | "ignored";

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
