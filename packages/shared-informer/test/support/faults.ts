import type { FaultAction } from "@listwatch/fake-apiserver";

/** Every legal fault of a list or a watch. */
export const faults: readonly FaultAction[] = [
  { type: "status", status: { code: 500 } },
  { type: "status", status: { code: 503 } },
  { type: "status", status: { code: 429, retryAfterSeconds: 2 } },
  { type: "status", status: { code: 403 } },
  { type: "status", status: { code: 410 } },
  { type: "respond", status: 502, body: "<html>Bad gateway</html>" },
  { type: "reset" },
  { type: "blackhole" },
  { type: "latency", ms: [1, 3000] },
  { type: "compact" },
  { type: "end", after: { events: 1 } },
  { type: "resetBody", after: { events: 2 } },
  { type: "resetBody", after: { bytes: 300 } },
  { type: "truncate", at: { inside: "line" }, after: { events: 1 } },
  { type: "stall", after: { events: 1 } },
  { type: "slow", bytesPerSecond: 2000 },
  { type: "delayEvents", ms: 700 },
  { type: "errorEvent", status: { code: 410 }, after: { events: 1 } },
  { type: "errorEvent", status: { code: 500 }, after: { events: 1 } },
];
