import type { EventFeed } from "./event-feed.ts";
import type { Mailbox } from "./mailboxes.ts";

/** How the connection to the API server is. */
export interface ConnectionState {
  readonly health: "good" | "starting" | "bad";
  /** One or two words: `watching`, `listing`, `waiting`. */
  readonly phase: string;
  /** One line: since when, or what is wrong and what happens next. */
  readonly detail: string;
}

/** Something that happened or was found out, in one line. */
export interface Notice {
  readonly text: string;
  /** What it says: what happened, what was proved, or what turned out wrong. */
  readonly tone: "plain" | "proof" | "failure";
  readonly atMs: number;
}

/** The state of the pipeline at one moment: what the views show. */
export interface Snapshot {
  /** What is watched: `pods in all namespaces`. */
  readonly title: string;
  readonly server: string;
  readonly startedMs: number;
  readonly nowMs: number;
  readonly connection: ConnectionState;
  /** Of the last object or bookmark the reflector saw; `""` before the first. */
  readonly resourceVersion: string;
  /** Deltas in the queue now, and the most that were seen in the last seconds. */
  readonly queued: number;
  readonly queuedPeak: number;
  readonly objects: number;
  /** Objects in the indexer by namespace; `""` holds those without one. */
  readonly objectsByNamespace: ReadonlyMap<string, number>;
  readonly feed: EventFeed;
  /** One for each handler. */
  readonly mailboxes: readonly Mailbox[];
  /** The faults that are on: `latency 800 ms`. */
  readonly faults: readonly string[];
  /** What happened to the connection, newest first. */
  readonly notices: readonly Notice[];
  /** Recoveries of the connection so far. */
  readonly recoveries: number;
}
