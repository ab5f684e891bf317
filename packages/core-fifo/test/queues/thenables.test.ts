import { describe, expect, test } from "vitest";
import { DeltaFIFO, FIFO, RealFIFO, RequeueError, TransformError } from "@listwatch/core-fifo";
import { isPromiseLike } from "@listwatch/core-fifo/base";
// @boundaries-ignore a file of the repository that belongs to no package
import { foreignPromise } from "../../../../tests/support/foreign-promise.ts";

interface Pod {
  readonly name: string;
}

const keyFunc = ({ name }: Pod): string => name;

const queues = [
  ["FIFO", () => new FIFO<Pod>({ keyFunc })],
  ["DeltaFIFO", () => new DeltaFIFO<Pod>({ keyFunc })],
  ["RealFIFO", () => new RealFIFO<Pod>({ keyFunc })],
] as const;

describe.each(queues)("a processor of a %s that returns a foreign promise", (_, create) => {
  test.each([[false], [true]])("is waited for (a function with then: %s)", async (isFunction) => {
    const queue = create();
    queue.replace([{ name: "a" }], "1");
    const { promise, resolve } = foreignPromise(isFunction);
    expect(isPromiseLike(promise)).toBe(true);
    let isDone = false;
    const popping = Promise.resolve(queue.pop(() => promise as Promise<void>)).then(
      () => (isDone = true),
    );
    for (let microtasks = 0; microtasks < 20; microtasks++) await Promise.resolve();
    expect(isDone).toBe(false);
    resolve();
    await popping;
    expect(queue.hasSynced).toBe(true);
  });
});

test("the rejection of a foreign promise counts as an exception", async () => {
  const queue = new FIFO<Pod>({ keyFunc });
  queue.add({ name: "a" });
  const { promise, reject } = foreignPromise();
  const popping = queue.pop(() => promise as Promise<void>);
  reject(new RequeueError());
  await popping;
  expect(queue.length).toBe(1);
});

test("a transform that returns a promise is rejected, since a queue cannot wait for it", () => {
  const { promise } = foreignPromise();
  for (const transform of [async (pod: Pod): Promise<Pod> => pod, () => promise]) {
    const queue = new RealFIFO<Pod>({ keyFunc, transform: transform as () => never });
    expect(() => queue.add({ name: "a" })).toThrow(TransformError);
    expect(() => queue.add({ name: "a" })).toThrow(/expected an object, got a promise/);
    expect(queue.length).toBe(0);
  }
});
