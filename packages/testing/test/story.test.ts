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
