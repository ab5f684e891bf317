import type { ManyPods } from "./many-pods.ts";

/** What can be done to a cluster that is the demo's own. Texts tell what was done. */
export interface OwnCluster {
  readonly manyPods: ManyPods;
  /** Resets the TCP connection of every watch. */
  dropConnections(): string;
  /** Forgets all history and breaks the watches, which then come back from too old a version. */
  compactHistory(): string;
  /** Starts many pods at once; resolves with their number when the server has all. */
  burst(signal: AbortSignal): Promise<number>;
  /**
   * Breaks the watches, and refuses lists and watches with 429 for a time; resolves with the number
   * of requests that were refused.
   */
  storm(durationMs: number, signal: AbortSignal): Promise<number>;
}
