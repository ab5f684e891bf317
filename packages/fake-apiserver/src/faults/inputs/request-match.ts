import type { Verb } from "../../api/request.ts";
import { JsonReader } from "./json-reader.ts";

/** One text, or several of which one must be equal. */
export type OneOf<T extends string> = T | readonly T[];

/**
 * Selects the requests of a rule, a barrier or a query of the recorder. Every given field must fit;
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
  /** Text that the User-Agent header contains. */
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
  readonly verb: Verb;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly headers: Headers;
  readonly query: URLSearchParams;
}

/** True if every given field of the match fits the request. */
export function matchesRequest(match: RequestMatch, request: MatchableRequest): boolean {
  return (
    fits(match.verb, request.verb) &&
    fits(match.resource, request.resource) &&
    fits(match.group, request.group) &&
    fits(match.subresource, request.subresource) &&
    fits(match.namespace, request.namespace) &&
    fits(match.name, request.name) &&
    fits(match.method, request.method) &&
    fits(match.path, request.path) &&
    fitsUserAgent(match.userAgent, request.headers) &&
    fitsAll(match.headers, (name) => request.headers.get(name)) &&
    fitsAll(match.query, (name) => request.query.get(name))
  );
}

function fits<T extends string>(wanted: OneOf<T> | undefined, actual: T): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === "string" ? wanted === actual : wanted.includes(actual);
}

function fitsUserAgent(wanted: string | undefined, headers: Headers): boolean {
  return wanted === undefined || (headers.get("user-agent") ?? "").includes(wanted);
}

function fitsAll(
  wanted: Readonly<Record<string, string | null>> | undefined,
  actual: (name: string) => string | null,
): boolean {
  if (wanted === undefined) return true;
  return Object.entries(wanted).every(([name, value]) => actual(name) === value);
}

const verbs: readonly Verb[] = [
  "get",
  "list",
  "watch",
  "create",
  "update",
  "patch",
  "delete",
  "deletecollection",
  // Requests without a resource.
  "",
];
const matchTexts = [
  "method",
  "path",
  "group",
  "resource",
  "subresource",
  "namespace",
  "name",
] as const;

/** @throws {@link ControlInputError} for a match with an unknown field or a value of a wrong type */
export function checkRequestMatch(match: RequestMatch): void {
  readRequestMatch(new JsonReader(match, "match"));
}

/** Reads a match from JSON, all of whose fields belong to it. */
export function readRequestMatch(reader: JsonReader): RequestMatch {
  const match: RequestMatch = {
    ...(reader.has("verb") ? { verb: reader.choices("verb", verbs) } : {}),
    ...Object.fromEntries(
      matchTexts.filter((name) => reader.has(name)).map((name) => [name, reader.texts(name)]),
    ),
    ...(reader.has("userAgent") ? { userAgent: reader.text("userAgent") } : {}),
    ...(reader.has("headers") ? { headers: reader.textOrNullMap("headers") } : {}),
    ...(reader.has("query") ? { query: reader.textOrNullMap("query") } : {}),
  };
  reader.end();
  return match;
}
