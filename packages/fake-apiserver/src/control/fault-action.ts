import type { StatusDetails } from "../api/api-object.ts";

/** Faults that a real server, its storage or a proxy in front of it can cause. */
export type FaultAction =
  /** Answers with a Status object; the request has no effect. */
  | {
      /** Answers with a Status. */
      readonly type: "status";
      /** Content of the Status, which also sets the HTTP status code. */
      readonly status: StatusFault;
    }
  /**
   * Answers with anything: the HTML of a load balancer, plain text, an empty body. The request has
   * no effect.
   */
  | {
      /** Answers with anything. */
      readonly type: "respond";
      /** HTTP status code, 200 to 599. */
      readonly status: number;
      /** Body of the answer. @default "" */
      readonly body?: string | undefined;
      /**
       * Headers of the answer.
       *
       * @default text/html for a body that begins with "<", otherwise text/plain
       */
      readonly headers?: Readonly<Record<string, string>> | undefined;
    }
  /** Breaks the connection before an answer; the request has no effect. */
  | {
      /** Breaks the connection before an answer. */
      readonly type: "reset";
    }
  /** Takes the request and never answers it. Ends when the client aborts. */
  | {
      /** Never answers. */
      readonly type: "blackhole";
    }
  /** Lets the server act, and takes the answer away: the client cannot know of a stored write. */
  | {
      /** Loses the answer to a request that took effect. */
      readonly type: "commitThenFail";
      /** The answer that the client gets instead. @default "reset" */
      readonly with?: "reset" | StatusFault | undefined;
    }
  /** Lets the request wait; two numbers are a range that the seeded random chooses from. */
  | {
      /** Delays the request. */
      readonly type: "latency";
      /** Delay, in milliseconds of the server's clock. */
      readonly ms: number | readonly [least: number, most: number];
    }
  /**
   * Compacts the history up to now before the server acts: a continue token of an earlier page has
   * expired.
   */
  | {
      /** Compacts the history. */
      readonly type: "compact";
    }
  /** Sets headers of the answer, `Connection: close` for example. */
  | {
      /** Sets headers of the answer. */
      readonly type: "headers";
      /** Headers and their values. They replace those of the server. */
      readonly set: Readonly<Record<string, string>>;
    }
  /** Ends the body cleanly, too early for a list. */
  | {
      /** Ends the body cleanly. */
      readonly type: "end";
      /** Point at which the body ends. @default at once */
      readonly after?: BodyPosition | undefined;
    }
  /** Breaks the connection in the middle of the body. */
  | {
      /** Breaks the connection within the body. */
      readonly type: "resetBody";
      /** Point at which the connection breaks. @default at once */
      readonly after?: BodyPosition | undefined;
    }
  /** Cuts the body at a byte, inside a line, or inside a character. */
  | {
      /** Cuts the body. */
      readonly type: "truncate";
      /** Place of the cut, and the end of the stream after it. */
      readonly at: CutPosition;
      /** Point from which `at` counts. @default at once */
      readonly after?: BodyPosition | undefined;
    }
  /** Sends nothing more, and leaves the connection open. */
  | {
      /** Stops the body without an end. */
      readonly type: "stall";
      /** Point at which the body stops. @default at once */
      readonly after?: BodyPosition | undefined;
    }
  /** Limits the pace of the body. */
  | {
      /** Limits the pace of the body. */
      readonly type: "slow";
      /** Maximum number of bytes a second of the server's clock. */
      readonly bytesPerSecond: number;
      /** Point from which the pace is limited. @default at once */
      readonly after?: BodyPosition | undefined;
    }
  /** Changes where the chunks of the body begin and end. */
  | {
      /** Changes the chunks of the body. */
      readonly type: "split";
      /** Size and content of the chunks. */
      readonly shape: StreamShape;
    }
  /** Delays each matching event, and everything behind it. */
  | {
      /** Delays events of a watch. */
      readonly type: "delayEvents";
      /** Delay of each event, in milliseconds of the server's clock. */
      readonly ms: number;
      /** Events to delay. @default every event */
      readonly match?: EventMatch | undefined;
    }
  /** Sends an ERROR event with a Status, then ends the stream. */
  | {
      /** Ends a watch with an ERROR event. */
      readonly type: "errorEvent";
      /** Status in the event. */
      readonly status: StatusFault;
      /** Point at which the event is sent. @default at once */
      readonly after?: BodyPosition | undefined;
    };

