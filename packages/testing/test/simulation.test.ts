import { createClient } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";
import { configmaps } from "@listwatch/resources/core/v1";
import { describe, expect, test } from "vitest";
import {
  EscapeError,
  replay,
  simulate,
  SimulationError,
  type Life,
  type Scenario,
} from "../src/index.ts";
import { asking } from "./support/asking.ts";
import { untilAborted } from "./support/until-aborted.ts";

type Program = (life: Life) => Promise<unknown>;

/** Runs a program once, and returns the error. */
async function failureOf(start: Program, more: Partial<Scenario> = {}): Promise<unknown> {
  const scenario = { name: "a program", start, ...more };
  return simulate(scenario, { seeds: 1, faults: "none" }).catch((error: unknown) => error);
}

describe("a program that reaches out of the simulation", () => {
  test.each([
    ["fetch", () => fetch("http://127.0.0.1/")],
    ["crypto.subtle.digest", () => crypto.subtle.digest("SHA-256", new Uint8Array())],
  ])("is ended with the name of the call: %s", async (name, call) => {
    const before = Reflect.get(globalThis, "fetch") as unknown;
    const error = await failureOf(async ({ clock, signal }) => {
      await sleep(1000, { clock });
      await call().catch(() => undefined);
      await untilAborted(signal);
    });
    expect(error).toBeInstanceOf(EscapeError);
    expect(String(error)).toContain(`Cannot simulate a call of ${name}`);
    expect(Reflect.get(globalThis, "fetch")).toBe(before);
  });
});

test("the runtime's time, timers and random numbers are those of the simulation", async () => {
  const seen: unknown[] = [];
  const start: Program = async ({ clock, signal }) => {
    const startedMs = Date.now();
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    seen.push(Date.now() - startedMs, Math.floor(clock.now()) - Date.now());
    seen.push(Math.random(), crypto.randomUUID());
    const late = AbortSignal.timeout(1000);
    await untilAborted(late);
    seen.push(new Date().getTime() - startedMs);
    await untilAborted(signal);
  };
  await simulate({ name: "times", start: asking(start) }, { seeds: 1, faults: "none" });
  const first = seen.splice(0);
  expect([first[0], first[1], first[4]]).toEqual([60_000, 0, 61_000]);
  await simulate({ name: "times", start: asking(start) }, { seeds: 1, faults: "none" });
  expect(seen).toEqual(first);
  expect(Math.abs(Date.now() - Date.UTC(2026, 0, 1))).toBeGreaterThan(86_400_000);
});

describe("a program breaks the invariant", () => {
  test("quiet, if it writes although nothing changes", async () => {
    const error = await failureOf(async ({ clock, connection, random, signal }) => {
      const maps = createClient(connection, { clock, random }).resource(configmaps);
      for (let number = 0; !signal.aborted; number++) {
        const data = { number: String(number) };
        await maps.apply({ metadata: { namespace: "a", name: "b" }, data }, { fieldManager: "me" });
        await sleep(10_000, { clock, signal }).catch(() => undefined);
      }
    });
    expect(error).toMatchObject({ invariant: "quiet" });
  });

  test("leak, if it leaves a timer", async () => {
    const error = await failureOf(async ({ clock, signal }) => {
      clock.setTimeout(() => undefined, 1e9);
      await untilAborted(signal);
    });
    expect(error).toMatchObject({ invariant: "leak" });
    expect(String(error)).toContain("replica-0 has left 1 timer");
  });

  test("leak, if it does not end", async () => {
    const error = await failureOf(() => new Promise(() => undefined));
    expect(String(error)).toContain("still running after 60 s");
  });

  test("eventually, with what was found", async () => {
    const eventually = { "it is done": () => "it has not begun" };
    const error = await failureOf(({ signal }) => untilAborted(signal), { eventually });
    expect(error).toBeInstanceOf(SimulationError);
    expect(error).toMatchObject({ invariant: "eventually: it is done" });
    expect(String(error)).toContain("it has not begun");
  });
});

test("a failure is a story, which breaks the same when it is run again", async () => {
  const scenario: Scenario = {
    name: "a program that minds its end",
    start: async ({ connection, number, signal }) => {
      if (number > 0) {
        const maps = createClient(connection).resource(configmaps);
        const draft = { metadata: { namespace: "a", name: "started-twice" } };
        await maps.create(draft).catch(() => undefined);
      }
      await untilAborted(signal);
    },
    never: { "a second start": (state) => state.get(configmaps, "a/started-twice") !== undefined },
  };
  const error: unknown = await simulate(scenario).catch((reason: unknown) => reason);
  if (!(error instanceof SimulationError)) throw new Error("nothing was found", { cause: error });
  const { story, timeline } = error;
  expect(story.upsets).toHaveLength(1);
  expect([story.faults, story.actions, story.order]).toEqual([[], [], "plain"]);
  expect(timeline).toMatch(/starts again/);
  expect(error.test).toContain('test("a program that minds its end keeps \\"never: a second start');
  expect(error.test).toContain(`replay(scenario, ${JSON.stringify(story)})`);
  const copy = JSON.parse(JSON.stringify(story)) as typeof story;
  await expect(replay(scenario, copy)).rejects.toMatchObject({
    invariant: error.invariant,
    timeline,
  });
  expect(await replay(scenario, { ...story, upsets: [] })).not.toContain("starts again");
});

test("two simulations at the same time are refused", async () => {
  const scenario: Scenario = { name: "one", start: asking(({ signal }) => untilAborted(signal)) };
  const first = simulate(scenario, { seeds: 1 });
  await expect(simulate(scenario, { seeds: 1 })).rejects.toThrow("two simulations");
  expect((await first).runs).toBe(1);
});

test("a scenario that cannot be built does not prevent the next simulation", async () => {
  const objects = [{ apiVersion: "x/v1", kind: "Nope", metadata: { name: "a" } }];
  await expect(simulate({ ...valid, objects }, { seeds: 1 })).rejects.toThrow("Nope");
  expect((await simulate(valid, { seeds: 1 })).runs).toBe(1);
});

test("wrong options are refused with their names", async () => {
  const scenario: Scenario = { name: "one", start: asking(({ signal }) => untilAborted(signal)) };
  await expect(simulate(scenario, { seeds: 0 })).rejects.toThrow("seeds");
  await expect(simulate(scenario, { faults: "all" as "none" })).rejects.toThrow(
    "one of none, production",
  );
});

test.each<readonly [object, string]>([
  [{ name: "one" }, "start"],
  [{ start: () => Promise.resolve() }, "name"],
  [{ eventualy: {} }, "eventually"],
  [{ never: { "two pods": true } }, "functions by name"],
  [{ replicas: 0 }, "replicas"],
])("a wrong scenario is refused: %j", async (members, named) => {
  const scenario = "start" in members || "name" in members ? members : { ...valid, ...members };
  await expect(simulate(scenario as Scenario, { seeds: 1 })).rejects.toThrow(named);
});

const valid: Scenario = { name: "one", start: asking(({ signal }) => untilAborted(signal)) };
