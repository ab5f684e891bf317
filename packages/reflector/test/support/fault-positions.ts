import type { Clock } from "@listwatch/core-fifo";
import type { RequestMatch } from "@listwatch/fake-apiserver";

/** A point in the conversation between a reflector and a server where a fault can strike. */
export interface Position {
  readonly name: string;
  /** Whether initial lists are streamed. */
  readonly watchList: boolean;
  readonly match: RequestMatch;
  /** Number of matching requests that pass before. */
  readonly skip: number;
  /** The part of the response that arrives before a fault of the body. */
  readonly after: { readonly events?: number; readonly bytes?: number };
  /** Whether the fault affects the head of a response, or an open stream. */
  readonly at: "request" | "stream";
  readonly pageSize?: number;
  /** Causes the relist that the fault then strikes. */
  readonly provocation?: Provocation;
}

/** Answers a number of consecutive watches instead of the server. */
export interface Provocation {
  readonly watches: number;
  readonly answer: (clock: Clock) => Response;
}

const statusExpired = { kind: "Status", apiVersion: "v1", status: "Failure", code: 410 };

const line = (event: object): string => `${JSON.stringify(event)}\n`;

const expire: Provocation = {
  watches: 1,
  answer: () => new Response(line({ type: "ERROR", object: statusExpired })),
};

// A paged list has exactly the expired resourceVersion, so that the next watch expires too.
const expireOpenings: Provocation = {
  watches: 2,
  answer: () => Response.json(statusExpired, { status: 410 }),
};

const closeSilently: Provocation = {
  watches: 5,
  answer: (clock) =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => void clock.setTimeout(() => controller.close(), 1500),
      }),
    ),
};

const deleteSomething: Provocation = {
  watches: 1,
  answer: () => new Response(line({ type: "DELETED", object: { kind: "ConfigMap" } })),
};

export const initialObjects = 5;

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
    // The first list, from the server's cache, is not paged; the relist is.
    skip: 2,
    after: { bytes: 60 },
    at: "request",
    pageSize: 2,
    provocation: expire,
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
  {
    name: "streamed relist",
    watchList: true,
    match: { verb: "watch", query: { sendInitialEvents: "true" } },
    skip: 1,
    after: { events: 2 },
    at: "request",
    provocation: expire,
  },
  {
    name: "410 at opening with pages",
    watchList: false,
    match: { verb: "list" },
    skip: 1,
    after: { bytes: 60 },
    at: "request",
    pageSize: 2,
    provocation: expireOpenings,
  },
  {
    name: "silent close",
    watchList: false,
    match: { verb: "list" },
    skip: 1,
    after: { bytes: 60 },
    at: "request",
    provocation: closeSilently,
  },
  {
    name: "unusable DELETED",
    watchList: false,
    match: { verb: "list" },
    skip: 1,
    after: { bytes: 60 },
    at: "request",
    provocation: deleteSomething,
  },
];