/**
 * Faults that no real server causes, for tests that a client survives them. A client that loses
 * something because of one has no bug.
 */
export type IllegalAction =
  /** Sends matching events twice. */
  | {
      /** Repeats events of a watch. */
      readonly type: "duplicateEvents";
      /** Events to send twice. @default every event */
      readonly match?: EventMatch | undefined;
    }
  /** Sends a matching event after the one behind it. */
  | {
      /** Exchanges events of a watch. */
      readonly type: "reorderEvents";
      /** Events to send after the one behind them. @default every event */
      readonly match?: EventMatch | undefined;
    }
  /** Sends matching events with a resourceVersion that is too low. */
  | {
      /** Lowers the resourceVersions of events. */
      readonly type: "regressRevision";
      /** Difference to the true resourceVersion. The result is at least 1. */
      readonly by: number;
      /** Events to change. @default every event */
      readonly match?: EventMatch | undefined;
    }
  /** Never sends matching events. */
  | {
      /** Loses events of a watch. */
      readonly type: "dropEvents";
      /** Events to lose. @default every event */
      readonly match?: EventMatch | undefined;
    }
  /** Sends the bookmark that ends the initial events one event too early. */
  | {
      /** Ends the initial events too early. */
      readonly type: "earlyInitialEnd";
    };

/** A Status (meta/v1) in an answer or an ERROR event. The code decides the fields left out. */
export interface StatusFault {
  /** HTTP status code, 200 to 599, of an answer that has a body. */
  readonly code: number;
  /** Machine-readable reason. @default the usual one for `code`, otherwise none */
  readonly reason?: string | undefined;
  /** Explanation for people. @default the server's for `code` */
  readonly message?: string | undefined;
  /** Details of the Status. @default the object of the request, for 403, 404 and 409 */
  readonly details?: StatusDetails | undefined;
  /**
   * Time that clients are asked to wait, in seconds. Also sent as the `Retry-After` header.
   *
   * @default none
   */
  readonly retryAfterSeconds?: number | undefined;
}

/** The point where a fault of the body begins: the reader has got as much as every given number. */
export interface BodyPosition {
  /** Number of complete events of a watch. @default 0 */
  readonly events?: number | undefined;
  /** Number of bytes of the body. @default 0 */
  readonly bytes?: number | undefined;
}

/** The place of a cut in a stream. `afterBytes` wins over `inside`. */
export interface CutPosition {
  /** Number of bytes that are still sent. @default none */
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
  /**
   * Size of each chunk; 1 puts every byte in a separate chunk, and so splits characters.
   *
   * @default as the server writes them
   */
  readonly bytes?: number | undefined;
  /**
   * Event lines that go out together, as soon as so many are there or the stream ends.
   *
   * @default as the server writes them
   */
  readonly events?: number | undefined;
  /** Whether lines end with CR LF. @default false */
  readonly crlf?: boolean | undefined;
  /** Lines are filled with blanks (legal JSON) up to this many bytes. @default none */
  readonly padTo?: number | undefined;
}

/** Selects events of a watch; every given field must fit. */
export interface EventMatch {
  /** Type of the event. @default all */
  readonly type?: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR" | undefined;
  /** Namespace of the object. @default all */
  readonly namespace?: string | undefined;
  /** Name of the object. @default all */
  readonly name?: string | undefined;
}
