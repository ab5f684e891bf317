import type { ProblemReason } from "@listwatch/shared-informer";

/**
 * The messages of a stream, by the name of their server-sent event:
 *
 * ```
 * open                            the stream begins; the period of its heartbeats
 * list   … set … listed           a fresh list of a collection, and the view that it belongs to
 * set, delete                     an object that the page may see, or that it no longer has
 * view                            all changes of a new grant, a resume or a pause were sent; the
 *                                 empty view is none, until those of a new grant were sent
 * denied                          the collection is not granted, or there is none
 * paused, continued               the grant cannot be asked for; it can again
 * problem                         the server's informer is stale, or is current again
 * ```
 *
 * An event with an `id` says that the page has everything up to that position, in all collections
 * but those that are paused: the page forgets their view, until the server names it again. A
 * heartbeat is an `id` alone, or a comment while something waits. A position is a random word, so
 * that it does not show how many changes of other users there were.
 */
export interface MessageData {
  open: { readonly heartbeatMs: number };
  list: { readonly collection: string; readonly reason: ListReason };
  listed: { readonly collection: string; readonly view: string };
  set: { readonly collection: string; readonly key: string; readonly object: object };
  delete: { readonly collection: string; readonly key: string };
  view: { readonly collection: string; readonly view: string };
  denied: { readonly collection: string };
  paused: { readonly collection: string };
  continued: { readonly collection: string };
  problem: { readonly collection: string; readonly reason: ProblemReason | undefined };
}

/** Name of a message. */
export type MessageType = keyof MessageData;

/**
 * Reason for a fresh list: the page had none; its position is not in the log any more; the server
 * has another history, because it restarted or is another one; the page may see something else than
 * before.
 */
export type ListReason = "first" | "expired" | "otherHistory" | "otherView";

/** Query parameter with the names of the collections, separated by commas. */
export const collectionsParameter = "collections";
/** Content type of a stream, and of the refusal (403) of a page that may see nothing. */
export const streamType = "text/event-stream";
/** Header of a resume: see {@link formatResume}. `EventSource` sends the same one. */
export const resumeHeader = "last-event-id";

/** Where a page goes on. */
export interface Resume {
  /** Last `id` that the page has received. */
  readonly position: string;
  /** The view of each collection that the page has completely. */
  readonly views: ReadonlyMap<string, string>;
}

/** Writes the header of a resume: `POSITION;NAME=VIEW;NAME=VIEW`. */
export function formatResume({ position, views }: Resume): string {
  const parts = [...views].map(([name, view]) => `;${encodeURIComponent(name)}=${view}`);
  return position + parts.join("");
}

/** Reads the header of a resume. Parts that cannot be read are ignored: their lists are fresh. */
export function parseResume(header: string | null): Resume | undefined {
  if (header === null || header === "") return undefined;
  const [position = "", ...parts] = header.split(";");
  const views = new Map<string, string>();
  for (const part of parts) {
    const end = part.indexOf("=");
    try {
      views.set(decodeURIComponent(part.slice(0, end)), part.slice(end + 1));
    } catch {
      // A name that is not encoded well is not one that the server has sent.
    }
  }
  return { position, views };
}
