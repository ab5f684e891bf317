import { describe, expect, test } from "vitest";
import { DeltaFIFO, RealFIFO, sleep, type ProcessingReport } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";

interface Pod {
  readonly name: string;
}

const keyFunc = ({ name }: Pod): string => name;

function observe(): {
  readonly lengths: number[];
  readonly reports: ProcessingReport[];
  readonly options: {
    keyFunc: typeof keyFunc;
    clock: SimulatedClock;
    observer: {
      lengthChanged(length: number): void;
      processed(report: ProcessingReport): void;
    };
  };
} {
  const lengths: number[] = [];
  const reports: ProcessingReport[] = [];
  const observer = {
    lengthChanged: (length: number): void => void lengths.push(length),
    processed: (report: ProcessingReport): void => void reports.push(report),
  };
  return { lengths, reports, options: { keyFunc, clock: new SimulatedClock(), observer } };
}

describe("a queue observer", () => {
  test("receives the length after each write and pop (RF-25)", async () => {
    for (const Kind of [RealFIFO, DeltaFIFO]) {
      const { lengths, options } = observe();
      const queue = new Kind(options);
      queue.add({ name: "a" });
      queue.add({ name: "b" });
      await queue.pop(() => {});
      await queue.pop(() => {});
      expect(lengths).toEqual([1, 2, 1, 0]);
    }
  });

  test("receives the duration of a pop, and whether it delayed a long queue (RF-16, DF-8)", async () => {
    for (const Kind of [RealFIFO, DeltaFIFO]) {
      const { options, reports } = observe();
      const queue = new Kind({ ...options, name: "pods" });
      for (let index = 0; index < 13; index += 1) queue.add({ name: `pod-${index}` });
      for (const durationMs of [101, 100, 101]) {
        const popped = queue.pop(() => sleep(durationMs, { clock: options.clock }));
        await options.clock.advance(durationMs);
        await popped;
      }
      expect(reports).toEqual([
        { queue: "pods", processed: 1, waiting: 12, durationMs: 101, isSlow: true },
        { queue: "pods", processed: 1, waiting: 11, durationMs: 100, isSlow: false },
        { queue: "pods", processed: 1, waiting: 10, durationMs: 101, isSlow: false },
      ]);
    }
  });

  test("allows a batch 100 ms for each delta, at most 1 s (RF-23)", async () => {
    const { options, reports } = observe();
    const queue = new RealFIFO(options);
    for (let index = 0; index < 60; index += 1) queue.add({ name: `pod-${index}` });
    for (const [maxKeys, durationMs] of [
      [5, 500],
      [5, 501],
      [20, 1000],
      [19, 1001],
    ] as const) {
      const process = (): Promise<void> => sleep(durationMs, { clock: options.clock });
      const popped = queue.popBatch(process, process, { maxKeys });
      await options.clock.advance(durationMs);
      await popped;
    }
    expect(reports.map(({ processed, isSlow }) => [processed, isSlow])).toEqual([
      [5, false],
      [5, true],
      [20, false],
      [19, true],
    ]);
  });

  test("allows a DeltaFIFO 100 ms for all deltas of a key (DF-8)", async () => {
    const { options, reports } = observe();
    const queue = new DeltaFIFO(options);
    for (let index = 0; index < 13; index += 1) {
      queue.add({ name: `pod-${index}` });
      queue.update({ name: `pod-${index}` });
    }
    for (const durationMs of [100, 101]) {
      const popped = queue.pop(() => sleep(durationMs, { clock: options.clock }));
      await options.clock.advance(durationMs);
      await popped;
    }
    expect(reports.map(({ processed, isSlow }) => [processed, isSlow])).toEqual([
      [2, false],
      [2, true],
    ]);
  });

  test("is notified of a failed processor", async () => {
    const { options, reports } = observe();
    const queue = new RealFIFO(options);
    queue.add({ name: "a" });
    queue.add({ name: "b" });
    expect(() =>
      queue.pop(() => {
        throw new Error("broken");
      }),
    ).toThrow("broken");
    await expect(queue.pop(() => Promise.reject(new Error("later")))).rejects.toThrow("later");
    expect(reports.map(({ processed }) => processed)).toEqual([1, 1]);
  });
});
