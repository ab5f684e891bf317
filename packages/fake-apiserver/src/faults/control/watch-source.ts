import type { EventSource } from "../stream/watch-event.ts";

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
