import { randomBytes, randomFill, randomFillSync, randomInt, randomUUID } from "node:crypto";
import { hrtime, uptime } from "node:process";
import { setTimeout as startTimer } from "node:timers";
import { scheduler, setInterval as startTicks, setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { sleep } from "@listwatch/core-fifo";
import { describe, expect, test } from "vitest";
import { simulate, type Life } from "../src/index.ts";
import { asking } from "./support/asking.ts";
import { untilAborted } from "./support/until-aborted.ts";

const times = { chaosMs: 5000, convergeMs: 5000, quietMs: 5000 };

async function run(start: (life: Life) => Promise<unknown>): Promise<void> {
  const scenario = { name: "a program", start: asking(start) };
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

  test("waits for ticks and tasks, and measures, in simulated time", async () => {
    const seen: unknown[] = [];
    await run(async ({ signal }) => {
      const before = hrtime();
      for await (const tick of startTicks(1000, "tick")) {
        seen.push(tick);
        if (seen.length === 2) break;
      }
      await scheduler.wait(500);
      seen.push(hrtime(before), hrtime.bigint(), process.hrtime()[0], uptime());
      await untilAborted(signal);
    });
    expect(seen).toEqual(["tick", "tick", [2, 500_000_000], 2_500_000_000n, 2, 2.5]);
    expect(hrtime()[0]).toBeGreaterThan(2);
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
      const parts = new Uint16Array(4);
      randomFillSync(parts, 1, 2);
      const bytes = randomBytes(8);
      const later = await promisify(randomBytes)(4);
      await promisify(randomFill)(bytes);
      const late = await new Promise((resolve) => randomInt(9, (_, value) => resolve(value)));
      const numbers = `${randomInt(1000)} ${randomInt(5, 7)} ${String(late)}`;
      const texts = [bytes, later, randomBytes(2)].map((each) => each.toString("hex")).join(" ");
      seen.push(`${randomUUID()} ${numbers} ${texts} ${parts.join(" ")}`);
      await untilAborted(signal);
    };
    await run(program);
    await run(program);
    expect(seen[0]).toMatch(/^[-\w]{36} \d+ [56] [0-8] \w{16} \w{8} \w{4} 0 \d+ \d+ 0$/);
    expect(seen[0]).toBe(seen[1]);
  });
});
