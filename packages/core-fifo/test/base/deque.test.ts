import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import { Deque } from "@listwatch/core-fifo/base";

describe("Deque", () => {
  test("behaves like an array with push, shift and unshift, after any sequence of operations", () => {
    const operation = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ op: fc.constant("push"), count: fc.integer({ min: 1, max: 40 }) }),
      },
      {
        weight: 5,
        arbitrary: fc.record({ op: fc.constant("shift"), count: fc.integer({ min: 1, max: 40 }) }),
      },
      { weight: 1, arbitrary: fc.record({ op: fc.constant("unshift"), count: fc.constant(3) }) },
      { weight: 1, arbitrary: fc.record({ op: fc.constant("clear"), count: fc.constant(1) }) },
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 100 }), (operations) => {
        const deque = new Deque<number>();
        const model: number[] = [];
        let next = 0;
        for (const { op, count } of operations) {
          const shifted: [number | undefined, number | undefined][] = [];
          for (let index = 0; index < count; index += 1) {
            if (op === "push") {
              deque.push(next);
              model.push(next);
              next += 1;
            } else if (op === "unshift") {
              deque.unshift(next);
              model.unshift(next);
              next += 1;
            } else if (op === "shift") {
              shifted.push([deque.shift(), model.shift()]);
            } else {
              deque.clear();
              model.length = 0;
            }
          }
          for (const [got, expected] of shifted) expect(got).toBe(expected);
          expect(deque.length).toBe(model.length);
          expect([...deque]).toEqual(model);
          expect(deque.peek()).toBe(model[0]);
          expect(deque.at(0)).toBe(model[0]);
          expect(deque.at(model.length - 1)).toBe(model.at(-1));
          expect(deque.at(model.length)).toBeUndefined();
        }
      }),
    );
  });

  test("releases its memory when it empties after it was large, and remains usable", () => {
    const deque = new Deque<number>();
    for (let round = 0; round < 3; round += 1) {
      for (let value = 0; value < 10_000; value += 1) deque.push(value);
      for (let value = 0; value < 10_000; value += 1) expect(deque.shift()).toBe(value);
      expect(deque.shift()).toBeUndefined();
    }
  });
});
