import {
  createClient,
  isNetworkError,
  type ClientOptions,
  type ResourceClient,
} from "@listwatch/client";
import type { Clock } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { answering } from "../support/answering.ts";

const resource = { group: "", version: "v1", resource: "pods" };
const object = { metadata: { namespace: "a", name: "b", resourceVersion: "1" } };

type Verb = readonly [string, (pods: ResourceClient, options?: object) => Promise<unknown>];

const reads: readonly Verb[] = [["get", (pods, options) => pods.get("a/b", options)]];
const writes: readonly Verb[] = [
  ["create", (pods, options) => pods.create(object, options)],
  ["update", (pods, options) => pods.update(object, options)],
  ["updateStatus", (pods, options) => pods.updateStatus(object, options)],
  ["patch", (pods, options) => pods.patch("a/b", {}, options)],
  ["patchStatus", (pods, options) => pods.patchStatus("a/b", {}, options)],
  ["delete", (pods, options) => pods.delete("a/b", options)],
];
const verbs = [...reads, ...writes];

/** Returns the result of a call, its time, and the times of its requests, in seconds. */
async function follow(
  answer: (count: number, request: Request, clock: Clock) => Response | Promise<Response>,
  call: Verb[1],
  options: ClientOptions & { readonly seconds?: number } = {},
): Promise<{ requestsAt: number[]; endedAt?: number; value?: unknown; error?: unknown }> {
  const clock = new SimulatedClock({ startMs: 0 });
  const requestsAt: number[] = [];
  const { connection } = answering((request) => {
    requestsAt.push(clock.now() / 1000);
    return answer(requestsAt.length, request, clock);
  });
  const { seconds = 120, ...clientOptions } = options;
  const client = createClient(connection, { clock, random: () => 0, ...clientOptions });
  let outcome = {};
  const ended = call(client.resource(resource)).then(
    (value) => (outcome = { endedAt: clock.now() / 1000, value }),
    (error: unknown) => (outcome = { endedAt: clock.now() / 1000, error }),
  );
  await clock.advance(seconds * 1000);
  await Promise.race([ended, Promise.resolve()]);
  return { requestsAt, ...outcome };
}

const refusal = (code: number, retryAfter?: string): Response =>
  new Response("", {
    status: code,
    headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
  });
const never = (): Promise<Response> => new Promise(() => undefined);
const fine = (): Response => Response.json(object);

describe.each(verbs)("a %s", (_, call) => {
  test("ends after 30 s without an answer", async () => {
    const { requestsAt, endedAt, error } = await follow(never, call);
    expect(requestsAt).toEqual([0]);
    expect(endedAt).toBe(30);
    expect(error).toMatchObject({ code: "LW_NETWORK", kind: "timeout" });
    expect(String(error)).toMatch(/Cannot \w+ http:\S+: no complete answer within 30 s/);
  });

  test("ends after 30 s if the body of the answer stalls", async () => {
    const stalling = (): Response =>
      new Response(new ReadableStream({ pull: async () => void (await never()) }));
    const { endedAt, error } = await follow(stalling, call);
    expect(endedAt).toBe(30);
    expect(isNetworkError(error, "timeout")).toBe(true);
  });

  test.each([200, 500])("cancels the stalled body of a %i itself", async (status) => {
    let cancelled = 0;
    // Like a `fetch` whose signal was garbage-collected.
    const stalling = (): Response =>
      new Response(new ReadableStream({ cancel: () => void cancelled++ }), { status });
    const { error } = await follow(stalling, call);
    expect(isNetworkError(error, "timeout")).toBe(true);
    expect(cancelled).toBe(1);
  });

  test("has the time limit of the client, or a separate one", async () => {
    const { endedAt } = await follow(never, call, { timeoutMs: 5000 });
    expect(endedAt).toBe(5);
    const own = await follow(never, (pods) => call(pods, { timeoutMs: 7000 }));
    expect(own.endedAt).toBe(7);
  });

  test.each([429, 503])("is sent again after the seconds that a %i names", async (code) => {
    const { requestsAt, endedAt, error } = await follow(
      (count) => (count < 3 ? refusal(code, "4") : fine()),
      call,
    );
    expect(requestsAt).toEqual([0, 4, 8]);
    expect(endedAt).toBe(8);
    expect(error).toBeUndefined();
  });

  test("is sent again at the date that a refusal names", async () => {
    const date = "Thu, 01 Jan 1970 00:00:07 GMT";
    const { requestsAt } = await follow((count) => (count < 2 ? refusal(503, date) : fine()), call);
    expect(requestsAt).toEqual([0, 7]);
  });

  test("is not sent again when the time that a refusal names is beyond the limit", async () => {
    const { requestsAt, endedAt, error } = await follow(() => refusal(429, "31"), call);
    expect(requestsAt).toEqual([0]);
    expect(endedAt).toBe(0);
    expect(error).toMatchObject({ httpCode: 429, retryAfterMs: 31_000 });
  });

  test.each(["0", "0.001", "Thu, 01 Jan 1970 00:00:00 GMT"])(
    "that is refused with Retry-After %s is sent once a second",
    async (retryAfter) => {
      const { requestsAt } = await follow(() => refusal(429, retryAfter), call);
      expect(requestsAt).toEqual([0, 1, 2, 3, 4, 5]);
    },
  );

  test.each([400, 403, 404, 409, 422])("is not sent again after a %i", async (code) => {
    const { requestsAt, error } = await follow(() => refusal(code, "1"), call);
    expect(requestsAt).toEqual([0]);
    expect(error).toMatchObject({ httpCode: code });
  });

  test("that is aborted while it waits rejects at once, with the reason", async () => {
    const controller = new AbortController();
    const reason = new Error("stopped");
    const { endedAt, error } = await follow(
      (_count, _request, clock) => {
        clock.setTimeout(() => controller.abort(reason), 3000);
        return refusal(429, "10");
      },
      (pods) => call(pods, { signal: controller.signal }),
    );
    expect(error).toBe(reason);
    expect(endedAt).toBe(3);
  });

  test("leaves no timer behind", async () => {
    const clock = new SimulatedClock({ startMs: 0 });
    const { connection } = answering(fine);
    await call(createClient(connection, { clock }).resource(resource));
    expect(clock.pendingTimers).toBe(0);
  });
});

