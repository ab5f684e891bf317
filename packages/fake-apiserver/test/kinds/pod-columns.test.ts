import { describe, expect, test } from "vitest";
import { created, row } from "../support/builtin-row.ts";

describe("columns of pods (API-1.22)", () => {
  const container = (state: object, rest: object = {}): object => ({
    name: "c",
    ready: false,
    restartCount: 0,
    state,
    ...rest,
  });
  const running = container({ running: {} }, { ready: true });
  const pod = (status: object, rest: object = {}): string =>
    row("pods", {
      spec: { containers: [{ name: "c" }], ...rest },
      status: { phase: "Pending", ...status },
    });

  test.each([
    [{ phase: "Running", containerStatuses: [running] }, "x | 1/1 | Running | 0 | 60m"],
    [{}, "x | 0/1 | Pending | 0 | 60m"],
    [{ reason: "Evicted", phase: "Failed" }, "x | 0/1 | Evicted | 0 | 60m"],
    [
      { containerStatuses: [container({ waiting: { reason: "ImagePullBackOff" } })] },
      "x | 0/1 | ImagePullBackOff | 0 | 60m",
    ],
    [
      { containerStatuses: [container({ terminated: { reason: "OOMKilled" } })] },
      "x | 0/1 | OOMKilled | 0 | 60m",
    ],
    [
      { containerStatuses: [container({ terminated: { exitCode: 3 } })] },
      "x | 0/1 | ExitCode:3 | 0 | 60m",
    ],
    [
      { containerStatuses: [container({ terminated: { signal: 9 } })] },
      "x | 0/1 | Signal:9 | 0 | 60m",
    ],
    [
      { initContainerStatuses: [container({ waiting: { reason: "PodInitializing" } })] },
      "x | 0/1 | Init:0/0 | 0 | 60m",
    ],
    [
      { initContainerStatuses: [container({ terminated: { exitCode: 1 } })] },
      "x | 0/1 | Init:ExitCode:1 | 0 | 60m",
    ],
    [
      {
        initContainerStatuses: [container({ terminated: { exitCode: 0 } })],
        containerStatuses: [running],
        phase: "Running",
      },
      "x | 1/1 | Running | 0 | 60m",
    ],
    [
      { conditions: [{ type: "PodScheduled", reason: "SchedulingGated" }] },
      "x | 0/1 | SchedulingGated | 0 | 60m",
    ],
  ])("show %j as %s", (status, expected) => {
    expect(pod(status)).toBe(expected);
  });

  test("count restarts and show the time of the last one", () => {
    const lastState = { terminated: { finishedAt: "2024-01-01T00:55:00Z" } };
    const restarted = container({ running: {} }, { ready: true, restartCount: 2, lastState });
    expect(pod({ phase: "Running", containerStatuses: [restarted] })).toBe(
      "x | 1/1 | Running | 2 (5m ago) | 60m",
    );
  });

  test("count sidecars as containers", () => {
    const sidecar = { initContainers: [{ name: "s", restartPolicy: "Always" }] };
    const statuses = {
      phase: "Running",
      containerStatuses: [running],
      initContainerStatuses: [
        { name: "s", ready: true, started: true, restartCount: 1, state: { running: {} } },
      ],
    };
    expect(pod(statuses, sidecar)).toBe("x | 2/2 | Running | 1 | 60m");
  });

  test("show that a pod is terminating", () => {
    const object = {
      metadata: { name: "x", creationTimestamp: created, deletionTimestamp: created },
      status: { phase: "Running" },
    };
    expect(row("pods", object)).toBe("x | 0/0 | Terminating | 0 | 60m");
    expect(row("pods", { ...object, status: { phase: "Running", reason: "NodeLost" } })).toContain(
      "Unknown",
    );
  });

  test("include the wide ones", () => {
    const object = {
      spec: { nodeName: "n1", readinessGates: [{ conditionType: "a" }] },
      status: { podIPs: [{ ip: "10.0.0.1" }], conditions: [{ type: "a", status: "True" }] },
    };
    expect(row("pods", object, { wide: true })).toBe(
      "x | 0/0 |  | 0 | 60m | 10.0.0.1 | n1 | <none> | 1/1",
    );
  });
});
