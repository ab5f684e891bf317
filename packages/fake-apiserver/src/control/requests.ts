import type { Verb } from "../api/request.ts";

/** One string, or several of which one must be equal. */
export type OneOf<T extends string> = T | readonly T[];

/**
 * Selects requests for a rule, a barrier or a query of the recorder. Every given field must fit;
 * `{}` fits every request.
 */
export interface RequestMatch {
  readonly method?: OneOf<string> | undefined;
  /** Exact path without query. */
  readonly path?: OneOf<string> | undefined;
  readonly verb?: OneOf<Verb> | undefined;
  /** `""` is the core group. */
  readonly group?: OneOf<string> | undefined;
  readonly resource?: OneOf<string> | undefined;
  /** `""` demands the resource itself. */
  readonly subresource?: OneOf<string> | undefined;
  readonly namespace?: OneOf<string> | undefined;
  readonly name?: OneOf<string> | undefined;
  /** Part of the User-Agent header. */
  readonly userAgent?: string | undefined;
  /** Headers with exactly these values; `null` = absent. */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
  /** Query parameters with exactly these values; `null` = absent. */
  readonly query?: Readonly<Record<string, string | null>> | undefined;
}

/** The fields of a request that a {@link RequestMatch} looks at. */
export interface MatchableRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly verb: Verb;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** One request as the server saw it, and its answer. */
export interface RecordedRequest extends MatchableRequest {
  /** 1 for the first request of the server. */
  readonly id: number;
  /** Clock time of the arrival, milliseconds since 1970. */
  readonly time: number;
  /** Query without question mark, as sent. */
  readonly search: string;
  readonly version: string;
  /** Undefined until it was read, and for requests without one. */
  readonly body: string | undefined;
  /** Undefined before the answer, and when the connection was reset instead of it. */
  readonly status: number | undefined;
  /** Id of the watch the request opened. */
  readonly watchId: string | undefined;
}

/** Records the requests to the server, oldest first, up to `limit`. */
export interface RequestRecorder {
  /** Records kept; older ones are dropped. @default 10000 */
  limit: number;
  /** Requests since the start or the last `clear`, dropped ones included. O(1). */
  readonly count: number;
  /** The kept requests that match, oldest first; all without an argument. O(kept). */
  list(match?: RequestMatch): readonly RecordedRequest[];
  /** Removes all records; ids continue. */
  clear(): void;
}