describe.each(reads)("a %s", (_, call) => {
  test("is repeated after a connection error, at growing intervals", async () => {
    const { requestsAt, value } = await follow(
      (count) => (count < 5 ? Promise.reject(new TypeError("ECONNRESET")) : fine()),
      call,
    );
    expect(requestsAt).toEqual([0, 1, 3, 7, 15]);
    expect(value).toEqual(object);
  });

  test("is repeated after an interrupted response", async () => {
    const broken = (): Response =>
      new Response(new ReadableStream({ pull: (body) => body.error(new TypeError("reset")) }));
    const { requestsAt } = await follow((count) => (count < 2 ? broken() : fine()), call);
    expect(requestsAt).toEqual([0, 1]);
  });

  test.each([429, 500, 502, 503, 504])("is repeated after a plain %i", async (code) => {
    const { requestsAt } = await follow((count) => (count < 3 ? refusal(code) : fine()), call);
    expect(requestsAt).toEqual([0, 1, 3]);
  });

  test("fails with the last failure when the time limit leaves no further attempt", async () => {
    const { requestsAt, endedAt, error } = await follow(
      () => Promise.reject(new TypeError("ECONNREFUSED")),
      call,
    );
    expect(requestsAt).toEqual([0, 1, 3, 7, 15]);
    expect(endedAt).toBe(15);
    expect(isNetworkError(error, "connection-refused")).toBe(true);
  });

  test("that times out has the previous failure as its cause", async () => {
    const { error } = await follow((count) => (count < 2 ? refusal(503, "3") : never()), call);
    expect(error).toMatchObject({ kind: "timeout", cause: { httpCode: 503 } });
  });

  test("is repeated at most as often as the client or the call allows", async () => {
    const { requestsAt } = await follow(() => refusal(500), call, { retries: 2 });
    expect(requestsAt).toEqual([0, 1, 3]);
    const own = await follow(
      () => refusal(500),
      (pods) => call(pods, { retries: 0 }),
    );
    expect(own.requestsAt).toEqual([0]);
  });
});

describe.each(writes)("a %s", (_, call) => {
  test("is not sent again after a connection error, since it may have arrived", async () => {
    const { requestsAt, error } = await follow(
      () => Promise.reject(new TypeError("ECONNRESET")),
      call,
    );
    expect(requestsAt).toEqual([0]);
    expect(isNetworkError(error, "connection-reset")).toBe(true);
  });

  test.each([429, 500, 502, 503, 504])(
    "is not sent again after a %i without Retry-After",
    async (code) => {
      const { requestsAt } = await follow(() => refusal(code), call);
      expect(requestsAt).toEqual([0]);
    },
  );

  test("is sent again with the same body", async () => {
    const read: Promise<string>[] = [];
    await follow((count, request) => {
      // A browser reads a body in real time, which the simulated clock does not wait for.
      read.push(request.text());
      return count < 2 ? refusal(429, "1") : fine();
    }, call);
    const bodies = await Promise.all(read);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).not.toBe("");
    expect(bodies[1]).toBe(bodies[0]);
  });
});

describe("a response", () => {
  test.each([
    ["null", "null"],
    ["a list", "[]"],
    ["a text", '"pod"'],
    ["metadata that are a number", '{"metadata":1}'],
    ["a name that is an object", '{"metadata":{"name":{}}}'],
    ["a resourceVersion that is a number", '{"metadata":{"resourceVersion":7}}'],
  ])("of %s is not an API object", async (_, text) => {
    const { error } = await follow(
      () => new Response(text),
      (pods) => pods.get("a/b"),
    );
    expect(error).toMatchObject({ code: "LW_DECODE" });
  });
});

test.each([
  ["timeoutMs", 0],
  ["timeoutMs", Number.NaN],
  ["retries", -1],
  ["retries", 1.5],
])("the option %s is rejected as %s", (option, value) => {
  const { connection } = answering(fine);
  expect(() => createClient(connection, { [option]: value })).toThrow(
    expect.objectContaining({ code: "LW_INVALID_OPTIONS", option }),
  );
});
