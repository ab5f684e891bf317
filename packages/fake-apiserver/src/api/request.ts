/** The handler that a listener serves: a {@link FakeApiServer}, or any other with such a `fetch`. */
export interface FetchHandler {
  /**
   * Answers a request. The listener breaks the connection when the promise rejects, with a TCP
   * reset for a {@link ConnectionResetError} where the runtime can send one.
   */
  fetch(request: Request): Promise<Response>;
}

/**
 * A function that takes whatever the global `fetch` takes.
 *
 * Relative addresses belong to `http://localhost`.
 */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The verb of a request for a resource, in the words of an authorizer. "" for any other path, and
 * for a method that the path does not have.
 */
export type Verb =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "delete"
  | "deletecollection"
  | "";
