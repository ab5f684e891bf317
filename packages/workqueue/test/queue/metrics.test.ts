import { describe, expect, test } from "vitest";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { WorkQueue, queueMetricNames, type QueueMetrics } from "@listwatch/workqueue";

function recordingMetrics(log: string[]): Required<QueueMetrics> {
  const gauge = (name: string) => ({ set: (value: number) => log.push(`${name}=${value}`) });
  const counter = (name: string) => ({ inc: () => log.push(`${name}+1`) });
  const summary = (name: string) => ({ observe: (value: number) => log.push(`${name}:${value}`) });
  return {
    depth: gauge("depth"),
    adds: counter("adds"),
    queueDuration: summary("queued"),
    workDuration: summary("worked"),
    unfinishedWork: gauge("unfinished"),
    longestRunningProcessor: gauge("longest"),
    retries: counter("retries"),
  };
}

describe("metrics of a queue", () => {
  test("have client-go's names", () => {
    expect(queueMetricNames.depth).toBe("workqueue_depth");
    expect(queueMetricNames.longestRunningProcessor).toBe(
      "workqueue_longest_running_processor_seconds",
    );
  });

  test("measure from the first add to the get, and from there to done; merged adds do not count", async () => {
    const log: string[] = [];
    const clock = new SimulatedClock();
    const queue = new WorkQueue<string>({ clock, metrics: recordingMetrics(log) });
    queue.add("a");
    await clock.advance(2000);
    queue.add("a");
    const work = await queue.get();
    queue.add("a");
    await clock.advance(400);
    work?.[Symbol.dispose]();
    expect(log).toEqual([
      "adds+1",
      "depth=1",
      "depth=0",
      "queued:2",
      "adds+1",
      "depth=1",
      "worked:0.4",
      "unfinished=0",
      "longest=0",
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("report unfinished work every 500 ms, as long as there is any", async () => {
    const log: string[] = [];
    const clock = new SimulatedClock();
    const metrics = recordingMetrics(log);
    const queue = new WorkQueue<string>({
      clock,
      metrics: {
        unfinishedWork: metrics.unfinishedWork,
        longestRunningProcessor: metrics.longestRunningProcessor,
      },
    });
    queue.add("a");
    queue.add("b");
    const a = await queue.get();
    await clock.advance(250);
    const b = await queue.get();
    await clock.advance(750);
    expect(log).toEqual(["unfinished=0.75", "longest=0.5", "unfinished=1.75", "longest=1"]);
    a?.[Symbol.dispose]();
    b?.[Symbol.dispose]();
    expect(log.slice(-2)).toEqual(["unfinished=0", "longest=0"]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("count every delayed add as a retry, also one without a delay (DQ-4)", () => {
    const log: string[] = [];
    const queue = new WorkQueue<string>({
      clock: new SimulatedClock(),
      metrics: { retries: recordingMetrics(log).retries },
    });
    queue.addAfter("a", 0);
    queue.addAfter("b", 10);
    expect(log).toEqual(["retries+1", "retries+1"]);
  });

  test("that throw do not stop the queue, and are reported", async () => {
    const fail = (): never => {
      throw new Error("The registry is closed");
    };
    const errors: unknown[] = [];
    const queue = new WorkQueue<string>({
      clock: new SimulatedClock(),
      metrics: {
        depth: { set: fail },
        adds: { inc: fail },
        queueDuration: { observe: fail },
        workDuration: { observe: fail },
        unfinishedWork: { set: fail },
        longestRunningProcessor: { set: fail },
        retries: { inc: fail },
      },
      onMetricsError: (error) => {
        errors.push(error);
        throw error;
      },
    });
    queue.addAfter("a", 0);
    const work = await queue.get();
    expect(work?.item).toBe("a");
    work?.[Symbol.dispose]();
    expect(queue.processing).toBe(0);
    // One error for each metric.
    expect(errors).toHaveLength(7);
  });
});
