import { describe, expect, test } from "vitest";
import { silentLog, type MetricsSink } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { Controller, TerminalError, type ControllerOptions } from "@listwatch/controller";
import { metricsSink } from "../support/metrics-sink.ts";

/** The metrics of reconciles, without those of the queue. */
function recordingMetrics(log: string[]): MetricsSink {
  return metricsSink(({ labels, name, value }) => {
    const short = name.replace("controller_runtime_", "");
    if (short !== name) log.push(`${labels["result"] ?? short}=${value}`);
  });
}

/** Reconciles keys in simulated time, until nothing is left to do. */
async function reconcile(keys: readonly string[], options: ControllerOptions): Promise<void> {
  const clock = new SimulatedClock();
  const stop = new AbortController();
  const telemetry = { log: silentLog, ...options.telemetry };
  const controller = new Controller({ ...options, clock, telemetry });
  for (const key of keys) controller.queue.add(key);
  const running = controller.run(stop.signal);
  await clock.advance(1000);
  stop.abort();
  await running;
}

describe("metrics of a controller", () => {
  test("have controller-runtime's names and the name of the controller, and include its queue", async () => {
    const names = new Set<string>();
    const metrics = metricsSink(({ labels, name }) =>
      names.add(`${name} of ${labels["controller"] ?? labels["name"]}`),
    );
    await reconcile(["a"], { name: "shops", telemetry: { metrics }, reconcile: () => {} });
    expect([...names]).toEqual(
      expect.arrayContaining([
        "controller_runtime_reconcile_total of shops",
        "controller_runtime_active_workers of shops",
        "workqueue_depth of shops",
      ]),
    );
  });

  test("count each reconcile by its result and measure its duration", async () => {
    const log: string[] = [];
    const failures = new Map<string, Error>([
      ["final", new TerminalError("It is no use")],
      ["passing", new Error("Not yet")],
    ]);
    await reconcile(["good", "later", "final", "passing"], {
      telemetry: { metrics: recordingMetrics(log) },
      reconcile: (key) => {
        const failure = failures.get(key);
        failures.delete(key);
        if (failure !== undefined) throw failure;
        return key === "later" ? { requeueAfterMs: 3_600_000 } : undefined;
      },
    });
    const round = (...ended: string[]): string[] => [
      "active_workers=1",
      ...ended,
      "active_workers=0",
    ];
    expect(log).toEqual([
      "max_concurrent_reconciles=1",
      ...round("success=1", "reconcile_time_seconds=0"),
      ...round("requeue_after=1", "reconcile_time_seconds=0"),
      ...round(
        "terminal_reconcile_errors_total=1",
        "error=1",
        "reconcile_time_seconds=0",
        "reconcile_errors_total=1",
      ),
      ...round("error=1", "reconcile_time_seconds=0", "reconcile_errors_total=1"),
      ...round("success=1", "reconcile_time_seconds=0"),
    ]);
  });

  test("count an overdue reconcile at its timeout, and at its end", async () => {
    const log: string[] = [];
    await reconcile(["slow"], {
      telemetry: { metrics: recordingMetrics(log) },
      limits: { timeoutMs: 400 },
      reconcile: (_key, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve(), { once: true });
        }),
    });
    expect(log).toEqual([
      "max_concurrent_reconciles=1",
      "active_workers=1",
      "reconcile_timeouts_total=1",
      "success=1",
      "reconcile_time_seconds=0.4",
      "active_workers=0",
    ]);
  });

  test("that throw do not stop reconciles and are reported", async () => {
    const fail = (): never => {
      throw new Error("The registry is closed");
    };
    const reconciled: string[] = [];
    const errors: unknown[] = [];
    await reconcile(["a", "b"], {
      workers: 2,
      telemetry: {
        metrics: metricsSink(({ name }) => (name.startsWith("workqueue") ? undefined : fail())),
        onMetricsError: (error) => {
          errors.push(error);
          throw error;
        },
      },
      reconcile: (key) => {
        reconciled.push(key);
        throw new TerminalError("It is no use");
      },
    });
    expect(reconciled).toEqual(["a", "b"]);
    // The first failure of each metric except time-outs, which did not occur.
    expect(errors).toHaveLength(6);
  });
});
