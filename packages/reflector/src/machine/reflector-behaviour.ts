/**
 * What a reflector does where client-go decides otherwise. Each value that is a user's option too
 * is the default of that option.
 */
export interface ReflectorBehaviour {
  /**
   * When the sequence of delays starts over: `"quiet"` after `retry.backoff.resetMs` without a
   * delay, `"interval"` every `retry.backoff.resetMs`, during an outage too.
   */
  readonly backoffReset: "quiet" | "interval";
  /**
   * Requests without delay that may follow requests of less than a second, within 10 s. Further
   * ones wait like a failure.
   */
  readonly maxImmediateRetries: number;
  /** Default of `retry.maxRetryAfterMs`. */
  readonly maxRetryAfterMs: number;
  /** Default of `watch.silenceMs`. */
  readonly silenceMs: number;
  /** Default of `watch.storeFailure`. */
  readonly storeFailure: "relist" | "skip";
  /** Default of `watch.watchGraceMs`. */
  readonly watchGraceMs: number;
  /** Default of `list.watchListRetryMs`. */
  readonly watchListRetryMs: number;
  /** Default of `list.watchListSilenceMs`. */
  readonly watchListSilenceMs: number;
}

/** The values that hold without the option `behaviour`. */
export const defaultBehaviour: ReflectorBehaviour = {
  backoffReset: "quiet",
  maxImmediateRetries: 10,
  maxRetryAfterMs: 60_000,
  // Bookmarks come each minute, and load balancers drop silent connections after 240 s.
  silenceMs: 90_000,
  storeFailure: "relist",
  watchGraceMs: 30_000,
  watchListRetryMs: 600_000,
  // Three times the period of client-go's warning (`startBookmarkTimer`, tools/cache/reflector.go).
  watchListSilenceMs: 30_000,
};

/**
 * client-go's ways where a reflector's own differ on purpose, to reproduce what a Go program does:
 * no limit to silence, to a watch's duration and to immediate retries; `Retry-After` ignored; an
 * event that the store refuses lost until the next list; a refused watch-list requested again by
 * every relist; delays that start over every two minutes, during an outage too.
 */
export const clientGoBehaviour: ReflectorBehaviour = {
  backoffReset: "interval",
  maxImmediateRetries: Infinity,
  maxRetryAfterMs: 0,
  silenceMs: Infinity,
  storeFailure: "skip",
  watchGraceMs: Infinity,
  watchListRetryMs: 0,
  watchListSilenceMs: Infinity,
};
