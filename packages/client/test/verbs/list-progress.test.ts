import { Collection, isNetworkError, type CollectionOptions } from "@listwatch/client";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { expect, test } from "vitest";
import { answering, failureOf } from "../support/answering.ts";
import { bytesOf } from "../support/bytes.ts";

const resource = { group: "", version: "v1", resource: "pods" };
const { signal } = new AbortController();

/** A list that sends so many bytes after each pause, and a function that reads it. */
function dripping(
  bytes: number,
  pauseMs: number,
  pieces: number,
  options: Partial<CollectionOptions> = {},
) {
  const clock = new SimulatedClock({ startMs: 0 });
  const head = '{"kind":"PodList","apiVersion":"v1","metadata":{"x":"';
  let count = 0;
  const body = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      async pull(controller) {
        const { promise, resolve } = Promise.withResolvers<void>();
        clock.setTimeout(resolve, pauseMs);
        await promise;
        count += 1;
        if (count === 1) controller.enqueue(bytesOf(head));
        else if (count <= pieces) controller.enqueue(new Uint8Array(bytes).fill(0x61));
        else {
          controller.enqueue(bytesOf('"},"items":[]}'));
          controller.close();
        }
      },
    });
  const { connection } = answering(() => new Response(body()));
  const collection = new Collection({ connection, resource, clock, ...options });
  const read = async (): Promise<number> => {
    const list = await collection.list({}, { signal });
    for await (const batch of list.items) void batch;
    return clock.now();
  };
  return { clock, read };
}

test("a list that makes too little progress is aborted, although bytes keep arriving", async () => {
  const { clock, read } = dripping(1, 10_000, Infinity);
  const failure = failureOf(read());
  await clock.advance(200_000);
  const error = await failure;
  expect(isNetworkError(error, "timeout")).toBe(true);
  expect(String(error)).toMatch(
    /Cannot list http:\S+: expected 32 KiB within 2 min at least, got \d+ bytes/,
  );
});

test("a slow list that makes progress is read to its end", async () => {
  const { clock, read } = dripping(10_000, 10_000, 100);
  const ended = read();
  await clock.advance(1_100_000);
  expect(await ended).toBe(1_010_000);
  expect(clock.pendingTimers).toBe(0);
});

test("a list that never begins is aborted", async () => {
  const clock = new SimulatedClock({ startMs: 0 });
  const { connection } = answering(() => new Promise(() => undefined));
  const collection = new Collection({ connection, resource, clock });
  const failure = failureOf(collection.list({}, { signal }));
  await clock.advance(120_000);
  expect(isNetworkError(await failure, "timeout")).toBe(true);
  expect(clock.pendingTimers).toBe(0);
});

test("the time in which a list is not read does not count", async () => {
  const clock = new SimulatedClock({ startMs: 0 });
  const { connection } = answering(() => new Response('{"kind":"PodList","items":[{},{}]}'));
  const collection = new Collection<object>({ connection, resource, clock });
  const list = await collection.list({}, { signal });
  await clock.advance(1_000_000);
  const items: object[] = [];
  for await (const batch of list.items) {
    items.push(...batch);
    await clock.advance(1_000_000);
  }
  expect(items).toHaveLength(2);
  expect(clock.pendingTimers).toBe(0);
});

test("the expected progress of a list is configurable", async () => {
  const { clock, read } = dripping(10, 1000, Infinity, {
    listProgress: { bytes: 200, withinMs: 10_000 },
  });
  const failure = failureOf(read());
  await clock.advance(20_000);
  expect(String(await failure)).toContain("expected 200 bytes within 10 s at least");
});
