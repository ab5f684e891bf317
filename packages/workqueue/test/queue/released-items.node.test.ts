import { SimulatedClock } from "@listwatch/core-fifo/testing";
import {
  FairOrdering,
  PriorityOrdering,
  WorkQueue,
  type QueueOrdering,
} from "@listwatch/workqueue";
import { expect, test } from "vitest";
import { FifoOrdering } from "../../src/orderings/ordering.ts";
import { collectGarbage } from "../support/collect-garbage.ts";
import { takeNow } from "../support/take-now.ts";

interface Request {
  readonly name: string;
}

// Only Node lets tests collect garbage.
const isNode = !("Deno" in globalThis || "Bun" in globalThis);

/** Processes two items, one after a delay, and adds a third that waits. */
async function fill(ordering: QueueOrdering<Request>): Promise<{
  readonly queue: WorkQueue<Request>;
  readonly gone: readonly WeakRef<Request>[];
}> {
  const clock = new SimulatedClock();
  const queue = new WorkQueue<Request>({ clock, ordering, keyFunc: ({ name }) => name });
  const gone = ["a", "b"].map((name) => {
    const request = { name };
    queue.addAfter(request, name === "a" ? 0 : 1000);
    return new WeakRef(request);
  });
  await clock.advance(1000);
  queue.add({ name: "c" }, { priority: -1 });
  expect([takeNow(queue)?.name, takeNow(queue)?.name]).toEqual(["a", "b"]);
  return { queue, gone };
}

test.runIf(isNode).each([
  ["in turn", () => new FifoOrdering<Request>()],
  ["by priority", () => new PriorityOrdering<Request>()],
  ["fairly", () => new FairOrdering<Request>({ tenantOf: () => "one" })],
])("a queue ordered %s releases processed items (WQ-9)", async (_, create) => {
  const { gone, queue } = await fill(create());
  await collectGarbage();
  expect(gone.map((reference) => reference.deref())).toEqual([undefined, undefined]);
  expect(takeNow(queue)).toEqual({ name: "c" });
});
