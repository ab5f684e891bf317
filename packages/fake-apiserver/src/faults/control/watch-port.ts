/** How the server control reaches one open watch of the core. */
export interface WatchPort {
  /** Revision after which live events begin. */
  readonly startRevision: number;
  /**
   * Revision of the newest event or bookmark the reader has taken out of the stream;
   * `startRevision` before the first.
   */
  readonly sentRevision: number;
  /**
   * Everything up to this revision that concerns the watch has been taken out of the stream: the
   * current revision of the server while nothing waits in the watch's buffer (and the initial
   * events are out), else less than the revision of the oldest waiting event.
   */
  readonly caughtUpRevision: number;
}

/** What the server control gives back for a watch; the core reports to it. */
export interface WatchRegistration {
  /** The watch has ended, for whatever reason (end of time, overflow, cancelled by the reader). */
  closed(): void;
}
