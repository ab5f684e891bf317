import { Preset } from "@listwatch/core-fifo/base";

/**
 * Decisions of a reflector that a preset can change. Each value that is an option too is the
 * default of that option.
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
  /**
   * Whether resourceVersions that went back are reported, and lead to a list that is not compared
   * with what is held. To see it, a list of one item follows a watch that brought not a byte, if
   * the one before brought none either or ended early, and the first watch that the server accepts
   * after an outage of 10 s.
   */
  readonly checksHistory: boolean;
  /**
   * Openings of a watch in a row that break, or get a 5xx with `Retry-After`, after which a relist
   * follows; those that are refused do not count. 1: none is tried again in place.
   */
  readonly maxBrokenOpenings: number;
  /** Watches in a row that the server ends early and without a byte, after which a relist follows. */
  readonly maxSilentCloses: number;
  /**
   * Whether a 410 at the opening of a watch is remembered, as one in its stream is: when a list in
   * pages led to the same expired state again, the next list is the newest.
   */
  readonly remembersExpiredOpening: boolean;
  /**
   * Whether the delays after expired states are a sequence of their own, which an outage before
   * does not lengthen.
   */
  readonly sparesExpired: boolean;
  /**
   * Streamed lists in a row that end before they are complete, or whose opening gets a 5xx with
   * `Retry-After`, after which an ordinary list follows. With `maxBrokenOpenings: 1` it follows the
   * first 5xx.
   */
  readonly maxCutStreams: number;
  /** Requests within 10 s, the pages of one list counted as one; further ones wait. */
  readonly maxRequests: number;
  /** Default of `retry.maxRetryAfterMs`. */
  readonly maxRetryAfterMs: number;
  /** Default of `watch.silenceMs`. */
  readonly silenceMs: number;
  /** Default of `watch.storeFailure`. */
  readonly storeFailure: "relist" | "skip";
  /**
   * Whether the objects of a streamed list pass the transform of the store before they are
   * collected, and once more when the store receives them.
   */
  readonly transformsStreamedLists: boolean;
  /**
   * What follows an event of a type that is not known, or one other than a DELETED that carries no
   * object: a new list, or nothing.
   */
  readonly unknownEvent: "relist" | "skip";
  /** What follows a DELETED event whose object cannot be used: a new list, or nothing. */
  readonly unusableDeletion: "relist" | "skip";
  /** Default of `retry.unreachableCapMs`. */
  readonly unreachableCapMs: number;
  /** Default of `watch.watchGraceMs`. */
  readonly watchGraceMs: number;
  /** Default of `list.watchListRetryMs`. */
  readonly watchListRetryMs: number;
  /** Default of `list.watchListSilenceMs`. */
  readonly watchListSilenceMs: number;
}

/** The values without the option `behaviour`. */
export const defaultBehaviour: ReflectorBehaviour = {
  backoffReset: "quiet",
  checksHistory: true,
  // With the default delays ten to twenty seconds: longer than most restarts behind a proxy.
  maxBrokenOpenings: 5,
  maxCutStreams: 2,
  maxImmediateRetries: 10,
  maxRequests: 15,
  maxRetryAfterMs: 60_000,
  maxSilentCloses: 5,
  remembersExpiredOpening: true,
  sparesExpired: true,
  // Bookmarks come each minute, and load balancers drop silent connections after 240 s.
  silenceMs: 90_000,
  storeFailure: "relist",
  transformsStreamedLists: false,
  unknownEvent: "relist",
  unreachableCapMs: 3000,
  unusableDeletion: "relist",
  watchGraceMs: 30_000,
  watchListRetryMs: 600_000,
  // Three times the period of client-go's warning (`startBookmarkTimer`, tools/cache/reflector.go).
  watchListSilenceMs: 30_000,
};

/** The values behind the preset `clientGoBehaviour`. */
export const clientGoValues: ReflectorBehaviour = {
  backoffReset: "interval",
  checksHistory: false,
  maxBrokenOpenings: 1,
  maxCutStreams: Infinity,
  maxImmediateRetries: Infinity,
  maxRequests: Infinity,
  maxRetryAfterMs: 0,
  maxSilentCloses: Infinity,
  remembersExpiredOpening: false,
  sparesExpired: false,
  silenceMs: Infinity,
  storeFailure: "skip",
  transformsStreamedLists: true,
  unknownEvent: "skip",
  unreachableCapMs: Infinity,
  unusableDeletion: "skip",
  watchGraceMs: Infinity,
  watchListRetryMs: 0,
  watchListSilenceMs: Infinity,
};

/** @throws {InvalidOptionsError} if it is not the preset of reflectors */
export function resolveBehaviour(behaviour: unknown): ReflectorBehaviour {
  return Preset.resolve(behaviour, "clientGoBehaviour", defaultBehaviour);
}
