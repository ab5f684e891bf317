import type { CoreSnapshot, FaultAction, StatusFault } from "@listwatch/fake-apiserver";
import type { Cluster } from "./cluster.ts";
import type { Position } from "./fault-positions.ts";

/** A row of the matrix. */
export interface Fault {
  readonly name: string;
  /** Returns a rule for the requests of the position. */
  readonly action?: (position: Position) => FaultAction;
  /** Manipulates the server when the position's request arrives, or while its stream is open. */
  readonly act?: (cluster: Cluster, atBeginning: CoreSnapshot) => void | Promise<void>;
  /** Positions that it applies to; all if absent. */
  readonly only?: (position: Position) => boolean;
  /** Whether the server goes back in time, so that objects may too. */
  readonly backInTime?: true;
}

type AnswerFault = Extract<FaultAction, { type: "status" | "respond" | "reset" | "blackhole" }>;

const atRequests = (position: Position): boolean => position.at === "request";
const atWatches = ({ match }: Position): boolean => match.verb === "watch";

const answer = (name: string, action: AnswerFault): Fault => ({
  name,
  action: () => action,
  only: atRequests,
});

const body = (name: string, action: (after: Position["after"]) => FaultAction): Fault => ({
  name,
  action: ({ after }) => action(after),
});

const status = (name: string, fault: StatusFault): Fault =>
  answer(name, { type: "status", status: fault });

const errorEvent = (name: string, fault: StatusFault): Fault => ({
  name,
  action: ({ after }) => ({ type: "errorEvent", status: fault, after }),
  only: atWatches,
});

const tooLarge: StatusFault = {
  code: 504,
  message: "Too large resource version: 99, current: 9",
  details: {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
  },
};

const configMaps = "http://fake/api/v1/namespaces/default/configmaps";

/** Deletes an object and recreates it with the same name while no watch is open. */
async function recreate({ api }: Cluster): Promise<void> {
  api.control.watches.end();
  await api.fetch(new Request(`${configMaps}/object-0`, { method: "DELETE" }));
  const again = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "object-0" } };
  const headers = { "content-type": "application/json" };
  await api.fetch(
    new Request(configMaps, { method: "POST", headers, body: JSON.stringify(again) }),
  );
}

/** The rows of the matrix: faults of a server, its storage or a proxy, and some impossible ones. */
export const faults: readonly Fault[] = [
  body("clean end", (after) => ({ type: "end", after })),
  body("reset", (after) => ({ type: "resetBody", after })),
  answer("reset before the answer", { type: "reset" }),
  body("cut inside a line", (after) => ({ type: "truncate", at: { inside: "line" }, after })),
  body("cut inside a line, then reset", (after) => ({
    type: "truncate",
    at: { inside: "line", then: "reset" },
    after,
  })),
  body("cut inside a character", (after) => ({
    type: "truncate",
    at: { inside: "character" },
    after,
  })),
  body("every byte a chunk", () => ({ type: "split", shape: { bytes: 1 } })),
  body("lines with CRLF, padded to 128 KiB", () => ({
    type: "split",
    shape: { crlf: true, padTo: 1 << 17, bytes: 1 << 16 },
  })),
  body("stall (half-open)", (after) => ({ type: "stall", after })),
  answer("blackhole", { type: "blackhole" }),
  body("slow, 2,000 bytes a second", (after) => ({ type: "slow", bytesPerSecond: 2000, after })),
  { name: "latency of 20 s", action: () => ({ type: "latency", ms: 20_000 }), only: atRequests },
  {
    name: "each event late by 2 s",
    action: () => ({ type: "delayEvents", ms: 2000 }),
    only: atWatches,
  },
  status("401", { code: 401 }),
  status("403", { code: 403 }),
  status("404", { code: 404 }),
  status("409", { code: 409 }),
  status("410 Expired", { code: 410 }),
  status("410 Gone", { code: 410, reason: "Gone" }),
  status("422", { code: 422, reason: "Invalid" }),
  status("429", { code: 429 }),
  status("429, Retry-After 5", { code: 429, retryAfterSeconds: 5 }),
  status("500", { code: 500 }),
  status("503", { code: 503 }),
  status("503, Retry-After 5", { code: 503, retryAfterSeconds: 5 }),
  status("504", { code: 504 }),
  status("504, resourceVersion too large", tooLarge),
  answer("502 with HTML", { type: "respond", status: 502, body: "<html>Bad gateway</html>" }),
  answer("503 with no body", { type: "respond", status: 503 }),
  answer("200 with HTML", { type: "respond", status: 200, body: "<html>Please log in</html>" }),
  answer("200 with no body", { type: "respond", status: 200 }),
  errorEvent("ERROR event 410 Expired", { code: 410 }),
  errorEvent("ERROR event 410 Gone", { code: 410, reason: "Gone" }),
  errorEvent("ERROR event 429", { code: 429 }),
  errorEvent("ERROR event 500", { code: 500 }),
  errorEvent("ERROR event 504, resourceVersion too large", tooLarge),
  errorEvent("ERROR event of an unknown code", { code: 599, reason: "Strange" }),
  { name: "history compacted", act: ({ api: { control } }) => control.compact() },
  {
    name: "history compacted while disconnected",
    act: ({ api: { control }, clock }) => {
      control.unready("*", 5000);
      control.watches.end();
      clock.setTimeout(() => control.compact(), 4500);
    },
  },
  {
    name: "restart, 10 s unready",
    act: ({ api: { control } }) => control.restart({ unreadyMs: 10_000 }),
  },
  {
    name: "429 while initializing, 10 s",
    act: ({ api: { control } }) => control.unready("*", 10_000),
  },
  {
    name: "shutdown for a while",
    act: ({ api: { control } }) => control.shutdown(),
  },
  { name: "deleted and created again in a gap", act: recreate },
  {
    name: "another replica that lags behind",
    act: ({ api: { control } }) => {
      control.frontEnds.at(1).lag(3);
      control.frontEnds.route(1);
      control.watches.end();
    },
  },
  {
    name: "another replica with another history",
    act: ({ api: { control } }) => {
      control.frontEnds.at(1).watchFloor("configmaps", control.revision + 1);
      control.frontEnds.route(1);
      control.watches.end();
    },
  },
  {
    name: "storage restored to an earlier state",
    backInTime: true,
    act: ({ api: { control } }, atBeginning) => control.restore(atBeginning, "rollback"),
    // A watch from a future resourceVersion is silent until that is reached. The writes of these
    // tests reach it before the silence is noticed; lists notice it immediately.
    only: ({ at, match, name }) =>
      at === "request" && (match.verb === "list" || match.query !== undefined) && name !== "page 2",
  },
  {
    name: "no bookmarks",
    act: ({ api: { control } }) => control.bookmarks.set({ suppress: true }),
  },
  {
    name: "the initial list never ends",
    act: ({ api: { control } }) => control.bookmarks.set({ initialEnd: "never" }),
    only: ({ name }) => name === "watch-list before its bookmark",
  },
  {
    name: "streamed lists refused",
    act: ({ api: { control } }) => {
      control.watchList = "refused";
    },
    only: ({ name }) => name === "watch-list before its bookmark",
  },
  {
    name: "streamed lists ignored",
    act: ({ api: { control } }) => {
      control.watchList = "ignored";
    },
    only: ({ name }) => name === "watch-list before its bookmark",
  },
];
