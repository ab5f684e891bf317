import type { StatusDetails } from "../api/api-object.ts";

/** Faults that a real server, its storage or a proxy in front of it can cause. */
export type FaultAction =
  /** Answers with a Status object; the request has no effect. */
  | { readonly type: "status"; readonly status: StatusFault }
  /**
   * Answers with anything: the HTML of a load balancer, plain text, an empty body. The request has
   * no effect.
   */
  | {
      readonly type: "respond";
      readonly status: number;
      /** @default "" */
      readonly body?: string | undefined;
      /** @default text/html for a body that begins with "<", otherwise text/plain */
      readonly headers?: Readonly<Record<string, string>> | undefined;
    }
  /** Breaks the connection before an answer; the request has no effect. */
  | { readonly type: "reset" }
  /** Takes the request and never answers it. Ends when the client aborts. */
  | { readonly type: "blackhole" }
  /** Lets the server act, and takes the answer away: the client cannot know of a stored write. */
  | {
      readonly type: "commitThenFail";
      /** The answer that the client gets instead. @default "reset" */
      readonly with?: "reset" | StatusFault | undefined;
    }
  /** Lets the request wait; two numbers are a range that the seeded random chooses from. */
  | {
      readonly type: "latency";
      readonly ms: number | readonly [least: number, most: number];
    }
  /**
   * Compacts the history up to now before the server acts: a continue token of an earlier page has
   * expired.
   */
  | { readonly type: "compact" }
  /** Sets headers of the answer, `Connection: close` for example. */
  | { readonly type: "headers"; readonly set: Readonly<Record<string, string>> }
  /** Ends the body cleanly, too early for a list. */
  | {
      readonly type: "end";
      /** @default at once */
      readonly after?: BodyPosition | undefined;
    }
  /** Breaks the connection in the middle of the body. */
  | {
      readonly type: "resetBody";
      /** @default at once */
      readonly after?: BodyPosition | undefined;
    }
  /** Cuts the body at a byte, inside a line, or inside a character. */
  | {
      readonly type: "truncate";
      readonly at: CutPosition;
      /** @default at once */
      readonly after?: BodyPosition | undefined;
    }
  /** Sends nothing more, and leaves the connection open. */
  | {
      readonly type: "stall";
      /** @default at once */
      readonly after?: BodyPosition | undefined;
    }
  /** Limits the pace of the body. */
  | {
      readonly type: "slow";
      readonly bytesPerSecond: number;
      /** @default at once */
      readonly after?: BodyPosition | undefined;
    }
  /** Changes where the chunks of the body begin and end. */
  | { readonly type: "split"; readonly shape: StreamShape }
  /** Delays each matching event, and everything behind it. */
  | {
      readonly type: "delayEvents";
      readonly ms: number;
      /** @default every event */
      readonly match?: EventMatch | undefined;
    }
  /** Sends an ERROR event with a Status, then ends the stream. */
  | {
      readonly type: "errorEvent";
      readonly status: StatusFault;
      /** @default at once */
      readonly after?: BodyPosition | undefined;
    };

/**
 * Faults that no real server causes, for tests that a client survives them. A client that loses
 * something because of one has no bug.
 */
export type IllegalAction =
  /** Sends matching events twice. */
  | {
      readonly type: "duplicateEvents";
      /** @default every event */
      readonly match?: EventMatch | undefined;
    }
  /** Sends a matching event after the one behind it. */
  | {
      readonly type: "reorderEvents";
      /** @default every event */
      readonly match?: EventMatch | undefined;
    }
  /** Sends matching events with a resourceVersion that is too low. */
  | {
      readonly type: "regressRevision";
      readonly by: number;
      /** @default every event */
      readonly match?: EventMatch | undefined;
    }
  /** Never sends matching events. */
  | {
      readonly type: "dropEvents";
      /** @default every event */
      readonly match?: EventMatch | undefined;
    }
  /** Sends the bookmark that ends the initial events one event too early. */
  | { readonly type: "earlyInitialEnd" };

/** A Status (meta/v1) in an answer or an ERROR event. The code decides the fields left out. */
export interface StatusFault {
  readonly code: number;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
  readonly details?: StatusDetails | undefined;
  /** Also sent as the `Retry-After` header, seconds. */
  readonly retryAfterSeconds?: number | undefined;
}

/** The point where a fault of the body begins: the reader has got as much as every given number. */
export interface BodyPosition {
  readonly events?: number | undefined;
  readonly bytes?: number | undefined;
}

/** The place of a cut in a stream. `afterBytes` wins over `inside`. */
export interface CutPosition {
  /** Number of bytes that are still sent. */
  readonly afterBytes?: number | undefined;
  /**
   * In the middle of the next line, or behind the first byte of the next character that has
   * several.
   *
   * @default "line"
   */
  readonly inside?: "line" | "character" | undefined;
  /** The end of the stream after the cut. @default "end" */
  readonly then?: "end" | "reset" | undefined;
}

/** The chunks of a body; events and JSON stay the same. */
export interface StreamShape {
  /** Size of each chunk; 1 puts every byte in a separate chunk, and so splits characters. */
  readonly bytes?: number | undefined;
  /** Event lines that go out together, as soon as so many are there or the stream ends. */
  readonly events?: number | undefined;
  /** Lines end with CR LF. */
  readonly crlf?: boolean | undefined;
  /** Lines are filled with blanks (legal JSON) up to this many bytes. */
  readonly padTo?: number | undefined;
}

/** Selects events of a watch; every given field must fit. */
export interface EventMatch {
  readonly type?: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR" | undefined;
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}
