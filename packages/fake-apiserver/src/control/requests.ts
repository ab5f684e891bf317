import type { Verb } from "../api/request.ts";

/** One string, or several of which one must be equal. */
export type OneOf<T extends string> = T | readonly T[];

/**
 * Selects requests for a rule, a barrier or a query of the recorder. Every given field must fit;
 * `{}` fits every request.
 */
export interface RequestMatch {
  /** HTTP method in upper case, such as `GET`. @default all */
  readonly method?: OneOf<string> | undefined;
  /** Exact path of the request, without query. @default all */
  readonly path?: OneOf<string> | undefined;
  /** Verb of the request. @default all */
  readonly verb?: OneOf<Verb> | undefined;
  /** API group of the request; `""` is the core group. @default all */
  readonly group?: OneOf<string> | undefined;
  /** Plural name of the resource, such as `pods`. @default all */
  readonly resource?: OneOf<string> | undefined;
  /** Subresource of the request; `""` selects requests for the resource itself. @default all */
  readonly subresource?: OneOf<string> | undefined;
  /**
   * Namespace of the request; `""` for all namespaces and cluster-scoped resources.
   *
   * @default all
   */
  readonly namespace?: OneOf<string> | undefined;
  /** Name of the object in the path; `""` for lists, watches and creates. @default all */
  readonly name?: OneOf<string> | undefined;
  /** String that the User-Agent header contains. @default all */
  readonly userAgent?: string | undefined;
  /**
   * Headers with exactly these values; `null` for headers that the request does not have.
   *
   * @default all
   */
  readonly headers?: Readonly<Record<string, string | null>> | undefined;
  /** Parameters of the query with exactly these values; `null` for absent ones. @default all */
  readonly query?: Readonly<Record<string, string | null>> | undefined;
}

/** The fields of a request that a {@link RequestMatch} looks at. */
export interface MatchableRequest {
  /** HTTP method in upper case. */
  readonly method: string;
  /** Path without query. */
  readonly path: string;
  /** Parameters of the query, decoded. */
  readonly query: URLSearchParams;
  /** Headers of the request. */
  readonly headers: Headers;
  /** Verb of the request; `""` if it is not for a resource. */
  readonly verb: Verb;
  /** API group; `""` for the core group, and without a resource. */
  readonly group: string;
  /** Plural name of the resource; `""` without one. */
  readonly resource: string;
  /** Name of the subresource; `""` for the resource itself. */
  readonly subresource: string;
  /** Namespace; `""` for all namespaces and cluster-scoped resources. */
  readonly namespace: string;
  /** Name of the object in the path; `""` for lists, watches and creates. */
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
  /** Version of the API group; `""` without a resource. */
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
  /** Records kept; older ones are dropped. @default 10_000 */
  limit: number;
  /** Requests since the start or the last `clear`, dropped ones included. O(1). */
  readonly count: number;
  /** The kept requests that match, oldest first; all without an argument. O(kept). */
  list(match?: RequestMatch): readonly RecordedRequest[];
  /** Removes all records; ids continue. */
  clear(): void;
}
