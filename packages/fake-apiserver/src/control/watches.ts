import type { CutPosition, EventMatch, StatusFault, StreamShape } from "./fault-action.ts";
import type { MatchableRequest, RequestMatch } from "./requests.ts";

/** The open watches of the server. */
export interface OpenWatches {
  /** The open watches, oldest first; those that match, if a match is given. */
  list(match?: RequestMatch): readonly WatchControl[];
  /**
   * Undefined for a watch that has ended.
   *
   * @param id id of the watch, such as `watch-1`
   */
  get(id: string): WatchControl | undefined;
  /** Ends the matching watches cleanly. */
  end(match?: RequestMatch): void;
  /** Breaks the connections of the matching watches. */
  reset(match?: RequestMatch): void;
}

/**
 * One open watch: its request, its progress, and faults to apply to it. A real server, or a proxy
 * in front of it, can cause each of them.
 *
 * ```ts
 * import { FakeApiServer } from "@listwatch/fake-apiserver";
 *
 * const server = new FakeApiServer();
 * const response = await server.fetch(new Request("http://localhost/api/v1/pods?watch=true"));
 * const [watch] = server.control.watches.list({ resource: "pods" });
 * watch?.sendError({ code: 410 });
 * console.assert((await response.text()).includes('"reason":"Expired"'));
 * ```
 */
export interface WatchControl {
  /** `watch-1` for the first watch of the server. */
  readonly id: string;
  /** Request that opened the watch. */
  readonly request: MatchableRequest;
  /** The resource and its group, `widgets.example.com`; `pods` in the core group. */
  readonly resource: string;
  /** Query parameters of the request. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Revision after which live events began. */
  readonly startRevision: number;
  /** Revision of the newest event or bookmark taken out of the server's buffer for this watch. */
  readonly sentRevision: number;
  /** Bytes handed to the reader. */
  readonly bytes: number;
  /** Whether the stream has not ended. */
  readonly open: boolean;
  /** Whether a fault holds the stream back. */
  readonly stalled: boolean;
  /**
   * True if everything up to the revision has been handed to the reader and the reader waits for
   * more.
   */
  isAt(revision: number): boolean;
  /** Ends the stream cleanly, without an event; what has not been read is dropped. */
  end(): void;
  /** Breaks the connection. */
  reset(): void;
  /** Sends nothing more and leaves the connection open. */
  stall(): void;
  /** Ends a stall; the events since then are sent, unless the watch's buffer overflowed. */
  resume(): void;
  /**
   * Cuts the stream inside what is sent next.
   *
   * @param position place of the cut; by default in the middle of the next line, ending cleanly
   */
  truncate(position?: CutPosition): void;
  /** Changes where chunks begin and end, from now on. */
  split(shape: StreamShape): void;
  /**
   * Limits the pace of the stream.
   *
   * @param bytesPerSecond maximum number of bytes a second of the server's clock
   */
  slow(bytesPerSecond: number): void;
  /** Holds back the matching events and everything behind them, until `release`. */
  hold(match?: EventMatch): void;
  /** Sends what `hold` holds back. */
  release(): void;
  /**
   * Sends an ERROR event with this Status and ends the stream, as the server does for an expired
   * version.
   */
  sendError(status: StatusFault): void;
}

/** The bookmark settings in force. */
export interface Bookmarks {
  /** Current settings. */
  readonly settings: BookmarkSettings;
  /**
   * Replaces the settings; `everyMs` concerns watches opened from now on, the rest also those that
   * are open.
   */
  set(settings: BookmarkSettings): void;
}

/**
 * The bookmarks that watches get. A real server guarantees only the one that ends the initial
 * events.
 */
export interface BookmarkSettings {
  /** Milliseconds between periodic bookmarks. @default the server's `bookmarkIntervalMs` */
  readonly everyMs?: number | undefined;
  /** Whether watches get no periodic bookmarks. @default false */
  readonly suppress?: boolean | undefined;
  /** Number of events after which a bookmark follows, each time. @default none */
  readonly afterEvents?: number | undefined;
  /** `never` leaves out the bookmark that ends the initial events. @default "sent" */
  readonly initialEnd?: "sent" | "never" | undefined;
}
