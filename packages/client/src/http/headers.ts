import { describeError, InvalidOptionsError, untilAborted } from "@listwatch/core-fifo/base";
import { CredentialsError } from "../errors/errors.ts";
import type { FetchFunction } from "./connection.ts";
import { Secrets } from "./secrets.ts";

/** Argument of a header function. */
export interface HeadersContext {
  /**
   * Whether the server has just refused the credentials (401), so that they must be renewed instead
   * of taken from a cache.
   */
  readonly refresh: boolean;
  /** Headers that the server has refused, if any. A cache may contain newer ones. */
  readonly refused?: Headers | undefined;
}

/** Header fields, in any form that the constructor of `Headers` accepts. */
export type HeaderFields =
  | Headers
  | Readonly<Record<string, string>>
  | Iterable<readonly [string, string]>;

/** Headers, or a function that is called for each request and may obtain or renew credentials. */
export type HeadersSource =
  | HeaderFields
  | ((context: HeadersContext) => HeaderFields | Promise<HeaderFields>);

/**
 * Checks the headers of a connection, as far as they are known before a request.
 *
 * @throws {InvalidOptionsError} if they cannot be sent; it does not contain them
 */
export function checkHeaders(source: unknown): void {
  if (source === undefined || typeof source === "function") return;
  try {
    // An iterator can only be read once, so it is left for the request.
    const isObject = typeof source === "object" && source !== null;
    const canBeRead =
      !isObject || !isIterable(source) || Array.isArray(source) || source instanceof Headers;
    if (canBeRead) toHeaders(source);
  } catch (error) {
    throw new InvalidOptionsError(
      `Cannot use the option headers: ${describeError(error)}`,
      "headers",
    );
  }
}

/** Options of {@link addHeaders}. */
export interface AddHeadersOptions {
  /**
   * Returns the credentials that are sent in addition to the headers, such as a certificate. A
   * refused request is then repeated only if they or the headers have changed.
   *
   * @default unknown
   */
  readonly stateOf?: () => unknown;
}

/**
 * Wraps a fetch function to add headers to every request. If a function returns them, a request
 * that is answered with 401 is sent once more with renewed headers. This includes writes, because
 * the server has not acted on them.
 */
export function addHeaders(
  fetch: FetchFunction,
  source: HeadersSource,
  { stateOf }: AddHeadersOptions = {},
): FetchFunction {
  if (typeof source !== "function") {
    return async (request) => {
      setHeaders(request, await obtain(() => source, request));
      return fetch(request);
    };
  }
  return async (request) => {
    // A body can only be read once, so it is copied before the first attempt.
    const copy = request.method === "GET" ? undefined : request.clone();
    setHeaders(request, await obtain(() => source({ refresh: false }), request));
    const response = await fetch(request);
    if (response.status !== 401) return response;
    const refused = new Headers(request.headers);
    const refusedState = stateOf?.();
    const renewed = await obtain(() => source({ refresh: true, refused }), request).catch(
      async (error: unknown) => {
        await response.body?.cancel();
        throw error;
      },
    );
    const hasChanged = stateOf?.() !== refusedState || !isContained(renewed, refused);
    // The same credentials would be refused again.
    if (stateOf !== undefined && !hasChanged) return response;
    await response.body?.cancel();
    const second = new Request(copy ?? request, { signal: request.signal });
    followed.set(second, request);
    setHeaders(second, renewed);
    // The sender owns the request, and keeps both credentials out of messages.
    refusedHeaders.set(request, refused);
    setHeaders(request, renewed);
    const answer = await fetch(second);
    if (hasChanged) afterRenewal.add(answer);
    return answer;
  };
}

/** Whether a request with the second headers has already sent the first ones. */
function isContained(headers: Headers, sent: Headers): boolean {
  return [...headers].every(([name, value]) => {
    return name === "content-type" || sent.get(name) === value;
  });
}

/**
 * Maps a second request to the first one, whose signal it follows: Node releases a signal's parents
 * when the request is collected.
 */
const followed = new WeakMap<Request, Request>();

/** Headers that a request had before its credentials were renewed. */
const refusedHeaders = new WeakMap<Request, Headers>();

/** Returns the header fields with which a request was sent, once or twice. */
export function sentFieldsOf(request: Request): readonly (readonly [string, string])[] {
  return [...(refusedHeaders.get(request) ?? []), ...request.headers];
}

/** Responses to requests that were sent again with renewed credentials. */
const afterRenewal = new WeakSet<Response>();

/** Whether this is the response to a request that was sent again after its credentials were renewed. */
export function isAfterRenewal(response: Response): boolean {
  return afterRenewal.has(response);
}

async function obtain(
  source: () => HeaderFields | Promise<HeaderFields>,
  request: Request,
): Promise<Headers> {
  let headers: Headers;
  try {
    // A plugin may wait for a person, but no longer than the request.
    headers = toHeaders(await untilAborted(fieldsOf(source), request.signal));
  } catch (error) {
    request.signal.throwIfAborted();
    const secrets = new Secrets();
    secrets.learn(request.headers);
    const cause = secrets.hideIn(error);
    throw new CredentialsError(`Cannot get the headers for ${request.url}`, { cause });
  }
  request.signal.throwIfAborted();
  return headers;
}

/**
 * Reads header fields. Unlike the errors of `Headers`, its errors do not quote an invalid value,
 * which may be a token.
 */
function toHeaders(fields: unknown): Headers {
  if (typeof fields !== "object" || fields === null) {
    throw new TypeError(`expected header fields, got a value of type ${typeof fields}`);
  }
  const headers = new Headers();
  for (const entry of isIterable(fields) ? fields : Object.entries(fields)) {
    const [name, value] = readField(entry);
    try {
      headers.append(name, value);
    } catch {
      throw new TypeError(describeFault(name, value));
    }
  }
  return headers;
}

/** A source may create `Headers` itself, whose errors quote invalid values. */
async function fieldsOf(source: () => HeaderFields | Promise<HeaderFields>): Promise<HeaderFields> {
  try {
    return await source();
  } catch (error) {
    if (!(error instanceof TypeError) || !/\bheaders?\b/i.test(error.message)) throw error;
    // oxlint-disable-next-line eslint/preserve-caught-error -- the cause would show the value
    throw new TypeError("expected header fields that can be sent, got others");
  }
}

function readField(entry: unknown): readonly [name: string, value: string] {
  if (!Array.isArray(entry) || entry.length !== 2) {
    throw new TypeError("expected each header field to be a name and a value");
  }
  const [name, value]: readonly unknown[] = entry;
  if (typeof name === "string") {
    if (typeof value === "string") return [name, value];
    if (typeof value === "number" || typeof value === "boolean") return [name, String(value)];
  }
  throw new TypeError(
    `expected name and value of a header to be texts, got ${typeof name} and ${typeof value}`,
  );
}

function describeFault(name: string, value: string): string {
  // RFC 9110 §5.6.2: characters of a name.
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return "expected the name of each header to be a token";
  const [character] = /[^\t\x20-\x7e\x80-\xff]/u.exec(value.trim()) ?? [];
  const found = character === undefined ? "something else" : `the character ${codeOf(character)}`;
  return `expected the value of the header ${name} to be one line of Latin-1, got ${found}`;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function setHeaders(request: Request, headers: Headers): void {
  for (const [name, value] of headers) {
    // The type of a body belongs to the request, whatever headers the program adds to all requests.
    if (name === "content-type" && request.headers.has(name)) continue;
    request.headers.set(name, value);
  }
}

function isIterable(fields: object): fields is Iterable<unknown> {
  return Symbol.iterator in fields;
}
