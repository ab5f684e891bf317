import { describe, expect, test } from "vitest";
import { ListwatchError, silentLog, type Log, type LogFields } from "@listwatch/core-fifo";
import { FailureLog, type Failure } from "@listwatch/core-fifo/base";
import { SimulatedClock } from "@listwatch/core-fifo/testing";

type Line = readonly [message: string, fields: LogFields];

function logTo(lines: Line[]): Log {
  const refuse = (): void => expect.unreachable();
  return { ...silentLog, info: refuse, error: refuse, warn: (...line) => void lines.push(line) };
}

function create(options: { readonly fields?: LogFields } = {}): {
  readonly clock: SimulatedClock;
  readonly failures: FailureLog;
  readonly lines: Line[];
} {
  const clock = new SimulatedClock();
  const lines: Line[] = [];
  return { clock, failures: new FailureLog({ ...options, clock, log: logTo(lines) }), lines };
}

const lasting = { subject: "List and watch", isLasting: true };

function named(name: string): Error {
  const error = new Error("unequal text");
  error.name = name;
  return error;
}

describe("FailureLog", () => {
  test("logs the first failure of a cause with cause and advice, and the next after a minute", async () => {
    const { clock, failures, lines } = create({ fields: { informer: "pods" } });
    const fail = (): void =>
      failures.report({ ...lasting, error: new Error(`at ${clock.now()}`), advice: "Wait" });
    fail();
    const first = { informer: "pods", cause: new Error("at 0"), advice: "Wait" };
    expect(lines).toEqual([["List and watch failed", first]]);
    for (let second = 1; second <= 150; second++) {
      await clock.advance(1000);
      fail();
    }
    expect(lines.slice(1)).toEqual([
      [
        "List and watch still fails",
        { ...first, cause: new Error("at 59000"), failures: 60, forSeconds: 60 },
      ],
      [
        "List and watch still fails",
        { ...first, cause: new Error("at 119000"), failures: 120, forSeconds: 120 },
      ],
    ]);
    failures.recover("List and watch");
    expect(lines.slice(3)).toEqual([
      ["List and watch works again", { informer: "pods", failures: 151, forSeconds: 150 }],
    ]);
    await clock.advance(120_000);
    expect(lines).toHaveLength(4);
    expect(clock.pendingTimers).toBe(0);
  });

  test("logs a line per minute while a lasting failure is not retried", async () => {
    const { clock, failures, lines } = create();
    failures.report({ ...lasting, error: new Error("refused") });
    await clock.advance(180_000);
    expect(lines.map(([message]) => message)).toEqual([
      "List and watch failed",
      "List and watch still fails",
      "List and watch still fails",
      "List and watch still fails",
    ]);
  });

  test("treats a failure that does not last as recovered after a minute without one", async () => {
    const { clock, failures, lines } = create();
    failures.report({ subject: "Handler", name: "web", error: named("A"), fields: { of: "web" } });
    failures.report({ subject: "Handler", name: "db", error: named("A"), fields: { of: "db" } });
    await clock.advance(30_000);
    failures.report({ subject: "Handler", name: "db", error: named("A"), fields: { of: "db" } });
    await clock.advance(90_000);
    expect(lines.map(([message, { of, failures: count }]) => [message, of, count])).toEqual([
      ["Handler failed", "web", undefined],
      ["Handler failed", "db", undefined],
      ["Handler has not failed for a minute", "web", 1],
      ["Handler still fails", "db", 2],
      ["Handler has not failed for a minute", "db", 2],
    ]);
  });

  test("calls isLasting each minute", async () => {
    const { clock, failures, lines } = create();
    let isLasting = true;
    failures.report({ subject: "Cache", error: named("A"), isLasting: () => isLasting });
    await clock.advance(60_000);
    isLasting = false;
    await clock.advance(120_000);
    expect(lines.map(([message]) => message)).toEqual([
      "Cache failed",
      "Cache still fails",
      "Cache works again",
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("logs another cause of the same subject at once", async () => {
    const { clock, failures, lines } = create();
    for (const name of ["A", "B", "A", "B"]) failures.report({ ...lasting, error: named(name) });
    expect(lines.map(([, { cause }]) => cause)).toEqual([named("A"), named("B")]);
    failures.recover("List and watch");
    await clock.advance(300_000);
    expect(lines.slice(2)).toEqual([
      ["List and watch works again", { failures: 4, forSeconds: 0 }],
    ]);
  });

  test("logs one line per minute for a flapping failure", async () => {
    const { clock, failures, lines } = create();
    for (let round = 0; round < 300; round++) {
      failures.report({ ...lasting, error: new Error("refused") });
      const afterMs = round === 0 ? 500 : 400;
      await clock.advance(afterMs);
      failures.recover("List and watch");
      await clock.advance(1000 - afterMs);
    }
    await clock.advance(600_000);
    expect(lines.map(([message, { failures: count }]) => [message, count])).toEqual([
      ["List and watch failed", undefined],
      ["List and watch works again", 1],
      // One per minute. The second count starts after the first recovery.
      ...[60, 120, 180, 240, 299].map((count) => ["List and watch failed again", count]),
      ["List and watch works again", 299],
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("logs that it failed again after a recovery", async () => {
    const { clock, failures, lines } = create();
    const report = (): void => failures.report({ ...lasting, error: new Error("refused") });
    report();
    failures.recover("List and watch");
    report();
    await clock.advance(60_000);
    expect(lines.map(([message]) => message)).toEqual([
      "List and watch failed",
      "List and watch works again",
      "List and watch failed again",
    ]);
  });

  test("logs a failure a minute after the recovery like the first one", async () => {
    const { clock, failures, lines } = create();
    const report = (): void => failures.report({ ...lasting, error: new Error("refused") });
    report();
    failures.recover("List and watch");
    await clock.advance(60_000);
    report();
    expect(lines.at(-1)).toEqual(["List and watch failed", { cause: new Error("refused") }]);
  });

  test("keeps a bounded number of subjects and causes", async () => {
    const { clock, failures, lines } = create();
    for (let index = 0; index < 1000; index++) {
      failures.report({ subject: "Handler", name: `h${index}`, error: new Error("boom") });
      failures.report({ ...lasting, error: named(`Error ${index}`) });
    }
    // 31 handlers, 8 causes of list and watch, and one line for all others.
    expect(lines).toHaveLength(40);
    expect(lines.at(-1)?.[0]).toBe("Something else failed");
    expect(clock.pendingTimers).toBe(33);
    failures.close();
    expect(clock.pendingTimers).toBe(0);
  });

  test("logs nothing after close and starts no timer for a silent log", async () => {
    const { clock, failures, lines } = create();
    failures.report({ ...lasting, error: new Error("refused") });
    failures.close();
    await clock.advance(300_000);
    failures.recover("List and watch");
    expect(lines).toHaveLength(1);
    new FailureLog({ clock, log: silentLog }).report({ ...lasting, error: new Error("refused") });
    expect(clock.pendingTimers).toBe(0);
  });

  test("survives a log that throws or rejects", async () => {
    const clock = new SimulatedClock();
    let calls = 0;
    const broken = (): never => {
      calls += 1;
      throw new Error("disk full");
    };
    // A user-supplied method may be asynchronous although its type is not.
    const rejecting = (): unknown => Promise.resolve().then(broken);
    for (const warn of [broken, rejecting]) {
      const failures = new FailureLog({ clock, log: { ...silentLog, warn } });
      failures.report({ ...lasting, error: new Error("refused") });
      await clock.advance(60_000);
      failures.recover("List and watch");
      await clock.advance(0);
      failures.close();
    }
    expect(calls).toBe(6);
  });

  test("logs nothing for a recovery without a failure", () => {
    const { clock, failures, lines } = create();
    failures.recover("List and watch");
    expect(lines).toEqual([]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("prefers the reporter's advice to that of the error", () => {
    const { failures, lines } = create();
    const error = new ListwatchError("LW_STATUS", "no", { advice: "Check the credentials" });
    const failure: Failure = { subject: "Lease", error };
    failures.report(failure);
    failures.report({ ...failure, name: "b", advice: "Log in" });
    expect(lines.map(([, { advice }]) => advice)).toEqual(["Check the credentials", "Log in"]);
  });
});
