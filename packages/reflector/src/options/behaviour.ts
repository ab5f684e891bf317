import { Preset } from "@listwatch/core-fifo/base";

/**
 * Behaviour of a reflector that a preset can change. A value that is also an option is the default
 * of that option.
 */
export interface ReflectorBehaviour {
  /**
   * When the sequence of delays starts over: `"quiet"` after `retry.backoff.resetMs` without a
   * delay, `"interval"` every `retry.backoff.resetMs`, even during an outage.
   */
  readonly backoffReset: "quiet" | "interval";
  /**
   * Number of requests without delay after requests of less than a second, within 10 s. Further
   * ones wait as after a failure.
   */
  readonly maxImmediateRetries: number;
  /**
   * Whether resourceVersions that went back are reported and cause a list that is not compared with
   * the store. To detect it, a list of one item follows a watch that received no byte, if the
   * previous watch received none or ended early, and the first watch that the server accepts after
   * an outage of 10 s.
   */
  readonly checksHistory: boolean;
  /**
   * Number of watch openings in a row that break, or get a 5xx with `Retry-After`, before a relist.
   * Rejected openings do not count. With 1, none is retried in place.
   */
  readonly maxBrokenOpenings: number;
  /** Number of watches in a row that the server closes early and without a byte, before a relist. */
  readonly maxSilentCloses: number;
  /**
   * Whether a 410 at the opening of a watch is remembered, like one in its stream: if a paged list
   * led to the same expired state again, the next list is the newest.
   */
  readonly remembersExpiredOpening: boolean;
  /**
   * Whether the delays after expired states are a separate sequence, which a previous outage does
   * not lengthen.
   */
  readonly sparesExpired: boolean;
  /**
   * Number of streamed lists in a row that end incomplete, or whose opening gets a 5xx with
   * `Retry-After`, before an ordinary list. With `maxBrokenOpenings: 1` the first 5xx suffices.
   */
  readonly maxCutStreams: number;
  /** Number of requests within 10 s. The pages of one list count as one. Further requests wait. */
  readonly maxRequests: number;
  /** Default of `retry.maxRetryAfterMs`. */
  readonly maxRetryAfterMs: number;
  /** Default of `watch.silenceMs`. */
  readonly silenceMs: number;
  /** Default of `watch.storeFailure`. */
  readonly storeFailure: "relist" | "skip";
  /**
   * Whether the objects of a streamed list pass the transform of the store before they are
   * collected, and again when the store receives them.
   */
  readonly transformsStreamedLists: boolean;
  /**
   * Reaction to an event of an unknown type, or one without an object that is not a DELETED: a new
   * list, or none.
   */
  readonly unknownEvent: "relist" | "skip";
  /** Reaction to a DELETED event with an unusable object: a new list, or none. */
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

/** Values without the option `behaviour`. */
export const defaultBehaviour: ReflectorBehaviour = {
  backoffReset: "quiet",
  checksHistory: true,
  // With the default delays, ten to twenty seconds: longer than most restarts behind a proxy.
  maxBrokenOpenings: 5,
  maxCutStreams: 2,
  maxImmediateRetries: 10,
  maxRequests: 15,
  maxRetryAfterMs: 60_000,
  maxSilentCloses: 5,
  remembersExpiredOpening: true,
  sparesExpired: true,
  // Bookmarks arrive every minute, and load balancers drop silent connections after 240 s.
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

/** Values of the preset `clientGoBehaviour`. */
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
