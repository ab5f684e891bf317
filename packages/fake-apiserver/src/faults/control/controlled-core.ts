import type { Clock } from "@listwatch/core-fifo/base";
import type { CoreSnapshot, LoggedEvent } from "../../control/server-control.ts";

/** Effects of a compaction in addition to refusing old exact lists and continue tokens. */
export interface CompactionOptions {
  /**
   * Watches from before the revision are refused as well (410 in-band), as after a restart of a
   * real server.
   */
  readonly watches: boolean;
}

/** The state of the server as far as the server control changes or reads it. The core implements it. */
export interface ControlledCore {
  readonly clock: Clock;
  /**
   * Seeded, uniform in [0, 1); a separate source, so that faults do not change uids and generated
   * names.
   */
  random(): number;
  currentRevision(): number;
  /**
   * Consumes one revision without touching an object, as the write of another client of etcd does;
   * returns the new one.
   */
  advanceRevision(): number;
  /** Forgets what is older than the revision. */
  compact(revision: number, options: CompactionOptions): void;
  /** Watches of the resource (`pods`, `widgets.example.com`) from before the revision are refused. */
  setWatchFloor(resource: string, revision: number): void;
  /** Returns the effective writes since the last compaction, after a revision, oldest first. */
  eventLog(resource?: string, after?: number): readonly LoggedEvent[];
  snapshot(): CoreSnapshot;
  /** True for a snapshot of this server. */
  has(snapshot: CoreSnapshot): boolean;
  /**
   * Puts a snapshot back. `continue`: the revision goes on from where it is, older watches are
   * refused. `rollback`: the revision jumps back, as after a restore of etcd. The server control
   * ends the open watches.
   */
  restore(snapshot: CoreSnapshot, mode: "continue" | "rollback"): void;
}
