import { createClient } from "@listwatch/client";
import { sleep } from "@listwatch/core-fifo";
import { configmaps } from "@listwatch/resources/core/v1";
import { expect, test } from "vitest";
import {
  replay,
  simulate,
  SimulationError,
  type Life,
  type Scenario,
  type SimulateOptions,
} from "../src/index.ts";
import { untilAborted } from "./support/until-aborted.ts";

/** Writes a mark some time after its start, and again and again. */
async function markEvery(ms: number, { clock, connection, random, signal }: Life): Promise<void> {
  const maps = createClient(connection, { clock, random }).resource(configmaps);
  for (let number = 1; !signal.aborted; number++) {
    await sleep(ms, { clock, signal }).catch(() => undefined);
    const mark = { metadata: { namespace: "a", name: "mark" }, data: { number: String(number) } };
    if (!signal.aborted) await maps.apply(mark, { fieldManager: "me" }).catch(() => undefined);
  }
}

test.each<readonly [SimulateOptions, number, string]>([
  [{ convergeMs: 10_000 }, 300_000, "eventually: the mark is there"],
  [{ quietMs: 1_000_000 }, 400_000, "quiet"],
])("a story needs no option to break the same again: %j", async (options, everyMs, invariant) => {
  const scenario: Scenario = {
    name: "a slow program",
    start: (life) => markEvery(everyMs, life),
    eventually: { "the mark is there": (state) => state.get(configmaps, "a/mark") !== undefined },
  };
  const simulated = { ...options, faults: "none", seeds: 1 } as const;
  const error: unknown = await simulate(scenario, simulated).catch((reason: unknown) => reason);
  if (!(error instanceof SimulationError)) throw new Error("nothing was found", { cause: error });
  expect(error.invariant).toBe(invariant);
  expect(error.story.options).toEqual(options);
  expect(error.test).toContain(JSON.stringify(options));
  const { timeline } = error;
  await expect(replay(scenario, error.story)).rejects.toMatchObject({ invariant, timeline });
  // Options of the call take precedence, for a look at what more time changes.
  const longer = { convergeMs: 600_000, quietMs: 1000 };
  expect(await replay(scenario, error.story, longer)).toContain("PATCH");
});

const waiter: Scenario = {
  name: "a program that waits",
  start: ({ signal }) => untilAborted(signal),
  actions: { wait: () => Promise.resolve() },
  never: { "a map": (state) => state.list(configmaps).length > 0 },
};
const story = { seed: 1, order: "plain", actions: [], upsets: [], faults: [] } as const;
const request = "replica-0 GET v1 a/configmaps/x #0";

test.each<readonly [object, string]>([
  [{ seed: "1" }, 'story.seed: expected an integer of 0 or more, got the string "1"'],
  [{ seed: undefined }, "story.seed: expected an integer"],
  [{ order: "palin" }, "story.order: expected one of plain, random"],
  [{ upsets: undefined }, "story.upsets: expected an array of upsets, got undefined"],
  [{ faults: null }, "story.faults: expected an array of faults, got null"],
  [{ seeds: 1 }, "story.seeds: expected a known option, did you mean story.seed?"],
  [{ objects: [0] }, "story.objects[0]: expected an index below 0, got the number 0"],
  [{ options: { isolate: "yes" } }, "story.options.isolate: expected true or false"],
  [{ focus: { kind: "GET v1 pods", fault: "x", skip: 0 } }, "story.focus.fault: expected one of"],
  [{ actions: [{ id: 0, name: "wiat", atMs: 1 }] }, "story.actions[0].name: expected one of wait"],
  [{ upsets: [{ id: 0, kind: "explode", atMs: 1, replica: 0 }] }, "story.upsets[0].kind: expected"],
  [{ upsets: [{ id: 0, kind: "kill", atMs: NaN, replica: 0 }] }, "atMs: expected milliseconds"],
  [{ upsets: [{ id: 0, kind: "kill", atMs: 1e9, replica: 0 }] }, "from 0 to 120000"],
  [
    { upsets: [{ id: 0, kind: "kill", atMs: 1, replica: 1 }] },
    "replica: expected an index below 1",
  ],
  [{ upsets: [{ id: 0, kind: "kill", atMs: 1 }] }, "replica: expected an index below 1, got undef"],
  [{ faults: [{ request, fault: "explode" }] }, "story.faults[0].fault: expected one of 429"],
  [{ faults: [{ request, fault: "watch-end" }] }, "story.faults[0].fault: expected one of 429"],
  [{ faults: [{ request: "GET", fault: "500" }] }, "story.faults[0].request: expected a request"],
])("what is not a story of the scenario is refused: %j", async (members, message) => {
  await expect(replay(waiter, { ...story, ...members })).rejects.toThrow(message);
});
