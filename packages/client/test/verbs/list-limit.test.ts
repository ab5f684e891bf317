import { createClient, isNetworkError, type ClientOptions } from "@listwatch/client";
import type { ReadListOptions } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { answering } from "../support/answering.ts";
import { bytesOf } from "../support/bytes.ts";

const resource = { group: "", version: "v1", resource: "pods" };
const head = '{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"5"},"items":[';
const pod = (index: number): string =>
  `${index > 0 ? "," : ""}{"metadata":{"name":"p${index}","resourceVersion":"1"}}`;

/** A list of so many pods; each piece comes after a pause. */
interface Pace {
  readonly pods: number;
  readonly pauseMs: number;
  /** Returns the text of a piece. @default a pod */
  readonly piece?: (index: number) => string;
}

/** Starts a list and returns its outcome after an hour of simulated time. */
async function follow(
  answer: (clock: SimulatedClock, count: number) => Response | Promise<Response>,
  options: ReadListOptions = {},
  clientOptions: ClientOptions = {},
) {
  const clock = new SimulatedClock({ startMs: 0 });
  const requestsAt: number[] = [];
  const { connection } = answering(() => {
    requestsAt.push(clock.now() / 1000);
    return answer(clock, requestsAt.length);
  });
  const client = createClient(connection, { clock, random: () => 0, ...clientOptions });
  const outcome: { endedAt?: number; count?: number; error?: unknown } = {};
  void client
    .resource(resource)
    .list(options)
    .then(
      ({ items }) => (outcome.count = items.length),
      (error: unknown) => (outcome.error = error),
    )
    .then(() => (outcome.endedAt = clock.now() / 1000));
  await clock.advance(3_600_000);
  expect(clock.pendingTimers).toBe(0);
  return { ...outcome, requestsAt };
}

function paced(clock: SimulatedClock, { pods, pauseMs, piece = pod }: Pace): Response {
  let sent = -1;
  return new Response(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent < 0) controller.enqueue(bytesOf(head));
        else if (sent < pods) {
          const { promise, resolve } = Promise.withResolvers<void>();
          clock.setTimeout(resolve, pauseMs);
          await promise;
          controller.enqueue(bytesOf(piece(sent)));
        } else {
          controller.enqueue(bytesOf("]}"));
          controller.close();
        }
        sent += 1;
      },
    }),
  );
}

const never = (): Promise<Response> => new Promise(() => undefined);

describe("a list of a client", () => {
  test("ends within timeoutMs when the server never answers", async () => {
    const { endedAt, error, requestsAt } = await follow(never, {}, { timeoutMs: 1000 });
    expect([endedAt, requestsAt]).toEqual([1, [0]]);
    expect(isNetworkError(error, "timeout")).toBe(true);
    expect(String(error)).toContain("Cannot list pods: no object within 1 s");
  });

  test("ends after 30 s without an object by default, also when an option says less", async () => {
    expect((await follow(never)).endedAt).toBe(30);
    expect((await follow(never, { timeoutMs: 2000 })).endedAt).toBe(2);
  });

  test("goes on for as long as objects arrive", async () => {
    const { count, endedAt } = await follow((clock) => paced(clock, { pods: 50, pauseMs: 20_000 }));
    expect([count, endedAt]).toEqual([50, 1000]);
  });

  test("takes no byte for progress, only an object", async () => {
    const spaces = { pods: 1000, pauseMs: 1000, piece: () => " ".repeat(40_000) };
    const { endedAt, error } = await follow((clock) => paced(clock, spaces));
    expect(endedAt).toBe(30);
    expect(isNetworkError(error, "timeout")).toBe(true);
  });

  test("takes no empty page for progress", async () => {
    const { endedAt } = await follow(async (clock, count) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      clock.setTimeout(resolve, 1000);
      await promise;
      return Response.json({ kind: "PodList", metadata: { continue: `t${count}` }, items: [] });
    });
    expect(endedAt).toBe(30);
  });

  test("ends at its total limit, although objects arrive", async () => {
    const { endedAt, error } = await follow(
      (clock) => paced(clock, { pods: 50, pauseMs: 20_000 }),
      { totalTimeoutMs: 90_000 },
    );
    expect(endedAt).toBe(90);
    expect(String(error)).toContain("Cannot list pods: the list is incomplete after 90 s");
  });

  test("fails with the last error if the next attempt would be too late", async () => {
    const { endedAt, error, requestsAt } = await follow(
      () => Promise.reject(Object.assign(new Error("no"), { code: "ECONNREFUSED" })),
      { timeoutMs: 5000 },
    );
    expect([endedAt, requestsAt]).toEqual([3, [0, 1, 3]]);
    expect(isNetworkError(error, "connection-refused")).toBe(true);
  });

  test("has no limit with Infinity", async () => {
    const { endedAt } = await follow(never, { timeoutMs: Infinity });
    expect(endedAt).toBeUndefined();
  });

  test.each(["timeoutMs", "totalTimeoutMs"])("refuses a %s of 0", async (option) => {
    const { error } = await follow(never, { [option]: 0 });
    expect(error).toMatchObject({ code: "LW_INVALID_OPTIONS", option });
  });
});
