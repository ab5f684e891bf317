import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sleep, type Timer } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";

describe("SimulatedClock", () => {
  test("fires timers in time order, and timers of one instant in start order", async () => {
    const clock = new SimulatedClock({ startMs: 1000 });
    const fired: string[] = [];
    clock.setTimeout(() => fired.push(`b@${clock.now()}`), 20);
    clock.setTimeout(() => fired.push(`a@${clock.now()}`), 10);
    clock.setTimeout(() => fired.push(`c@${clock.now()}`), 20);
    expect(clock.pendingTimers).toBe(3);
    expect(clock.nextTimerMs).toBe(1010);
    await clock.advance(19);
    expect(fired).toEqual(["a@1010"]);
    await clock.advance(1);
    expect(fired).toEqual(["a@1010", "b@1020", "c@1020"]);
    expect(clock.now()).toBe(1020);
    expect(clock.pendingTimers).toBe(0);
    expect(clock.nextTimerMs).toBeUndefined();
  });

  test("runs everything that a timer caused before the next timer, including new timers in between", async () => {
    const clock = new SimulatedClock();
    const log: string[] = [];
    const worker = async (): Promise<void> => {
      for (let round = 0; round < 3; round += 1) {
        await sleep(10, { clock });
        for (let depth = 0; depth < 50; depth += 1) await Promise.resolve();
        log.push(`worker@${clock.now()}`);
      }
    };
    const done = worker();
    clock.setTimeout(() => log.push(`timer@${clock.now()}`), 10);
    await clock.advance(30);
    await done;
    expect(log).toEqual(["worker@10", "timer@10", "worker@20", "worker@30"]);
  });

  test("settles programs that read streams and yield to the event loop, without moving time", async () => {
    const clock = new SimulatedClock();
    const chunks: number[] = [];
    const stream = new ReadableStream<number>({
      async pull(controller) {
        await clock.nextTurn();
        controller.enqueue(chunks.length);
        if (chunks.length === 20) controller.close();
      },
    });
    const reading = (async () => {
      const reader = stream.pipeThrough(new TransformStream<number, number>()).getReader();
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        chunks.push(next.value);
      }
    })();
    await clock.settle();
    expect(chunks.length).toBeGreaterThan(19);
    expect(clock.now()).toBe(0);
    await reading;
  });

  test("a cancelled timer does not fire", async () => {
    const clock = new SimulatedClock();
    let fired = false;
    const timer = clock.setTimeout(() => (fired = true), 5);
    timer.cancel();
    timer.cancel();
    expect(clock.pendingTimers).toBe(0);
    await clock.advance(10);
    expect(fired).toBe(false);
  });

  test("cancelling a timer that has fired affects no other timer", async () => {
    const clock = new SimulatedClock();
    const fired: string[] = [];
    const first = clock.setTimeout(() => fired.push("first"), 5);
    clock.setTimeout(() => fired.push("second"), 10);
    await clock.advance(5);
    first.cancel();
    expect(clock.pendingTimers).toBe(1);
    await clock.advance(5);
    expect(fired).toEqual(["first", "second"]);
  });

  test("timers started and cancelled in any order fire like those of a naive model", async () => {
    // Few instants, so that many timers share one. A cancel refers to a timer by number.
    const action = fc.oneof(
      fc.record({ delayMs: fc.integer({ min: 0, max: 5 }) }),
      fc.record({ cancel: fc.nat({ max: 30 }) }),
      fc.record({ advanceMs: fc.integer({ min: 0, max: 2 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const clock = new SimulatedClock();
        const started: Timer[] = [];
        let model: { readonly n: number; readonly dueMs: number }[] = [];
        const fired: number[] = [];
        const wanted: number[] = [];
        const advance = async (ms: number): Promise<void> => {
          await clock.advance(ms);
          const due = model.filter(({ dueMs }) => dueMs <= clock.now());
          model = model.filter(({ dueMs }) => dueMs > clock.now());
          wanted.push(...due.toSorted((a, b) => a.dueMs - b.dueMs || a.n - b.n).map(({ n }) => n));
        };
        for (const step of actions) {
          if ("delayMs" in step) {
            const n = started.length;
            model.push({ n, dueMs: clock.now() + step.delayMs });
            started.push(clock.setTimeout(() => fired.push(n), step.delayMs));
          } else if ("cancel" in step) {
            model = model.filter(({ n }) => n !== step.cancel);
            started[step.cancel]?.cancel();
          } else {
            await advance(step.advanceMs);
          }
          const dues = model.map(({ dueMs }) => dueMs);
          expect(clock.pendingTimers).toBe(model.length);
          expect(clock.nextTimerMs).toBe(dues.length === 0 ? undefined : Math.min(...dues));
        }
        await advance(5);
        expect(fired).toEqual(wanted);
      }),
      { numRuns: 200 },
    );
  });

  test("a delay of NaN is due at once and does not change the order of the others", async () => {
    const clock = new SimulatedClock();
    const fired: string[] = [];
    clock.setTimeout(() => fired.push("late"), 2);
    clock.setTimeout(() => fired.push("no number"), Number.NaN);
    clock.setTimeout(() => fired.push("soon"), 1);
    await clock.advance(2);
    expect(fired).toEqual(["no number", "soon", "late"]);
    expect(clock.now()).toBe(2);
  });

  test("a negative delay is due at once, at the current time", async () => {
    const clock = new SimulatedClock({ startMs: 5 });
    let firedAt: number | undefined;
    clock.setTimeout(() => (firedAt = clock.now()), -100);
    await clock.advance(0);
    expect(firedAt).toBe(5);
  });

  test("advance throws an error of a timer, and the clock remains usable", async () => {
    const clock = new SimulatedClock();
    clock.setTimeout(() => {
      throw new Error("broken");
    }, 10);
    await expect(clock.advance(20)).rejects.toThrow("broken");
    expect(clock.now()).toBe(10);
    await clock.advance(5);
    expect(clock.now()).toBe(15);
  });

  test("rejects negative time and two concurrent advances", async () => {
    const clock = new SimulatedClock();
    await expect(clock.advance(-1)).rejects.toBeInstanceOf(RangeError);
    await expect(clock.advance(Number.NaN)).rejects.toBeInstanceOf(RangeError);
    const first = clock.advance(1);
    await expect(clock.advance(1)).rejects.toThrow("being advanced already");
    await first;
    expect(clock.now()).toBe(1);
  });
});
