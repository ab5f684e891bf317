import type { FetchFunction } from "./connection.ts";

/** Descriptions of the credentials that requests were sent without, by response. */
const notes = new WeakMap<Response, string>();

/** Codes of refusals that credentials might have averted. */
const refusals: ReadonlySet<number> = new Set([401, 403]);

/** Wraps a fetch function so that errors of refused requests end with a note. */
export function addWithheldNote(fetch: FetchFunction, note: string): FetchFunction {
  return async (request) => {
    const response = await fetch(request);
    if (refusals.has(response.status)) notes.set(response, note);
    return response;
  };
}

/** Returns the note for the error of a response, if credentials were withheld from its request. */
export function withheldNoteOf(response: Response): string | undefined {
  return notes.get(response);
}
