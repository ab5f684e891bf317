/** What a listener serves: the `fetch` of a {@link FakeApiServer}, or any other handler of that form. */
export interface FetchHandler {
  fetch(request: Request): Promise<Response>;
}

/**
 * A function that takes whatever the global `fetch` takes. Addresses may be relative: they are
 * those of `http://localhost`.
 */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The request that arguments of `fetch` stand for.
 *
 * @throws {TypeError} if there is none, as `fetch` rejects
 */
export function requestOf(input: string | URL | Request, init?: RequestInit): Request {
  // A request of another realm is one, although not of this class.
  if (typeof input === "object" && "url" in input) {
    return init === undefined ? input : new Request(input, init);
  }
  return new Request(new URL(input, "http://localhost"), init);
}
