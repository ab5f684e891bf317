import { createClient, isNetworkError, type Client } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { describe, expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";
import { bytesOf } from "../support/bytes.ts";

const resource = { group: "", version: "v1", resource: "pods" };
const line = `${JSON.stringify({ type: "ADDED", object: { metadata: { name: "a" } } })}\n`;

/** A client whose responses begin after a pause and repeat a line after each further pause. */
function dripping(text: string, headMs: number, pausesMs: readonly number[]) {
  const clock = new SimulatedClock({ startMs: 0 });
  const state = { isCancelled: false };
  const pause = async (ms: number): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (ms !== Infinity) clock.setTimeout(resolve, ms);
    await promise;
  };
  const rest = [...pausesMs];
  const { connection, requests } = answering(async () => {
    await pause(headMs);
    return new Response(
      new ReadableStream(
        {
          async pull(controller) {
            await pause(rest.shift() ?? Infinity);
            controller.enqueue(bytesOf(text));
          },
          cancel: () => void (state.isCancelled = true),
        },
        { highWaterMark: 0 },
      ),
    );
  });
  return { client: createClient(connection, { clock }), clock, requests, state };
}

interface Reading {
  readonly signal?: AbortSignal;
  readonly idleMs?: number;
}

/** Reads a stream to its end; records when and why it failed, and the number of reads. */
function reading(clock: SimulatedClock, read: (count: () => void) => Promise<void>) {
  const outcome = { count: 0, endedMs: -1, error: undefined as unknown };
  void (async () => {
    outcome.error = await failureOf(read(() => outcome.count++));
    outcome.endedMs = clock.now();
  })();
  return outcome;
}

const watch = (client: Client, options: Reading) => async (count: () => void) => {
  for await (const event of client.resource(resource).watch(options)) if (event) count();
};
const log = (client: Client, options: Reading) => async (count: () => void) => {
  const stream = await client.resource(resource).log("a/b", { follow: true, ...options });
  for await (const text of stream.lines()) if (text !== "") count();
};

describe.each([
  ["watch", watch, "Cannot watch pods: no byte within 10 s"],
  [
    "log",
    log,
    "Cannot read the log http://server/api/v1/namespaces/a/pods/b/log: no byte within 10 s",
  ],
] as const)("a %s", (_, open, message) => {
  test("that is silent for idleMs fails, and its body is cancelled (CLI-1)", async () => {
    const { client, clock, state } = dripping(line, 0, [9000, 9000, 9000]);
    const outcome = reading(clock, open(client, { idleMs: 10_000 }));
    await clock.advance(60_000);
    expect(outcome).toMatchObject({ count: 3, endedMs: 37_000 });
    expect(isNetworkError(outcome.error, "timeout")).toBe(true);
    expect(String(outcome.error)).toContain(message);
    expect(state.isCancelled).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  test("whose response does not begin fails in the same way (CLI-1)", async () => {
    const { client, clock } = dripping(line, 11_000, []);
    const outcome = reading(clock, open(client, { idleMs: 10_000 }));
    await clock.advance(60_000);
    expect(outcome).toMatchObject({ count: 0, endedMs: 10_000 });
    expect(String(outcome.error)).toContain(message);
    expect(clock.pendingTimers).toBe(0);
  });

  test("that is aborted rejects with the reason, and leaves no timer (CLI-1)", async () => {
    const { client, clock, state } = dripping(line, 0, [1000]);
    const stop = new AbortController();
    const reason = new Error("enough");
    const outcome = reading(clock, open(client, { idleMs: 10_000, signal: stop.signal }));
    await clock.advance(2000);
    stop.abort(reason);
    await clock.settle();
    expect(outcome).toMatchObject({ count: 1, endedMs: 2000, error: reason });
    expect(state.isCancelled).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  test("rejects an invalid limit (CLI-1)", async () => {
    const { client } = dripping(line, 0, []);
    const failure = await failureOf(open(client, { idleMs: 0 })(() => undefined));
    expect(failure).toMatchObject({ code: "LW_INVALID_OPTIONS", option: "idleMs" });
  });
});

test("a watch requests bookmarks, and may be silent for 5 min by default (CLI-1)", async () => {
  const { client, clock, requests } = dripping(line, 0, [299_000]);
  const outcome = reading(clock, watch(client, {}));
  await clock.advance(3_600_000);
  expect(outcome).toMatchObject({ count: 1, endedMs: 599_000 });
  expect(new URL(requests[0]?.url ?? "").searchParams.get("allowWatchBookmarks")).toBe("true");
});

test("a watch may be silent without a limit on request, a log by default (CLI-1)", async () => {
  const { client, clock } = dripping(line, 0, [86_400_000]);
  const watching = reading(clock, watch(client, { idleMs: Infinity }));
  await clock.advance(90_000_000);
  expect(watching).toMatchObject({ count: 1, endedMs: -1 });
  const other = dripping(line, 0, [86_400_000]);
  const following = reading(other.clock, log(other.client, {}));
  await other.clock.advance(90_000_000);
  expect(following).toMatchObject({ count: 1, endedMs: -1 });
});

test("an interrupted log fails with a network error (CLI-3)", async () => {
  const { connection } = answering(
    () => new Response(new ReadableStream({ pull: (body) => body.error(new TypeError("reset")) })),
  );
  const stream = await createClient(connection).resource(resource).log("a/b");
  expect(isNetworkError(await failureOf(stream.text()))).toBe(true);
});
