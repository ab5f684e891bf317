import { describe, expect, test } from "vitest";
import { silentLog } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import {
  Controller,
  controllerMetricNames,
  TerminalError,
  type ControllerMetrics,
  type ControllerOptions,
} from "@listwatch/controller";

function recordingMetrics(log: string[]): ControllerMetrics {
  const counter = (name: string) => ({ inc: () => log.push(`${name}+1`) });
  const gauge = (name: string) => ({ set: (value: number) => log.push(`${name}=${value}`) });
  return {
    reconciles: counter,
    reconcileErrors: counter("errors"),
    terminalReconcileErrors: counter("terminal"),
    reconcileTimeouts: counter("timeouts"),
    reconcileTime: { observe: (value) => log.push(`took ${value} s`) },
    maxConcurrentReconciles: gauge("workers"),
    activeWorkers: gauge("active"),
  };
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
  test("have controller-runtime's names", () => {
    expect(controllerMetricNames.reconciles).toBe("controller_runtime_reconcile_total");
    expect(controllerMetricNames.activeWorkers).toBe("controller_runtime_active_workers");
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
    const round = (...ended: string[]): string[] => ["active=1", ...ended, "active=0"];
    expect(log).toEqual([
      "workers=1",
      ...round("success+1", "took 0 s"),
      ...round("requeue_after+1", "took 0 s"),
      ...round("terminal+1", "error+1", "took 0 s", "errors+1"),
      ...round("error+1", "took 0 s", "errors+1"),
      ...round("success+1", "took 0 s"),
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
      "workers=1",
      "active=1",
      "timeouts+1",
      "success+1",
      "took 0.4 s",
      "active=0",
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
        metrics: {
          reconciles: fail,
          reconcileErrors: { inc: fail },
          reconcileTimeouts: { inc: fail },
          terminalReconcileErrors: { inc: fail },
          reconcileTime: { observe: fail },
          maxConcurrentReconciles: { set: fail },
          activeWorkers: { set: fail },
        },
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
