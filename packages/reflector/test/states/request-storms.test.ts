import { silentLog } from "@listwatch/core-fifo";
// A server can neither make a reflector send endless requests nor stop it for long.
import { StatusError } from "@listwatch/client";
import type { FaultAction } from "@listwatch/fake-apiserver";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { RetryWatcher, type ListerWatcher } from "@listwatch/reflector";
import { describe, expect, test } from "vitest";
import { RequestBudget } from "../../src/services/retry.ts";
import { Cluster, type ConfigMap } from "../support/cluster.ts";
import { start } from "../support/running.ts";
import { mostWithin } from "../support/watchful-store.ts";

const second = 1000;

describe("a request budget", () => {
  test("allows fifteen requests within ten seconds, and then one whenever the oldest expires", async () => {
    const clock = new SimulatedClock();
    const startMs = clock.now();
    const budget = new RequestBudget(15, clock);
    const times: number[] = [];
    for (let request = 0; request < 40; request++) {
      void budget.take(undefined).then(() => times.push(clock.now() - startMs));
      await clock.advance(100);
    }
    await clock.advance(60 * second);
    expect(times).toHaveLength(40);
    expect(times.slice(0, 15)).toEqual(Array.from({ length: 15 }, (_, index) => index * 100));
    expect(mostWithin(times, 10 * second + 1)).toBe(15);
    expect(clock.pendingTimers).toBe(0);
  });

  test("rejects a wait with the signal's reason, and leaves no timer", async () => {
    const clock = new SimulatedClock();
    const budget = new RequestBudget(1, clock);
    await budget.take(undefined);
    const controller = new AbortController();
    const waiting = budget.take(controller.signal);
    controller.abort(new Error("over"));
    await expect(waiting).rejects.toThrow("over");
    expect(clock.pendingTimers).toBe(0);
  });
});

/** Faults that a server can cause for every request. */
const misdeeds: readonly (readonly [string, FaultAction])[] = [
  ["a 410", { type: "status", status: { code: 410 } }],
  ["a 429 without a time", { type: "status", status: { code: 429 } }],
  ["a 500", { type: "status", status: { code: 500 } }],
  ["an ERROR event 410", { type: "errorEvent", status: { code: 410 } }],
  ["an ERROR event 429", { type: "errorEvent", status: { code: 429 } }],
  ["a close at once", { type: "end" }],
  ["a close after an event", { type: "end", after: { events: 1 } }],
  ["a reset after an event", { type: "resetBody", after: { events: 1 } }],
];

describe.each([true, false])("fifteen requests in ten seconds (streamed lists: %s)", (streamed) => {
  test.each(misdeeds)("are the limit after %s", async (_, action) => {
    const cluster = new Cluster();
    await cluster.create("a");
    const match = action.type === "errorEvent" ? { verb: "watch" as const } : {};
    const headers = { "x-by": "source" };
    cluster.api.control.faults.add({ match: { ...match, headers }, action, times: Infinity });
    const source = cluster.source({ watchListSupported: streamed });
    const { stop } = await start(cluster.clock, source, { retry: { backoff: { baseMs: 0 } } });
    for (let step = 0; step < 120; step++) {
      await cluster.clock.advance(second);
      await cluster.update("a", { data: { step: String(step) } });
    }
    await stop();
    const times = [...cluster.firstPageTimes(), ...cluster.requestTimes("watch")];
    expect(times.length).toBeGreaterThan(1);
    expect(mostWithin(times, 10 * second)).toBeLessThanOrEqual(15);
  });
});

/** Delays that no clock can wait for. */
const strangeDelays: readonly unknown[] = [
  NaN,
  Infinity,
  -Infinity,
  -5000,
  1e300,
  "5000",
  "soon",
  null,
  {},
  [],
  true,
];

function strangelyDelayed(delay: unknown): StatusError {
  return Object.assign(new StatusError({ code: 429, reason: "TooManyRequests" }), {
    retryAfterMs: delay,
  });
}

describe.each(strangeDelays.map((delay) => [delay]))(
  "a server that demands a delay of %j",
  (delay) => {
    test("gets a request within 90 s, and at most fifteen in ten seconds", async () => {
      const clock = new SimulatedClock();
      const times: number[] = [];
      const refuse = async (): Promise<never> => {
        times.push(clock.now());
        throw strangelyDelayed(delay);
      };
      const source: ListerWatcher<ConfigMap> = { list: refuse, watch: refuse };
      const { stop } = await start(clock, source);
      for (let step = 0; step < 90; step++) await clock.advance(second);
      await stop();
      expect(times.length).toBeGreaterThan(1);
      expect(mostWithin(times, 10 * second)).toBeLessThanOrEqual(15);
    });

    test("gets a request from a RetryWatcher within 90 s, and at most fifteen in ten seconds", async () => {
      const clock = new SimulatedClock();
      const times: number[] = [];
      const controller = new AbortController();
      const watcher = new RetryWatcher<ConfigMap>({
        clock,
        log: silentLog,
        resourceVersion: "1",
        spacingMs: 0,
        signal: controller.signal,
        listerWatcher: {
          watch: async () => {
            times.push(clock.now());
            throw strangelyDelayed(delay);
          },
        },
      });
      const ended = watcher[Symbol.asyncIterator]().next();
      for (let step = 0; step < 90; step++) await clock.advance(second);
      controller.abort();
      await ended;
      expect(times.length).toBeGreaterThan(1);
      expect(mostWithin(times, 10 * second)).toBeLessThanOrEqual(15);
      expect(clock.pendingTimers).toBe(0);
    });
  },
);
