import type { RequestMatch } from "@listwatch/fake-apiserver";

/** A point of the conversation between a reflector and a server at which a fault can strike. */
export interface Position {
  readonly name: string;
  /** Whether initial lists are streamed. */
  readonly watchList: boolean;
  /** Which requests the fault strikes. */
  readonly match: RequestMatch;
  /** Matching requests that pass before. */
  readonly skip: number;
  /** How much of the answer comes through before a fault of the body. */
  readonly after: { readonly events?: number; readonly bytes?: number };
  /** Whether the fault belongs to the head of an answer, or to an open stream. */
  readonly at: "request" | "stream";
  /** Whether the first list is needed before, and a second one is to be provoked. */
  readonly relist?: boolean;
}

/** Objects that exist at the beginning. */
export const initialObjects = 5;

/** The columns of the matrix. */
export const positions: readonly Position[] = [
  {
    name: "list",
    watchList: false,
    match: { verb: "list" },
    skip: 0,
    after: { bytes: 60 },
    at: "request",
  },
  {
    name: "page 2",
    watchList: false,
    match: { verb: "list" },
    // The first list, from the server's cache, has no pages; the relist has.
    skip: 2,
    after: { bytes: 60 },
    at: "request",
    relist: true,
  },
  {
    name: "watch opening",
    watchList: false,
    match: { verb: "watch" },
    skip: 0,
    after: {},
    at: "request",
  },
  {
    name: "mid-watch",
    watchList: false,
    match: { verb: "watch" },
    skip: 0,
    after: { events: 2 },
    at: "stream",
  },
  {
    name: "watch-list before its bookmark",
    watchList: true,
    match: { verb: "watch", query: { sendInitialEvents: "true" } },
    skip: 0,
    after: { events: 2 },
    at: "request",
  },
  {
    name: "watch-list after its bookmark",
    watchList: true,
    match: { verb: "watch", query: { sendInitialEvents: "true" } },
    skip: 0,
    after: { events: initialObjects + 2 },
    at: "stream",
  },
];
