import {
  Collection,
  createClient,
  isStatusError,
  StatusError,
  type Connection,
  type ResourceClient,
} from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test, vi } from "vitest";
import { answering, failureOf } from "../support/answering.ts";

const resource = { group: "", version: "v1", resource: "pods" };
const signal = new AbortController().signal;
const clock = new SimulatedClock({ startMs: 60_000 });

/** Every way to send a request. They share one error reader. */
const calls: readonly (readonly [
  verb: string,
  call: (connection: Connection) => Promise<unknown>,
  request: string,
])[] = [
  [
    "list",
    (connection) => new Collection({ connection, resource, clock }).list({}, { signal }),
    "GET /api/v1/pods",
  ],
  [
    "watch",
    (connection) => new Collection({ connection, resource, clock }).watch({}, { signal }),
    "GET /api/v1/pods",
  ],
  ["get", (connection) => podsOf(connection).get("a/b"), "GET /api/v1/namespaces/a/pods/b"],
  [
    "create",
    (connection) => podsOf(connection).create({ metadata: { namespace: "a", name: "b" } }),
    "POST /api/v1/namespaces/a/pods",
  ],
  [
    "delete",
    (connection) => podsOf(connection).delete("a/b"),
    "DELETE /api/v1/namespaces/a/pods/b",
  ],
];

function podsOf(connection: Connection): ResourceClient {
  return createClient(connection, { clock, retries: 0 }).resource(resource);
}

describe.each(calls)("a server that refuses a %s", (_, call, request) => {
  test("puts its Status into the error", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      code: 403,
      reason: "Forbidden",
      message: "no",
    };
    const { connection } = answering(() => Response.json(status, { status: 403 }));
    const error = await failureOf(call(connection));
    expect(error).toMatchObject({ code: "LW_STATUS", status, message: "no" });
    expect(isStatusError(error)).toBe(true);
    expect(isStatusError(error, "Forbidden")).toBe(true);
    expect(isStatusError(error, "NotFound")).toBe(false);
  });

  test("names the request, without its query (CLI-3)", async () => {
    const [method, path] = request.split(" ");
    for (const answer of [
      new Response("", { status: 500 }),
      Response.json({ kind: "Status", code: 404 }, { status: 404 }),
    ]) {
      const { connection } = answering(() => answer);
      const error = await failureOf(call(connection));
      expect(error).toBeInstanceOf(StatusError);
      expect(error).toMatchObject({ method, path });
    }
  });

  test.each([
    ["html", "<html>Bad gateway", 502, ""],
    ["plain text", "too many", 429, "TooManyRequests"],
    ["nothing", "", 503, "ServiceUnavailable"],
    ["JSON that is no Status", '{"error":"x"}', 410, "Gone"],
  ])("with the body %s gets a Status made from its code", async (__, body, code, reason) => {
    const { connection } = answering(() => new Response(body, { status: code }));
    const error = await failureOf(call(connection));
    expect(error).toMatchObject({ httpCode: code, reason });
    expect(String(error)).toContain(body === "" ? "no body" : JSON.stringify(body));
  });

  test.each([
    ["7", 7000],
    ["Thu, 01 Jan 1970 00:01:05 GMT", 5000],
    ["Thu, 01 Jan 1970 00:00:05 GMT", 0],
    ["Thursday, 01-Jan-70 00:01:05 GMT", 5000],
    ["Thu Jan  1 00:01:05 1970", 5000],
    ["0", 0],
    ["1.5", 1500],
    ["soon", undefined],
    ["", undefined],
    ["-5", undefined],
    ["5, 7", undefined],
    ["Infinity", undefined],
    ["NaN", undefined],
    ["Thu, 99 Foo 1970", undefined],
    ["9".repeat(20), 3_600_000],
    ["Fri, 01 Jan 2999 00:00:00 GMT", 3_600_000],
  ])("with Retry-After %s results in %s ms", async (header, retryAfterMs) => {
    const { connection } = answering(
      () => new Response("", { status: 429, headers: { "retry-after": header } }),
    );
    expect(await failureOf(call(connection))).toMatchObject({ retryAfterMs });
  });

  test("with a Retry-After without a zone means GMT, in every time zone", async () => {
    const parse = Date.parse.bind(Date);
    const { connection } = answering(
      () =>
        new Response("", { status: 429, headers: { "retry-after": "Thu Jan  1 00:01:05 1970" } }),
    );
    // Simulates a time zone east of Greenwich.
    const parsed = vi
      .spyOn(Date, "parse")
      .mockImplementation((text) => parse(text.endsWith("GMT") ? text : `${text} +0100`));
    try {
      expect(await failureOf(call(connection))).toMatchObject({ retryAfterMs: 5000 });
    } finally {
      parsed.mockRestore();
    }
  });

  test("in its Status with retryAfterSeconds delays the retry too", async () => {
    const status = { kind: "Status", code: 429, details: { retryAfterSeconds: 3 } };
    const { connection } = answering(() => Response.json(status, { status: 429 }));
    expect(await failureOf(call(connection))).toMatchObject({ retryAfterMs: 3000 });
  });

  test.each([
    ["0", 0],
    ["1e9", 3_600_000],
    ["1e999", undefined],
    ["-1", undefined],
    ['"3"', undefined],
    ["null", undefined],
    ["{}", undefined],
  ])("in its Status with retryAfterSeconds %s results in %s ms", async (text, expected) => {
    const status = `{"kind":"Status","code":429,"details":{"retryAfterSeconds":${text}}}`;
    const { connection } = answering(() => new Response(status, { status: 429 }));
    expect(await failureOf(call(connection))).toMatchObject({ retryAfterMs: expected });
  });

  test("puts its Status into the error even if members have wrong types", async () => {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      code: "403",
      reason: ["Forbidden"],
      message: { text: "no" },
      details: { kind: 1, name: "pods", causes: { reason: "x" }, retryAfterSeconds: "1" },
    };
    const { connection } = answering(() => Response.json(status, { status: 403 }));
    const error = await failureOf(call(connection));
    expect(error).toMatchObject({
      status: { kind: "Status", apiVersion: "v1", code: 403, details: { name: "pods" } },
    });
    expect(isStatusError(error, "Forbidden")).toBe(true);
    expect(String(error)).toContain("403");
  });

  test("results in a NetworkError when it cannot be reached", async () => {
    const { connection } = answering(() => Promise.reject(new TypeError("connection refused")));
    expect(await failureOf(call(connection))).toMatchObject({
      code: "LW_NETWORK",
      kind: "connection-refused",
    });
  });
});
