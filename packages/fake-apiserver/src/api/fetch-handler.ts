/** What a listener serves: the `fetch` of a {@link FakeApiServer}, or any other handler of that form. */
export interface FetchHandler {
  fetch(request: Request): Promise<Response>;
}
