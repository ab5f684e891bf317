import { createClient } from "@listwatch/client";
import { configmaps } from "@listwatch/resources/core/v1";
import { describe, expect, test } from "vitest";
import { replay, simulate, type Life, type Scenario } from "../src/index.ts";
import { asking } from "./support/asking.ts";
import { untilAborted } from "./support/until-aborted.ts";

const times = { chaosMs: 20_000, convergeMs: 20_000, quietMs: 20_000 };

/** Runs a program that knows no clock, once; returns the timeline or error of the run. */
async function run(
  start: (life: Life) => Promise<unknown>,
  others: Partial<Scenario> = {},
): Promise<unknown> {
  const scenario = { name: "a program", start: asking(start), ...others };
  return simulate(scenario, { ...times, seeds: 1, faults: "none" }).catch(
    (error: unknown) => error,
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}

/** Writes one map after the other, by timers of the runtime. */
async function writeMaps({ clock, connection, random, signal }: Life): Promise<void> {
  const maps = createClient(connection, { clock, random, retries: 0 }).resource(configmaps);
  for (let number = 0; number < 5 && !signal.aborted; number++) {
    await pause(3000);
    const data = { at: String(performance.now()), id: crypto.randomUUID() };
    const metadata = { namespace: "default", name: `map-${number}` };
    await maps.apply({ metadata, data }, { fieldManager: "writer", force: true }).catch(() => {});
  }
  await untilAborted(signal);
}

/** Outcome of a left timer. In a page it may be one of the code around the program. */
const withLeftTimer =
  "document" in globalThis
    ? { runs: 1 }
    : { invariant: "leak", message: expect.stringMatching(/replica-0 has left 1 timer\b/) };

async function leaveAndWait({ signal }: Life, leave: () => unknown): Promise<void> {
  await leave();
  await untilAborted(signal);
}

function clearByNumber(): void {
  clearTimeout(Number(setTimeout(() => {}, 3_600_000)));
}

describe("a program with the functions of the runtime", () => {
  test("has the times and random numbers of the simulation, the same in each run", async () => {
    const seen: string[] = [];
    const eventually = {
      "all maps are there": (state: Parameters<NonNullable<Scenario["never"]>[string]>[0]) => {
        const found = state.list(configmaps).flatMap(({ data }) => Object.values(data ?? {}));
        if (found.length === 10) seen.push(JSON.stringify(found));
        return found.length === 10;
      },
    };
    expect(await run(writeMaps, { eventually })).toMatchObject({ runs: 1 });
    expect(await run(writeMaps, { eventually })).toMatchObject({ runs: 1 });
    expect(new Set(seen).size).toBe(1);
    // Milliseconds since the start of the run.
    expect(seen[0]).toMatch(/^\["3000(\.\d+)?"/);
  });

  test.each<readonly [string, () => unknown]>([
    ["a timer", () => setTimeout(() => {}, 3_600_000)],
    ["an interval", () => setInterval(() => {}, 1000)],
    ["a race that its timer lost", () => Promise.race([Promise.resolve(), pause(3_600_000)])],
  ])("that leaves %s breaks `leak`, but in a page nothing", async (_what, leave) => {
    expect(await run((life) => leaveAndWait(life, leave))).toMatchObject(withLeftTimer);
  });

  test.each<readonly [string, () => unknown]>([
    ["a cleared timer", () => clearTimeout(setTimeout(() => {}, 3_600_000))],
    ["a timer that is cleared by its number", () => clearByNumber()],
    ["a signal with a timeout", () => AbortSignal.timeout(3_600_000)],
  ])("that leaves %s breaks nothing", async (_what, leave) => {
    expect(await run((life) => leaveAndWait(life, leave))).toMatchObject({ runs: 1 });
  });

  test("loses its timers when it is killed", async () => {
    const lives: number[] = [];
    const start = async ({ number, signal }: Life): Promise<void> => {
      const ticking = setInterval(() => void lives.push(number), 1000);
      await untilAborted(signal);
      clearInterval(ticking);
    };
    const scenario: Scenario = { name: "a program that ticks", start: asking(start) };
    const options = { ...times, chaosMs: 120_000, firstSeed: 1, seeds: 10 };
    expect((await simulate(scenario, options)).coverage).toMatchObject({ kill: expect.anything() });
    // No life ticks after the first tick of the next one, until the next run begins.
    const back = lives.filter((life, index) => life < (lives[index - 1] ?? 0));
    expect(back.every((life) => life === 0)).toBe(true);
    expect(back.length).toBeLessThanOrEqual(9);
  });

  test("loses the timeout of its signals when it is killed, and gets it late after a pause", async () => {
    const seen: string[] = [];
    const start = async ({ clock, number, signal }: Life): Promise<void> => {
      const startedMs = clock.now();
      const late = AbortSignal.timeout(10_000);
      await untilAborted(late);
      const { name } = late.reason as Error;
      seen.push(`life ${number}: ${name} ${clock.now() - startedMs > 12_000 ? "late" : "in time"}`);
      await untilAborted(signal);
    };
    const upsets = [
      { id: 0, kind: "kill", atMs: 5000, replica: 0 },
      { id: 1, kind: "pause", atMs: 15_000, replica: 0 },
    ] as const;
    const options = { ...times, chaosMs: 90_000 };
    const story = { seed: 1, order: "plain", actions: [], upsets, faults: [], options } as const;
    await replay({ name: "one", start }, story);
    expect(seen).toEqual(["life 1: TimeoutError late"]);
  });

  test("may hold back microtasks, clone, and stream", async () => {
    const seen: unknown[] = [];
    const report = await run(async ({ signal }) => {
      let microtasks = 0;
      await new Promise<void>((resolve) => {
        const next = (): void => (++microtasks < 10_000 ? queueMicrotask(next) : resolve());
        next();
      });
      const numbers = new ReadableStream<number>({
        start: async (target) => {
          for (const each of [1, 2, 3]) {
            await pause(500);
            target.enqueue(structuredClone(each));
          }
          target.close();
        },
      });
      for await (const each of numbers) seen.push(each);
      seen.push(microtasks);
      await untilAborted(signal);
    });
    expect(report).toMatchObject({ runs: 1 });
    expect(seen).toEqual([1, 2, 3, 10_000]);
  });
});
