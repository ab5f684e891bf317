import { describe, expect, test } from "vitest";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { WorkQueue } from "@listwatch/workqueue";
import { logMetrics, metricsSink } from "../support/metrics-sink.ts";

describe("metrics of a queue", () => {
  test("have client-go's names, and that of the queue as a label", () => {
    const names = new Set<string>();
    const metrics = metricsSink(({ labels, name }) => names.add(`${name} of ${labels["name"]}`));
    const clock = new SimulatedClock();
    for (const name of [undefined, "pods"])
      new WorkQueue<string>({ clock, metrics, name }).add("a");
    expect([...names]).toEqual([
      "workqueue_adds_total of queue",
      "workqueue_depth of queue",
      "workqueue_adds_total of pods",
      "workqueue_depth of pods",
    ]);
  });

  test("measure from the first add to the get, and from there to done; merged adds do not count", async () => {
    const log: string[] = [];
    const clock = new SimulatedClock();
    const queue = new WorkQueue<string>({ clock, metrics: logMetrics(log, "workqueue_") });
    queue.add("a");
    await clock.advance(2000);
    queue.add("a");
    const work = await queue.get();
    queue.add("a");
    await clock.advance(400);
    work?.[Symbol.dispose]();
    expect(log).toEqual([
      "adds_total=1",
      "depth=1",
      "depth=0",
      "queue_duration_seconds=2",
      "adds_total=1",
      "depth=1",
      "work_duration_seconds=0.4",
      "unfinished_work_seconds=0",
      "longest_running_processor_seconds=0",
    ]);
    expect(clock.pendingTimers).toBe(0);
  });

  test("report unfinished work every 500 ms, as long as there is any", async () => {
    const log: string[] = [];
    const clock = new SimulatedClock();
    const metrics = metricsSink(({ name, value }) => {
      if (name.includes("unfinished")) log.push(`unfinished=${value}`);
      if (name.includes("longest")) log.push(`longest=${value}`);
    });
    const queue = new WorkQueue<string>({ clock, metrics });
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
      metrics: logMetrics(log, "workqueue_"),
    });
    queue.addAfter("a", 0);
    queue.addAfter("b", 10);
    expect(log.filter((line) => line.startsWith("retries"))).toEqual([
      "retries_total=1",
      "retries_total=1",
    ]);
  });

  test("that throw do not stop the queue, and are reported", async () => {
    const fail = (): never => {
      throw new Error("The registry is closed");
    };
    const errors: unknown[] = [];
    const queue = new WorkQueue<string>({
      clock: new SimulatedClock(),
      metrics: metricsSink(fail),
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
