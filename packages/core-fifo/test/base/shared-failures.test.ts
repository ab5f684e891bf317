import { expect, test } from "vitest";
import { silentLog, type Log } from "@listwatch/core-fifo";
import { SharedFailures, type SharedFailure } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";

interface Stage {
  readonly clock: SimulatedClock;
  readonly failures: SharedFailures;
  readonly log: Log;
  readonly lines: readonly (readonly [message: string, sources: unknown, name: unknown])[];
}

function stage(shared: object = {}): Stage {
  const lines: [string, unknown, unknown][] = [];
  const log: Log = {
    ...silentLog,
    warn: (message, { name, sources }) => void lines.push([message, sources, name]),
  };
  const clock = new SimulatedClock();
  return { clock, failures: SharedFailures.of(shared, { log, clock }), log, lines };
}

function failureOf(name: string, kind: string = "unreachable"): SharedFailure {
  return { subject: "List", kind, error: new Error(`${name} failed`), fields: { name } };
}

const [first, second] = [{}, {}];

test("failures of one kind are one line, and their end one when all sources work again", () => {
  const { failures, lines } = stage();
  failures.report(first, failureOf("first"));
  failures.report(second, failureOf("second"));
  failures.recover(first);
  expect(lines).toEqual([["List failed", undefined, "first"]]);
  failures.recover(second);
  expect(lines.slice(1)).toEqual([["List works again", 2, undefined]]);
  failures.recover(second);
  expect(lines).toHaveLength(2);
});

test("another kind has its line", () => {
  const { failures, lines } = stage();
  failures.report(first, failureOf("first"));
  failures.report(second, failureOf("second", "credentials"));
  expect(lines.map(([message]) => message)).toEqual(["List failed", "List failed"]);
});

test("a lasting failure has a line a minute with the number of its sources", async () => {
  const { clock, failures, lines } = stage();
  failures.report(first, failureOf("first"));
  failures.report(second, failureOf("second"));
  await clock.advance(120_000);
  expect(lines.slice(1)).toEqual([
    ["List still fails", 2, undefined],
    ["List still fails", 2, undefined],
  ]);
});

test("a source that ends no longer fails, and the last one leaves no timer", async () => {
  const { clock, failures, lines } = stage();
  failures.report(first, failureOf("first"));
  failures.report(second, failureOf("second"));
  failures.recover(first);
  failures.leave(second);
  expect(lines.at(-1)?.[0]).toBe("List works again");
  failures.leave(first);
  await clock.advance(600_000);
  expect(lines).toHaveLength(2);
  expect(clock.pendingTimers).toBe(0);
});

test("sources with another log are separate", () => {
  const shared = {};
  const [one, other] = [stage(shared), stage(shared)];
  one.failures.report(first, failureOf("first"));
  other.failures.report(second, failureOf("second"));
  expect([one.lines.length, other.lines.length]).toEqual([1, 1]);
  expect(SharedFailures.of(shared, one)).toBe(one.failures);
});
