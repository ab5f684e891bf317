import { DeltaFIFO, FIFO, RealFIFO } from "@listwatch/core-fifo";
import { expect, test } from "vitest";
import { collectGarbage } from "../support/collect-garbage.ts";

interface Pod {
  readonly name: string;
}

interface Filled {
  /** Keeps the queue reachable, as in a program that continues to use it. */
  readonly queue: object;
  readonly popped: readonly WeakRef<Pod>[];
  readonly queued: WeakRef<Pod>;
}

// Only Node lets tests collect garbage.
const isNode = !("Deno" in globalThis || "Bun" in globalThis);
const keyFunc = ({ name }: Pod): string => name;

function fill<Q extends { add(pod: Pod): void }>(queue: Q, pop: (queue: Q) => unknown): Filled {
  const pods = ["a", "b", "c"].map((name) => ({ name }));
  const [first, second, third] = pods.map((pod) => new WeakRef(pod));
  for (const pod of pods.slice(0, 2)) queue.add(pod);
  pop(queue);
  for (const pod of pods.slice(2)) queue.add(pod);
  if (first === undefined || second === undefined || third === undefined)
    throw new Error("Expected three pods");
  return { queue, popped: [first, second], queued: third };
}

function popTwice(queue: { pop(process: () => void): unknown }): void {
  for (let count = 0; count < 2; count++) void queue.pop(() => {});
}

test.runIf(isNode).each([
  ["pop of a RealFIFO", () => fill(new RealFIFO({ keyFunc }), popTwice)],
  [
    "popBatch of a RealFIFO",
    () => {
      const nothing = (): void => {};
      return fill(new RealFIFO({ keyFunc }), (queue) => queue.popBatch(nothing, nothing));
    },
  ],
  ["takeBatch of a RealFIFO", () => fill(new RealFIFO({ keyFunc }), (queue) => queue.takeBatch())],
  ["pop of a DeltaFIFO", () => fill(new DeltaFIFO({ keyFunc }), popTwice)],
  ["pop of a FIFO", () => fill(new FIFO({ keyFunc }), popTwice)],
])("the queue releases objects that leave it by %s (RF-15)", async (_, prepare) => {
  const { popped, queue, queued } = prepare();
  await collectGarbage();
  expect(popped.map((reference) => reference.deref())).toEqual([undefined, undefined]);
  expect(queued.deref()).toEqual({ name: "c" });
  expect(queue).toHaveProperty("length", 1);
});
