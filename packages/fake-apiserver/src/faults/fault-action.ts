import type { StatusFault } from "./inputs/status-fault.ts";
import type { CutPosition, StreamShape } from "./inputs/stream-shape.ts";
import type { EventMatch } from "./control/watch-control.ts";

/** Answers in place of the server; the request has no effect. */
export type AnswerAction =
  /** A Status object. */
  | { readonly type: "status"; readonly status: StatusFault }
  /** Any answer: the HTML of a load balancer, plain text, an empty body. */
  | {
      readonly type: "respond";
      readonly status: number;
      /** @default "" */
      readonly body?: string;
      /** @default text/html for a body that begins with "<", else text/plain */
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection breaks before an answer. */
  | { readonly type: "reset" }
  /** The request is taken and never answered. Ends when the client aborts. */
  | { readonly type: "blackhole" };

/** Lets the server act, and takes the answer away: a write is stored and the client cannot know. */
export interface LostAnswerAction {
  readonly type: "commitThenFail";
  /** What the client gets instead. @default "reset" */
  readonly with?: "reset" | StatusFault;
}

/** Something happens before the server acts; then it acts and answers as ever, or nearly so. */
export type BeforeAction =
  /** The request waits; two numbers are a range the seeded random chooses from. */
  | { readonly type: "latency"; readonly ms: number | readonly [least: number, most: number] }
  /** The history up to now is compacted first: a continue token of an earlier page has expired. */
  | { readonly type: "compact" }
  /** Headers of the answer are set, `Connection: close` for example. */
  | { readonly type: "headers"; readonly set: Readonly<Record<string, string>> };

/**
 * When a fault of the answer's body begins; every given number must have been handed to the reader. @default
 * at once
 */
export interface BodyPosition {
  readonly events?: number;
  readonly bytes?: number;
}

/** Acts on the body of the answer: a list, an object, or the stream of a watch. */
export type BodyAction =
  /** A clean end, too early for a list. */
  | { readonly type: "end"; readonly after?: BodyPosition }
  /** A broken connection in the middle of the body. */
  | { readonly type: "resetBody"; readonly after?: BodyPosition }
  /** A cut at a byte, inside a line, or inside a character. */
  | { readonly type: "truncate"; readonly at: CutPosition; readonly after?: BodyPosition }
  /** Half-open: nothing more comes. */
  | { readonly type: "stall"; readonly after?: BodyPosition }
  | { readonly type: "slow"; readonly bytesPerSecond: number; readonly after?: BodyPosition }
  | { readonly type: "split"; readonly shape: StreamShape }
  /** Each matching event waits so long, and what is behind it too. */
  | { readonly type: "delayEvents"; readonly ms: number; readonly match?: EventMatch }
  /** An ERROR event with this Status, then the end. */
  | { readonly type: "errorEvent"; readonly status: StatusFault; readonly after?: BodyPosition };

/** Everything a real server, its storage or a proxy before it can do. */
export type FaultAction = AnswerAction | LostAnswerAction | BeforeAction | BodyAction;

/**
 * What no real server does: to test that a client survives it. Never a reason to say that a client
 * lost something.
 */
export type IllegalAction =
  /** Matching events arrive twice. */
  | { readonly type: "duplicateEvents"; readonly match?: EventMatch }
  /** A matching event changes places with the one behind it. */
  | { readonly type: "reorderEvents"; readonly match?: EventMatch }
  /** The resourceVersion of matching events is lower than it should be. */
  | { readonly type: "regressRevision"; readonly by: number; readonly match?: EventMatch }
  /** Matching events never arrive. */
  | { readonly type: "dropEvents"; readonly match?: EventMatch }
  /** The bookmark that ends the initial events comes one event too early. */
  | { readonly type: "earlyInitialEnd" };
