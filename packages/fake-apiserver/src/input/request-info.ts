import type { Verb } from "../api/request.ts";

/** A request, taken apart. All names are decoded. */
export interface RequestInfo {
  readonly request: Request;
  readonly method: string;
  /** Decoded path, always with a leading slash. */
  readonly path: string;
  /** The query text without question mark. */
  readonly search: string;
  readonly query: URLSearchParams;
  /** False for discovery, health, OpenAPI, version and unknown paths. */
  readonly isResource: boolean;
  /** "" if the path is not a resource path or the method has no meaning there. */
  readonly verb: Verb;
  /** "" for the core group and for other paths. */
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  /** Plural name of the resource. */
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  /** Segments after the subresource (`proxy/…`), never served. */
  readonly rest: readonly string[];
}

interface ResourcePath extends Pick<
  RequestInfo,
  "group" | "version" | "namespace" | "resource" | "name" | "subresource" | "rest"
> {
  readonly legacyWatch: boolean;
}

const methodVerbs: Readonly<Record<string, Verb>> = {
  GET: "get",
  HEAD: "get",
  POST: "create",
  PUT: "update",
  PATCH: "patch",
  DELETE: "delete",
};

/**
 * Returns the request that arguments of `fetch` stand for.
 *
 * @throws {TypeError} if there is none, as `fetch` rejects
 */
export function requestOf(input: string | URL | Request, init?: RequestInit): Request {
  // A request of another realm is not of this class.
  if (typeof input === "object" && "url" in input) {
    return init === undefined ? input : new Request(input, init);
  }
  return new Request(new URL(input, "http://localhost"), init);
}

/**
 * Whether a boolean query parameter is set and not false. Any value but "false" and "0" counts as
 * true, even an empty one: k8s.io/apimachinery runtime/conversion.go.
 */
export function isSet(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== "0" && value.toLowerCase() !== "false";
}

/** Whether a client wants to go on with a WebSocket (RFC 6455 §4.2.1). */
export function isWebSocket({ headers }: Pick<Request, "headers">): boolean {
  return headers.get("upgrade")?.toLowerCase() === "websocket";
}

/**
 * Takes the address and method of a request apart. Never throws: a path that cannot be decoded is
 * taken as it is.
 */
export function parseRequestInfo(request: Request): RequestInfo {
  const url = request.url;
  const authority = url.indexOf("://") + 3;
  let start = url.indexOf("/", authority);
  if (start < 0) start = url.length;
  const hash = url.indexOf("#", start);
  const end = hash < 0 ? url.length : hash;
  const mark = url.indexOf("?", start);
  const pathEnd = mark < 0 || mark > end ? end : mark;
  const path = decode(url.slice(start, pathEnd)) || "/";
  const search = pathEnd < end ? url.slice(pathEnd + 1, end) : "";
  const query = parseQuery(search);
  const parts = parsePath(path);
  const method = request.method;
  const base = { request, method, path, search, query };
  if (parts === undefined) {
    return {
      ...base,
      isResource: false,
      verb: "",
      group: "",
      version: "",
      namespace: "",
      resource: "",
      name: "",
      subresource: "",
      rest: [],
    };
  }
  const { legacyWatch: _, ...names } = parts;
  return { ...base, isResource: true, verb: verbOf(method, parts, query), ...names };
}

function verbOf(method: string, path: ResourcePath, query: URLSearchParams): Verb {
  const verb = methodVerbs[method] ?? "";
  // Legacy watch paths only allow GET.
  if (path.legacyWatch && verb !== "get") return "";
  if (verb === "get" && path.subresource === "") {
    if (path.legacyWatch) return "watch";
    if (path.name === "") return isSet(query, "watch") ? "watch" : "list";
  }
  return verb === "delete" && path.name === "" ? "deletecollection" : verb;
}

/**
 * Returns the segments of a path without empty ones at its end. Undefined for a path with two
 * slashes in a row, which is a different path, not another spelling.
 */
export function pathSegments(path: string): readonly string[] | undefined {
  const [, ...segments] = path.split("/");
  while (segments.at(-1) === "") segments.pop();
  return segments.includes("") ? undefined : segments;
}

function parsePath(path: string): ResourcePath | undefined {
  const segments = pathSegments(path) ?? [];
  const [root] = segments;
  if (root !== "api" && root !== "apis") return undefined;
  let next = 1;
  const group = root === "api" ? "" : (segments[next++] ?? "");
  const version = segments[next++];
  if (version === undefined || segments[next] === undefined) return undefined;
  const legacyWatch = segments[next] === "watch" && segments[next + 1] !== undefined;
  if (legacyWatch) next++;
  let namespace = "";
  // /namespaces/x and its subresources are the object; /namespaces/x/pods is a collection in it.
  if (
    segments[next] === "namespaces" &&
    segments[next + 2] !== undefined &&
    !(group === "" && isNamespaceSubresource(segments[next + 2]))
  ) {
    namespace = segments[next + 1] ?? "";
    next += 2;
  }
  const [resource = "", name = "", subresource = "", ...rest] = segments.slice(next);
  return { group, version, namespace, resource, name, subresource, rest, legacyWatch };
}

function isNamespaceSubresource(segment: string | undefined): boolean {
  return segment === "status" || segment === "finalize";
}

// Go leaves out a pair with a semicolon, or with a percent sign that escapes nothing: net/url,
// `ParseQuery`.
function parseQuery(search: string): URLSearchParams {
  if (!/[;%]/.test(search)) return new URLSearchParams(search);
  const pairs = search.split("&").filter((pair) => !/;|%(?![\dA-Fa-f]{2})/.test(pair));
  return new URLSearchParams(pairs.join("&"));
}

function decode(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const connections: ReadonlySet<string> = new Set(["attach", "exec", "portforward", "proxy"]);

/** Whether requests for a subresource open a connection to a pod, service or node. */
export function isConnect({ subresource }: Pick<RequestInfo, "subresource">): boolean {
  return connections.has(subresource);
}
