import type { FaultAction, StatusFault } from "@listwatch/fake-apiserver";
import { startMs, type Strike } from "./fault-run.ts";
import type { VerbKind } from "./fault-verbs.ts";

/** The expected cell by kind of verb; `others` applies to the kinds that are not named. */
export type Expected = Readonly<Partial<Record<VerbKind | "others", string>>>;

/** A row of the matrix. */
export interface FaultRow extends Strike {
  readonly name: string;
  readonly expected: Expected;
  /** Matches the message of every error. */
  readonly message?: RegExp | undefined;
}

// The server sends a body as one chunk. A fault inside of a body needs small chunks, so that it
// also strikes bodies of one line; a cut counts bytes.
const inPieces: FaultAction = { type: "split", shape: { bytes: 16 } };
const within = { bytes: 16 };

const status = (fault: StatusFault): Pick<Strike, "actions"> => ({
  actions: [{ type: "status", status: fault }],
});
const respond = (
  code: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Pick<Strike, "actions"> => ({ actions: [{ type: "respond", status: code, body, headers }] });

const refused = (code: number): Expected => ({
  others: `StatusError ${code}`,
  write: `StatusError ${code}, not written`,
  evict: `StatusError ${code}, not written`,
});

type Written = "not written" | "written";

/** A retryable failure that occurs on every attempt. */
const always = (error: string, written: Written = "not written"): Expected => ({
  read: `${error}, 5×, 15 s`,
  list: `${error}, 5×, 15 s`,
  others: `${error}, 6×, 31 s`,
  write: `${error}, ${written}`,
  evict: `${error}, ${written}`,
});

/** A retryable failure that occurs once, before the response begins. */
const once = (error: string, written: Written = "not written"): Expected => ({
  ...always(error, written),
  read: "ok, 2×, 1 s",
  list: "ok, 2×, 1 s",
  others: "ok, 2×, 1 s",
});

/** A retryable failure that occurs once within the response: a stream has yielded items by then. */
const onceWithin = (error: string): Expected => ({
  ...once(error, "written"),
  items: error,
  watch: error,
  log: error,
});

/** A refusal that occurs once and names a delay in seconds. */
const onceFor = (seconds: number): Expected => ({ others: `ok, 2×, ${seconds} s` });

const date = new Date(startMs + 7000).toUTCString();
const tooMany = JSON.stringify({ kind: "Status", code: 429, reason: "TooManyRequests" });

/** The rows of the matrix: faults of a server, a proxy or a caller. */
export const faults: readonly FaultRow[] = [
  {
    name: "connection refused",
    refuses: true,
    expected: always("NetworkError connection-refused"),
    message: /ECONNREFUSED/,
  },
  {
    name: "connection refused, once",
    refuses: true,
    times: 1,
    expected: once("NetworkError connection-refused"),
    message: /ECONNREFUSED/,
  },
  {
    name: "reset before the head",
    actions: [{ type: "reset" }],
    expected: always("NetworkError connection-reset"),
    message: /ECONNRESET/,
  },
  {
    name: "reset before the head, once",
    actions: [{ type: "reset" }],
    times: 1,
    expected: once("NetworkError connection-reset"),
    message: /ECONNRESET/,
  },
  {
    name: "reset after the server has acted, once",
    actions: [{ type: "commitThenFail" }],
    times: 1,
    expected: once("NetworkError connection-reset", "written"),
    message: /ECONNRESET/,
  },
  {
    name: "reset in the body, once",
    actions: [inPieces, { type: "resetBody", after: within }],
    times: 1,
    expected: onceWithin("NetworkError connection-reset"),
    message: /ECONNRESET|reset/,
  },
  {
    name: "cut inside a line, then reset, once",
    actions: [{ type: "truncate", at: { afterBytes: 20, then: "reset" } }],
    times: 1,
    expected: onceWithin("NetworkError connection-reset"),
    message: /ECONNRESET|reset/,
  },
  {
    name: "cut inside a line, once",
    actions: [{ type: "truncate", at: { afterBytes: 20 } }],
    times: 1,
    expected: {
      others: "DecodeError",
      write: "DecodeError, written",
      evict: "DecodeError, written",
      list: "ok, 2×, 1 s",
      items: "NetworkError unexpected-eof",
      // Nothing indicates that more was to come.
      watch: "ends early",
      log: "ends early",
    },
    message: /expected|Cannot read the list: it ended/,
  },
  {
    name: "401, once",
    ...status({ code: 401 }),
    times: 1,
    expected: { others: "ok, 2×, 0 s" },
  },
  {
    name: "401, twice",
    ...status({ code: 401 }),
    times: 2,
    expected: {
      others: "StatusError 401, 2×, 0 s",
      write: "StatusError 401, 2×, 0 s, not written",
      evict: "StatusError 401, 2×, 0 s, not written",
    },
    message: /^Unauthorized \(the credentials were renewed after a first 401\)$/,
  },
  {
    name: "403",
    ...status({ code: 403 }),
    expected: refused(403),
    message: /forbidden|a fault was injected/,
  },
  { name: "404", ...status({ code: 404 }), expected: refused(404), message: /not find|not found/ },
  { name: "409", ...status({ code: 409 }), expected: refused(409), message: /./ },
  {
    name: "410",
    ...status({ code: 410 }),
    // An expired page is requested again as one list.
    expected: { ...refused(410), list: "StatusError 410, 2×, 0 s" },
    message: /too old/,
  },
  {
    name: "422",
    ...status({ code: 422, message: "invalid" }),
    expected: refused(422),
    message: /^invalid$/,
  },
  {
    name: "429",
    ...status({ code: 429 }),
    expected: { ...always("StatusError 429"), evict: "StatusError 429, 6×, 25 s, not written" },
    message: /too many requests/,
  },
  {
    name: "429, Retry-After 4, once",
    ...status({ code: 429, retryAfterSeconds: 4 }),
    times: 1,
    expected: onceFor(4),
    message: /too many requests/,
  },
  {
    name: "429, Retry-After a date, once",
    ...respond(429, tooMany, { "retry-after": date }),
    times: 1,
    expected: onceFor(7),
    message: /TooManyRequests/,
  },
  {
    name: "429, Retry-After 4",
    ...status({ code: 429, retryAfterSeconds: 4 }),
    expected: {
      others: "StatusError 429, 6×, 20 s",
      write: "StatusError 429, 6×, 20 s, not written",
      evict: "StatusError 429, 8×, 28 s, not written",
    },
    message: /too many requests/,
  },
  {
    name: "429, Retry-After 60",
    ...status({ code: 429, retryAfterSeconds: 60 }),
    expected: {
      ...refused(429),
      read: "StatusError 429",
      list: "StatusError 429",
      others: "StatusError 429, 6×, 300 s",
    },
    message: /too many requests/,
  },
  {
    name: "500",
    ...status({ code: 500 }),
    expected: always("StatusError 500"),
    message: /Internal/,
  },
  {
    name: "500, once",
    ...status({ code: 500 }),
    times: 1,
    expected: once("StatusError 500"),
    message: /Internal/,
  },
  {
    name: "502 with HTML, once",
    ...respond(502, "<html>Bad gateway</html>"),
    times: 1,
    expected: once("StatusError 502"),
    message: /the server answered 502 with "<html>Bad gateway/,
  },
  { name: "503", ...status({ code: 503 }), expected: always("StatusError 503"), message: /unable/ },
  {
    name: "503, Retry-After 4, once",
    ...status({ code: 503, retryAfterSeconds: 4 }),
    times: 1,
    expected: onceFor(4),
    message: /unable/,
  },
  {
    name: "504, once",
    ...status({ code: 504 }),
    times: 1,
    expected: once("StatusError 504"),
    message: /time/,
  },
  {
    name: "redirect",
    ...respond(302, "<html>Please log in</html>", { location: "https://login.example.com/" }),
    expected: refused(302),
    message:
      /the server answered 302 with a redirect to https:\/\/login\.example\.com\/, which is not followed/,
  },
  {
    name: "200 with HTML",
    ...respond(200, "<html>Please log in</html>\n"),
    expected: {
      others: "DecodeError",
      write: "DecodeError, not written",
      evict: "DecodeError, not written",
      // A log may contain any bytes.
      log: "ends early",
    },
    message: /Cannot decode the answer.*<html>/,
  },
  {
    name: "200 with half an object",
    ...respond(200, '{"kind":"List","items":[{"metadata":{'),
    expected: {
      others: "DecodeError",
      write: "DecodeError, not written",
      evict: "DecodeError, not written",
      list: "NetworkError unexpected-eof, 5×, 15 s",
      items: "NetworkError unexpected-eof",
      watch: "ends early",
      log: "ends early",
    },
    message: /expected|Cannot read the list: it ended/,
  },
  {
    name: "200 without a body",
    ...respond(200, ""),
    expected: {
      others: "DecodeError",
      write: "DecodeError, not written",
      evict: "DecodeError, not written",
      list: "StatusError 200",
      items: "StatusError 200",
      watch: "StatusError 200",
      log: "ends early",
    },
    message: /without a body|expected/,
  },
  {
    name: "head after 10 s",
    headMs: 10_000,
    times: 1,
    expected: { others: "ok, 1×, 10 s" },
  },
  {
    name: "no head",
    actions: [{ type: "blackhole" }],
    expected: {
      read: "NetworkError timeout, 1×, 30 s",
      write: "NetworkError timeout, 1×, 30 s, not written",
      evict: "NetworkError timeout, 1×, 30 s, not written",
      list: "NetworkError timeout, 1×, 30 s",
      items: "NetworkError timeout, 6×, 751 s",
      watch: "NetworkError timeout, 1×, 300 s",
      log: "open",
    },
    message: /no (complete answer|object) within 30 s|32 KiB within 2 min|no byte within 5 min/,
  },
  {
    name: "no head, though the server has acted",
    headMs: 7_200_000,
    expected: {
      read: "NetworkError timeout, 1×, 30 s",
      write: "NetworkError timeout, 1×, 30 s, written",
      evict: "NetworkError timeout, 1×, 30 s, written",
      list: "NetworkError timeout, 1×, 30 s",
      items: "NetworkError timeout, 6×, 751 s",
      watch: "NetworkError timeout, 1×, 300 s",
      log: "open",
    },
    message: /no (complete answer|object) within 30 s|32 KiB within 2 min|no byte within 5 min/,
  },
  {
    name: "silence after the head",
    actions: [{ type: "stall" }],
    expected: {
      read: "NetworkError timeout, 1×, 30 s",
      write: "NetworkError timeout, 1×, 30 s, written",
      evict: "NetworkError timeout, 1×, 30 s, written",
      list: "NetworkError timeout, 1×, 30 s",
      items: "NetworkError timeout, 1×, 120 s",
      watch: "NetworkError timeout, 1×, 300 s",
      log: "open",
    },
    message: /no (complete answer|object) within 30 s|32 KiB within 2 min|no byte within 5 min/,
  },
  {
    name: "silence in the body",
    actions: [inPieces, { type: "stall", after: within }],
    expected: {
      read: "NetworkError timeout, 1×, 30 s",
      write: "NetworkError timeout, 1×, 30 s, written",
      evict: "NetworkError timeout, 1×, 30 s, written",
      list: "NetworkError timeout, 1×, 30 s",
      items: "NetworkError timeout, 1×, 120 s",
      watch: "NetworkError timeout, 1×, 300 s",
      log: "open",
    },
    message: /no (complete answer|object) within 30 s|32 KiB within 2 min|no byte within 5 min/,
  },
  {
    name: "a byte a second",
    actions: [{ type: "slow", bytesPerSecond: 1 }],
    expected: {
      read: "NetworkError timeout, 1×, 30 s",
      write: "NetworkError timeout, 1×, 30 s, written",
      evict: "NetworkError timeout, 1×, 30 s, written",
      list: "NetworkError timeout, 1×, 30 s",
      items: "NetworkError timeout, 1×, 120 s",
      watch: "ok, 1×, 266 s",
      log: "ok, 1×, 60 s",
    },
    message: /no (complete answer|object) within 30 s|32 KiB within 2 min/,
  },
  {
    name: "aborted before the call",
    abortMs: 0,
    expected: {
      others: "the reason, 0×, 0 s",
      write: "the reason, 0×, 0 s, not written",
      evict: "the reason, 0×, 0 s, not written",
    },
  },
  {
    name: "aborted before the head",
    actions: [{ type: "blackhole" }],
    abortMs: 3000,
    expected: {
      others: "the reason, 1×, 3 s",
      write: "the reason, 1×, 3 s, not written",
      evict: "the reason, 1×, 3 s, not written",
    },
  },
  {
    name: "aborted in the body",
    actions: [inPieces, { type: "stall", after: within }],
    abortMs: 3000,
    expected: {
      others: "the reason, 1×, 3 s",
      write: "the reason, 1×, 3 s, written",
      evict: "the reason, 1×, 3 s, written",
    },
  },
  {
    name: "aborted in the pause after a 429",
    ...status({ code: 429, retryAfterSeconds: 10 }),
    abortMs: 3000,
    expected: {
      others: "the reason, 1×, 3 s",
      write: "the reason, 1×, 3 s, not written",
      evict: "the reason, 1×, 3 s, not written",
    },
  },
];
