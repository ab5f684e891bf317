import { CredentialsError } from "../errors/credentials-error.ts";
import type { FetchFunction } from "./connection.ts";

/** The argument of a header function. */
export interface HeadersContext {
  /**
   * Whether the server has just refused the credentials (401), so that they must be renewed and not
   * taken from a cache.
   */
  readonly refresh: boolean;
}

/** Header fields, in any of the forms that the constructor of `Headers` takes. */
export type HeaderFields =
  | Headers
  | Readonly<Record<string, string>>
  | Iterable<readonly [string, string]>;

/** Headers, or a function that is called for each request and may fetch or renew credentials. */
export type HeadersSource =
  | HeaderFields
  | ((context: HeadersContext) => HeaderFields | Promise<HeaderFields>);

/**
 * Wraps a fetch function: adds headers to every request. When they come from a function, a request
 * that is answered with 401 is sent once more with renewed ones, a write too, since the server has
 * not acted on it.
 */
export function addHeaders(fetch: FetchFunction, source: HeadersSource): FetchFunction {
  if (typeof source !== "function") {
    return async (request) => {
      setHeaders(request, source);
      return fetch(request);
    };
  }
  return async (request) => {
    // A body can be read once, so that it is copied before the first attempt.
    const copy = request.method === "GET" ? undefined : request.clone();
    await applySource(request, source, false);
    const response = await fetch(request);
    if (response.status !== 401) return response;
    await response.body?.cancel();
    const second = copy ?? new Request(request);
    await applySource(second, source, true);
    return fetch(second);
  };
}

async function applySource(
  request: Request,
  source: (context: HeadersContext) => HeaderFields | Promise<HeaderFields>,
  refresh: boolean,
): Promise<void> {
  try {
    setHeaders(request, await source({ refresh }));
  } catch (error) {
    throw new CredentialsError(`Cannot get the headers for ${request.url}`, { cause: error });
  }
  request.signal.throwIfAborted();
}

function setHeaders(request: Request, fields: HeaderFields): void {
  const headers = new Headers();
  for (const [name, value] of isIterable(fields) ? fields : Object.entries(fields)) {
    headers.append(name, value);
  }
  for (const [name, value] of headers) {
    // The type of a body is the request's, whatever the program sends with all of them.
    if (name === "content-type" && request.headers.has(name)) continue;
    request.headers.set(name, value);
  }
}

function isIterable(fields: HeaderFields): fields is Iterable<readonly [string, string]> {
  return Symbol.iterator in fields;
}
