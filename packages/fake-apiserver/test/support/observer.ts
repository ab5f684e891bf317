/* oxlint-disable vitest/no-standalone-expect -- the functions are called by tests */
import { expect } from "vitest";
import { type ApiClient, type Json, type WatchEvent, WatchReader } from "./api-client.ts";
import { type History, keyOf, revisionOf, type View } from "./history.ts";

/** Events that one watch delivered after a revision. */
interface Segment {
  readonly from: number;
  readonly delivered: WatchEvent[];
  /** Initial state of the watch, if it was requested. */
  initial: Map<string, Json> | undefined;
}

const initialEventsEnd = "k8s.io/initial-events-end";

/**
 * A client that lists and watches a view without end, like an informer. It resumes broken watches,
 * and relists when its version has expired. It records everything, to compare it with the history.
 */
export class Observer {
  readonly view: View;
  readonly #client: ApiClient;
  readonly #streams: boolean;
  readonly #pause: () => Promise<void>;
  readonly #lists: { readonly revision: number; readonly items: readonly Json[] }[] = [];
  readonly #segments: Segment[] = [];
  resumptions = 0;
  relists = 0;
  bookmarks = 0;

  /**
   * @param streams whether the initial state is requested as events
   * @param pause awaited before a broken watch is resumed
   */
  constructor(client: ApiClient, view: View, streams: boolean, pause: () => Promise<void>) {
    this.#client = client;
    this.#pause = pause;
    this.view = view;
    this.#streams = streams;
  }

  /** Runs until `isOver` returns true at the end of a watch. */
  async run(isOver: () => boolean): Promise<void> {
    let revision: number | undefined;
    while (!isOver()) {
      if (revision === undefined && !this.#streams) revision = await this.#list();
      const next: number | undefined = await this.#watch(revision);
      if (next === undefined) this.relists++;
      else this.resumptions++;
      revision = next;
      await this.#pause();
    }
  }

  /** Checks that everything up to a revision was delivered correctly. */
  check(history: History, last: number): void {
    for (const { items, revision } of this.#lists) {
      expect(new Map(items.map((item) => [keyOf(item), item]))).toEqual(
        new Map(history.stateAt(revision, this.view)),
      );
    }
    for (const segment of this.#segments) this.#checkSegment(segment, history);
    const end = this.#segments.at(-1);
    expect(end === undefined ? -1 : positionAfter(end)).toBeLessThanOrEqual(last);
    // The last watch was open until the end, and has delivered everything.
    if (end !== undefined) {
      const expected = history.eventsBetween(end.from, last, this.view);
      expect(described(end)).toEqual(expected);
    }
  }

  #checkSegment(segment: Segment, history: History): void {
    const start = segment.from;
    if (segment.initial !== undefined) {
      expect(segment.initial).toEqual(new Map(history.stateAt(start, this.view)));
    }
    let position = start;
    const delivered: string[] = [];
    for (const { object, type } of segment.delivered) {
      const revision = revisionOf(object);
      if (type === "BOOKMARK") {
        // A bookmark is correct if no earlier event is still to come.
        expect(revision).toBeGreaterThanOrEqual(position);
        expect(delivered).toEqual(history.eventsBetween(start, revision, this.view));
      } else {
        // Events are ordered and unique.
        expect(revision).toBeGreaterThan(position);
        delivered.push(`${type} ${keyOf(object)}@${revision}`);
      }
      position = revision;
    }
    // There is no gap.
    expect(delivered).toEqual(history.eventsBetween(start, position, this.view));
  }

  async #list(): Promise<number> {
    const { body, status } = await this.#client.get(pathOf(this.view));
    expect(status).toBe(200);
    const revision = revisionOf(body);
    this.#lists.push({ revision, items: body["items"].map(withoutTypes) });
    return revision;
  }

  /** Returns the revision to resume at; undefined when it has expired. */
  async #watch(from: number | undefined): Promise<number | undefined> {
    const begin =
      from === undefined
        ? "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
        : `resourceVersion=${from}`;
    const path = pathOf(this.view, `watch=1&allowWatchBookmarks=true&${begin}`);
    const headers = { "user-agent": "observer" };
    const response = await this.#client.send("GET", path, undefined, { headers });
    expect(response.status).toBe(200);
    const reader = new WatchReader(response);
    let initial: Map<string, Json> | undefined = from === undefined ? new Map() : undefined;
    let segment: Segment | undefined;
    if (from !== undefined) segment = this.#begin(from, undefined);
    for (;;) {
      const event = await reader.next().catch(() => undefined);
      // Without the complete initial events nothing is known.
      if (event === undefined) return segment === undefined ? undefined : positionAfter(segment);
      const { object, type } = event;
      if (type === "ERROR") {
        expect(object["code"]).toBe(410);
        return undefined;
      }
      if (type === "BOOKMARK") this.bookmarks++;
      if (segment !== undefined) segment.delivered.push(event);
      else if (type === "BOOKMARK") {
        expect(object["metadata"].annotations).toEqual({ [initialEventsEnd]: "true" });
        segment = this.#begin(revisionOf(object), initial);
        initial = undefined;
      } else {
        expect(type).toBe("ADDED");
        initial?.set(keyOf(object), withoutTypes(object));
      }
    }
  }

  #begin(from: number, initial: Map<string, Json> | undefined): Segment {
    const segment = { from, delivered: [], initial };
    this.#segments.push(segment);
    return segment;
  }
}

/** Removes the type, which items of lists lack. */
export function withoutTypes({ apiVersion: _apiVersion, kind: _kind, ...object }: Json): Json {
  return object;
}

export function pathOf({ label, namespace }: View, query = ""): string {
  const root = namespace === undefined ? "/api/v1" : `/api/v1/namespaces/${namespace}`;
  const selector = label === undefined ? "" : `labelSelector=${label.join("%3D")}`;
  return `${root}/configmaps?${[selector, query].filter((part) => part !== "").join("&")}`;
}

function positionAfter({ delivered, from }: Segment): number {
  const last = delivered.at(-1);
  return last === undefined ? from : Math.max(from, revisionOf(last.object));
}

function described({ delivered }: Segment): readonly string[] {
  return delivered
    .filter(({ type }) => type !== "BOOKMARK")
    .map(({ object, type }) => `${type} ${keyOf(object)}@${revisionOf(object)}`);
}
