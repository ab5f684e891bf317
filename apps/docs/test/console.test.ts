import { expect, test } from "vitest";
import { ConsoleBatches, type ConsoleBatch } from "../src/components/console-batches.ts";

function setUp() {
  const sent: ConsoleBatch[] = [];
  const clock = { now: 0 };
  const batches = new ConsoleBatches(
    (batch) => sent.push(batch),
    () => clock.now,
  );
  return { batches, clock, sent };
}

const line = (text: string) => ({ kind: "log", text }) as const;
const texts = (lines: ConsoleBatch["first"]) => lines.map(({ text }) => text);

test("the first line is sent at once, and the next ones together", () => {
  const { batches, sent } = setUp();
  for (const text of ["a", "b", "c"]) batches.print(line(text));
  expect(sent.map(({ first }) => texts(first))).toEqual([["a"]]);
  expect(batches.isWaiting).toBe(true);
  batches.send();
  expect(sent.map(({ first }) => texts(first))).toEqual([["a"], ["b", "c"]]);
  expect(batches.isWaiting).toBe(false);
});

test("of many lines the first and the last hundred are sent, in order, and the rest is counted", () => {
  const { batches, sent } = setUp();
  for (let i = 0; i < 1001; i++) batches.print(line(String(i)));
  batches.send();
  const { first = [], leftOut, last = [] } = sent[1] ?? {};
  expect([texts(first)[0], first.length]).toEqual(["1", 100]);
  expect([texts(last)[0], texts(last).at(-1), last.length]).toEqual(["901", "1000", 100]);
  expect(leftOut).toBe(800);
});

test("a program that never waits sends by itself as time goes on", () => {
  const { batches, clock, sent } = setUp();
  for (let i = 0; i < 50; i++) {
    clock.now += 10;
    batches.print(line(String(i)));
  }
  expect(sent.length).toBe(5);
  expect(sent.every(({ leftOut }) => leftOut === 0)).toBe(true);
});
