import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as startTimer } from "node:timers";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { sleep } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { simulate, type Life } from "../src/index.ts";
import { untilAborted } from "./support/until-aborted.ts";

const times = { chaosMs: 5000, convergeMs: 5000, quietMs: 5000 };

async function run(start: (life: Life) => Promise<unknown>): Promise<void> {
  const scenario = { name: "a program", start };
  expect(await simulate(scenario, { ...times, seeds: 1, faults: "none" })).toBeDefined();
}

// Named imports of these modules cannot be replaced on Deno and Bun.
const isOnNode = !("Deno" in globalThis) && !("Bun" in globalThis);

describe.runIf(isOnNode)("a program with Node's modules", () => {
  test("waits in simulated time", async () => {
    const seen: unknown[] = [];
    await run(async ({ clock, signal }) => {
      const startMs = clock.now();
      seen.push(await pause(1000, "value"), clock.now() - startMs);
      await promisify(setTimeout)(1000);
      seen.push(clock.now() - startMs);
      await new Promise((resolve) => void startTimer(resolve, 1000));
      seen.push(clock.now() - startMs);
      // Node ends although it waits.
      setTimeout(() => {}, 3_600_000).unref();
      const stop = AbortSignal.timeout(500);
      await pause(1000, undefined, { signal: stop }).catch((error: unknown) => seen.push(error));
      await untilAborted(signal);
    });
    expect(seen.slice(0, 4)).toEqual(["value", 1000, 2000, 3000]);
    expect(seen[4]).toMatchObject({ name: "AbortError", code: "ABORT_ERR" });
  });

  test("clears a timer that was refreshed", async () => {
    let fired = 0;
    await run(async ({ clock, signal }) => {
      const timer = setTimeout(() => (fired += 1), 500);
      await sleep(700, { clock });
      timer.refresh();
      clearTimeout(timer);
      await untilAborted(signal);
    });
    expect(fired).toBe(1);
  });

  test("clears no timer of the simulation with one from before it", async () => {
    const before = setTimeout(() => {}, 1);
    const count = Number(before) + 1;
    let fired = 0;
    await run(async ({ signal }) => {
      for (let started = 0; started < count; started++) setTimeout(() => (fired += 1), 1000);
      clearTimeout(before);
      await untilAborted(signal);
    });
    expect(fired).toBe(count);
  });

  test("draws the random numbers of the simulation", async () => {
    const seen: string[] = [];
    const program = async ({ signal }: Life): Promise<void> => {
      seen.push(`${randomUUID()} ${randomInt(1000)} ${randomInt(5, 7)}`);
      await untilAborted(signal);
    };
    await run(program);
    await run(program);
    expect(seen[0]).toBe(seen[1]);
  });
});
