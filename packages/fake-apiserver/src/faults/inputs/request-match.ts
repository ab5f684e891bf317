import type { MatchableRequest, OneOf, RequestMatch } from "../../control/requests.ts";
import type { Verb } from "../../api/request.ts";
import { JsonReader } from "./json-reader.ts";

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
  // Requests for other paths.
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

/** Reads a match, and refuses any other field. */
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
