import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parallelize } from "@listwatch/workqueue";

test("each piece runs once, with no more workers than chunks, for any chunk size", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(50),
      fc.integer({ min: 1, max: 8 }),
      fc.nat(9),
      async (pieces, workers, chunkSize) => {
        const done: number[] = [];
        let running = 0;
        let most = 0;
        await parallelize(
          pieces,
          async (piece) => {
            most = Math.max(most, (running += 1));
            await Promise.resolve();
            done.push(piece);
            running -= 1;
          },
          { workers, chunkSize },
        );
        expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: pieces }, (_, i) => i));
        expect(most).toBeLessThanOrEqual(
          Math.min(workers, Math.ceil(pieces / Math.max(1, chunkSize))),
        );
      },
    ),
  );
});

test("after an abort no piece starts", async () => {
  const stop = new AbortController();
  const done: number[] = [];
  await parallelize(
    10,
    (piece) => {
      done.push(piece);
      if (piece === 3) stop.abort();
    },
    { workers: 1, chunkSize: 5, signal: stop.signal },
  );
  expect(done).toEqual([0, 1, 2, 3]);
});

test("a failing piece rejects the call, after the pieces in progress have ended", async () => {
  const done: number[] = [];
  const work = async (piece: number): Promise<void> => {
    if (piece === 0) throw new Error("piece 0");
    await Promise.resolve();
    done.push(piece);
  };
  await expect(parallelize(10, work, { workers: 2 })).rejects.toThrow("piece 0");
  expect(done).toEqual([1]);
});
