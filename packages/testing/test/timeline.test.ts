import { createClient } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";
import { configmaps } from "@listwatch/resources/core/v1";
import { expect, test, vi } from "vitest";
import { replay, simulate, SimulationError, type Scenario, type Story } from "../src/index.ts";
import { formatTimeline } from "../src/plan/trace.ts";
import { asking } from "./support/asking.ts";
import { copier } from "./support/copier.ts";
import { untilAborted } from "./support/until-aborted.ts";

const plain: Story = { seed: 1, order: "plain", actions: [], upsets: [], faults: [] };
const actions = [{ id: 0, name: "order", atMs: 1000 }];

test("an action of a user shows its writes, with their objects", async () => {
  const scenario: Scenario = {
    name: "a shop",
    start: ({ signal }) => untilAborted(signal),
    actions: {
      order: async ({ client }) => {
        const maps = client.resource(configmaps);
        await maps.create({ metadata: { namespace: "shop", name: "one" } });
        await maps.get("shop/one");
        await maps.delete("shop/one");
        await maps.delete("shop/two");
      },
    },
  };
  const lines = (await replay(scenario, { ...plain, actions })).split("\n");
  expect(lines.filter((line) => line.includes(" user ")).map((line) => line.slice(25))).toEqual([
    "order",
    "order: POST v1 shop/configmaps/one",
    "order: DELETE v1 shop/configmaps/one",
    'order is refused: configmaps "two" not found',
  ]);
});

test("a line of the log has its fields; a life that was killed writes none", async () => {
  const scenario: Scenario = {
    name: "a logger",
    start: async ({ clock, log, number, signal }) => {
      const fields = { key: "a/b", error: new RangeError("too far"), object: { large: true } };
      log.warn(`life ${number}`, fields);
      setTimeout(() => log.warn("later", {}), 5000);
      await sleep(5000, { clock, signal }).catch(() => undefined);
      await untilAborted(signal);
    },
  };
  const upsets = [{ id: 0, kind: "kill", atMs: 1000, replica: 0 }] as const;
  const timeline = await replay(scenario, { ...plain, upsets });
  expect(timeline).toContain("warn: life 0 (key=a/b, error=RangeError: too far)");
  expect(timeline.match(/warn: later/g)).toHaveLength(1);
});

test("repeated reads at the end of a run are one line", async () => {
  const eventually = { "it is done": () => false };
  const work = simulate({ ...copier, eventually }, { seeds: 1, faults: "none" });
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!(error instanceof SimulationError)) throw new Error("nothing was found", { cause: error });
  expect(error.timeline).toMatch(
    /repeats \d+ reads and renewals of watches and leases until [67]\d\d\.\d+ s\n/,
  );
  expect(error.timeline.split("\n").length).toBeLessThan(20);
});

test("few repeated reads in a row stay as they are", () => {
  const what = "→ GET v1 pods watch";
  const entries = Array.from({ length: 5 }, (_, index) => ({ atMs: index, who: "one", what }));
  expect(formatTimeline(entries).split("\n")).toHaveLength(5);
});

test("the runs that reduce a story print nothing", async () => {
  const print = vi.spyOn(console, "log").mockImplementation(() => undefined);
  const scenario: Scenario = {
    name: "a printer",
    start: asking(async ({ signal }) => {
      console.log("starts");
      await untilAborted(signal);
    }),
    never: { late: ({ nowMs }) => nowMs > 5000 },
  };
  await expect(simulate(scenario, { seeds: 1, faults: "none" })).rejects.toThrow("never: late");
  expect(print).toHaveBeenCalledTimes(1);
  print.mockRestore();
});

test("a failure names its seed, and the runs before it if its faults depend on them", async () => {
  const scenario: Scenario = {
    name: "a program",
    start: async ({ connection, signal }) => {
      const maps = createClient(connection, { retries: 0 }).resource(configmaps);
      await maps.create({ metadata: { namespace: "a", name: "b" } }).catch(() => undefined);
      await untilAborted(signal);
    },
  };
  const times = { chaosMs: 1000, convergeMs: 1000, quietMs: 60_000, seeds: 100 };
  const found: string[] = [];
  for (const isLate of [false, true]) {
    let runs = 0;
    const failing: Scenario = {
      ...scenario,
      never: {
        x: ({ nowMs }) => nowMs === 0 && ++runs > (isLate ? 51 : 0),
      },
    };
    const error: unknown = await simulate(failing, times).catch((reason: unknown) => reason);
    found.push(String(error).split("\n")[0] ?? "");
  }
  expect(found[0]).toContain('broke "never: x" with seed 1: it holds');
  expect(found[1]).toContain('broke "never: x" with seed 52 after the runs from seed 1: it holds');
});

test.each([
  [{ firstSeed: Number.MAX_SAFE_INTEGER }, "firstSeed: expected an integer from 0 to 4294967296"],
  [{ chaosMs: Infinity }, "chaosMs: expected a number from 0 to 31536000000"],
])("options without an end are refused: %j", async (options, message) => {
  await expect(simulate(copier, options)).rejects.toThrow(message);
});
