import { describe, expect, test } from "vitest";
import type { PodHook } from "@listwatch/fake-apiserver";
import { ControlledWorld } from "../support/controlled-world.ts";
import { podSpec } from "../support/valid-specs.ts";

const template = { spec: { ...podSpec, restartPolicy: "Never" } };
const fails: PodHook = () => ({ phase: "Failed" });
const hangs: PodHook = () => ({ phase: "Running" });

describe("a job", () => {
  test("completes after its pods have succeeded", async () => {
    const world = new ControlledWorld();
    await world.create("jobs", "sum", { template, completions: 3, parallelism: 2 });
    const running = await world.get("jobs", "sum");
    expect(running["status"]).toMatchObject({ active: 2, ready: 2, terminating: 0 });
    await world.clock.advance(1000);
    expect((await world.get("jobs", "sum"))["status"]).toMatchObject({ active: 1, succeeded: 2 });
    await world.clock.advance(1000);
    const { status } = await world.get("jobs", "sum");
    expect(status).toMatchObject({ succeeded: 3, ready: 0, uncountedTerminatedPods: {} });
    expect(status).not.toHaveProperty("active");
    expect(Date.parse(status.completionTime) - Date.parse(status.startTime)).toBe(2000);
    expect(await world.conditions("jobs", "sum")).toEqual({
      SuccessCriteriaMet: "True CompletionsReached",
      Complete: "True CompletionsReached",
    });
    const pods = await world.list("pods");
    expect(pods.map(({ metadata }) => metadata.finalizers)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(world.clock.pendingTimers).toBe(0);
  });

  test("fails after its last attempt, with longer and longer waits between them", async () => {
    const world = new ControlledWorld({ pods: fails });
    await world.create("jobs", "sum", { template, backoffLimit: 2 });
    expect((await world.get("jobs", "sum"))["status"].failed).toBe(1);
    await world.clock.advance(10_000);
    expect((await world.get("jobs", "sum"))["status"].failed).toBe(2);
    await world.clock.advance(19_000);
    expect(await world.names("pods")).toHaveLength(2);
    await world.clock.advance(1000);
    expect(await world.conditions("jobs", "sum")).toEqual({
      FailureTarget: "True BackoffLimitExceeded",
      Failed: "True BackoffLimitExceeded",
    });
    expect(world.clock.pendingTimers).toBe(0);
  });

  test("gives each pod of an indexed job its index", async () => {
    const world = new ControlledWorld();
    const spec = { template, completionMode: "Indexed", completions: 3, parallelism: 3 };
    await world.create("jobs", "sum", spec);
    const pods = await world.list("pods");
    expect(pods.map((pod) => pod["spec"].hostname)).toEqual(["sum-0", "sum-1", "sum-2"]);
    expect(pods[1]?.["spec"].containers[0].env[0].name).toBe("JOB_COMPLETION_INDEX");
    await world.clock.advance(1000);
    expect((await world.get("jobs", "sum"))["status"].completedIndexes).toBe("0-2");
  });

  test("is stopped by its deadline", async () => {
    const world = new ControlledWorld({ pods: hangs });
    await world.create("jobs", "sum", { template, activeDeadlineSeconds: 30 });
    await world.clock.advance(29_000);
    expect(await world.conditions("jobs", "sum")).toEqual({});
    await world.clock.advance(1000);
    expect(await world.conditions("jobs", "sum")).toMatchObject({
      Failed: "True DeadlineExceeded",
    });
    expect(await world.names("pods")).toEqual([]);
  });

  test("has no pods while it is suspended", async () => {
    const world = new ControlledWorld({ pods: hangs });
    await world.create("jobs", "sum", { template, suspend: true });
    expect(await world.conditions("jobs", "sum")).toEqual({ Suspended: "True JobSuspended" });
    await world.patch("jobs", "sum", { spec: { suspend: false } });
    expect(await world.conditions("jobs", "sum")).toEqual({ Suspended: "False JobResumed" });
    expect(await world.names("pods")).toHaveLength(1);
    await world.patch("jobs", "sum", { spec: { suspend: true } });
    expect(await world.names("pods")).toEqual([]);
    expect((await world.get("jobs", "sum"))["status"]).not.toHaveProperty("failed");
  });

  test("is deleted with its pods after ttlSecondsAfterFinished", async () => {
    const world = new ControlledWorld();
    await world.create("jobs", "sum", { template, ttlSecondsAfterFinished: 60 });
    await world.clock.advance(60_000);
    expect(await world.names("jobs")).toEqual(["sum"]);
    await world.clock.advance(1000);
    expect([await world.names("jobs"), await world.names("pods")]).toEqual([[], []]);
  });
});

describe("a cron job", () => {
  const every = (schedule: string, spec: object = {}): object => ({
    schedule,
    jobTemplate: { spec: { template } },
    ...spec,
  });

  test("creates a job at each time, and keeps the last three that succeeded", async () => {
    const world = new ControlledWorld();
    await world.create("cronjobs", "tick", every("*/10 * * * *"));
    await world.clock.advance(360_000);
    const first = Date.UTC(2026, 0, 2, 3, 10);
    expect(await world.names("jobs")).toEqual([`tick-${first / 60_000}`]);
    const { status } = await world.get("cronjobs", "tick");
    expect(status.lastScheduleTime).toBe("2026-01-02T03:10:00Z");
    expect(status.lastSuccessfulTime).toBe("2026-01-02T03:10:01Z");
    expect(status).not.toHaveProperty("active");
    await world.clock.advance(3_600_000);
    expect(await world.names("jobs")).toHaveLength(3);
  });

  test.each([
    ["Allow", 3],
    ["Forbid", 1],
    ["Replace", 1],
  ])("with the policy %s has %i jobs that do not end", async (concurrencyPolicy, expected) => {
    const world = new ControlledWorld({ pods: hangs });
    await world.create("cronjobs", "tick", every("@every 60s", { concurrencyPolicy }));
    await world.clock.advance(181_000);
    expect(await world.names("jobs")).toHaveLength(expected);
    expect((await world.get("cronjobs", "tick"))["status"].active).toHaveLength(expected);
  });

  test("follows the clocks of its time zone, and stops when suspended", async () => {
    const world = new ControlledWorld();
    const spec = { timeZone: "America/New_York" };
    await world.create("cronjobs", "tick", every("30 22 * * 4", spec));
    // Friday in UTC is still Thursday there: 22:30 is 03:30 UTC.
    await world.clock.advance(1_600_000);
    expect((await world.get("cronjobs", "tick"))["status"].lastScheduleTime).toBe(
      "2026-01-02T03:30:00Z",
    );
    await world.patch("cronjobs", "tick", { spec: { suspend: true } });
    await world.clock.advance(10_000);
    expect(world.clock.pendingTimers).toBe(0);
  });
});
