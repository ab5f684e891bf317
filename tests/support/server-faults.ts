// The faults of requests in stories. The names are those of `simulate` where it has the fault.
import type { FaultAction } from "@listwatch/fake-apiserver";
import type { Rates } from "../../packages/testing/src/plan/fault-plan.ts";

export type { Rates } from "../../packages/testing/src/plan/fault-plan.ts";

/** Actions of the fake API server, by the name of the fault. */
export const serverFaults = {
  reset: { type: "reset" },
  "lost-answer": { type: "commitThenFail" },
  silence: { type: "blackhole" },
  slow: { type: "latency", ms: [1, 4000] },
  "very slow": { type: "latency", ms: [0, 60_000] },
  "401": { type: "status", status: { code: 401 } },
  "403": { type: "status", status: { code: 403 } },
  "404": { type: "status", status: { code: 404 } },
  "410": { type: "status", status: { code: 410 } },
  "429": { type: "status", status: { code: 429, retryAfterSeconds: 2 } },
  "500": { type: "status", status: { code: 500 } },
  "503": { type: "status", status: { code: 503 } },
  "503 for 20 s": { type: "status", status: { code: 503, retryAfterSeconds: 20 } },
  "504": { type: "status", status: { code: 504 } },
  "a page of a proxy": { type: "respond", status: 502, body: "<html>Bad gateway</html>" },
  compaction: { type: "compact" },
  // The body of a list, or of a watch after some events.
  "end after an event": { type: "end", after: { events: 1 } },
  "reset after two events": { type: "resetBody", after: { events: 2 } },
  "reset after 300 bytes": { type: "resetBody", after: { bytes: 300 } },
  "end in a line": { type: "truncate", at: { inside: "line" }, after: { events: 1 } },
  "silence after an event": { type: "stall", after: { events: 1 } },
  "slow bytes": { type: "slow", bytesPerSecond: 2000 },
  "late events": { type: "delayEvents", ms: 700 },
  "410 after an event": { type: "errorEvent", status: { code: 410 }, after: { events: 1 } },
  "500 after an event": { type: "errorEvent", status: { code: 500 }, after: { events: 1 } },
} as const satisfies Readonly<Record<string, FaultAction>>;

/** Name of a fault. */
export type ServerFault = keyof typeof serverFaults;

/** The faults of requests that read. */
export const readFaults: readonly ServerFault[] = Object.keys(serverFaults).filter(
  // Keys of the table.
  (fault): fault is ServerFault => fault !== "lost-answer",
);

/** Rates that give each of the faults the same share of the requests. */
export function evenRates(share: number, faults: readonly ServerFault[]): Rates<ServerFault> {
  return Object.fromEntries(faults.map((fault) => [fault, share / faults.length]));
}
