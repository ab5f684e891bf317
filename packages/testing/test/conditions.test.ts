import { createClient } from "@listwatch/client";
import { configmaps } from "@listwatch/resources/core/v1";
import { describe, expect, test } from "vitest";
import {
  replay,
  simulate,
  SimulationError,
  type Scenario,
  type StateCheck,
  type Story,
} from "../src/index.ts";
import { untilAborted } from "./support/until-aborted.ts";

const times = { chaosMs: 20_000, convergeMs: 1000, quietMs: 20_000 } as const;
const plain: Story = { seed: 1, order: "plain", actions: [], upsets: [], faults: [] };

/** A program that creates ConfigMaps at the same time. */
function creating(...names: readonly string[]): Scenario {
  return {
    name: "some maps",
    start: async ({ clock, connection, random, signal }) => {
      const maps = createClient(connection, { clock, random }).resource(configmaps);
      const created = names.map((name) => maps.create({ metadata: { namespace: "a", name } }));
      await Promise.allSettled(created);
      await untilAborted(signal);
    },
  };
}

/** Simulates a scenario without faults, and returns its failure. */
async function failureOf(scenario: Scenario): Promise<SimulationError> {
  const work = simulate(scenario, { ...times, seeds: 3, faults: "none" });
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (error instanceof SimulationError) return error;
  throw new Error("nothing was found", { cause: error });
}

describe("a condition of never is checked", () => {
  test("after each of several writes of one moment", async () => {
    const seen = new Set<number>();
    const count: StateCheck = (state) => void seen.add(state.list(configmaps).length);
    await replay({ ...creating("x", "y", "z"), never: { count } }, plain);
    expect([...seen]).toEqual([0, 1, 2, 3]);
  });

  test("between the writes of a user's action", async () => {
    const { invariant, story } = await failureOf({
      ...creating("x"),
      actions: {
        "create and delete": async ({ client }) => {
          const maps = client.resource(configmaps);
          await maps.create({ metadata: { namespace: "b", name: "one" } });
          await maps.create({ metadata: { namespace: "b", name: "two" } });
          await maps.delete("b/one");
          await maps.delete("b/two");
        },
      },
      never: {
        "two at once": (state) =>
          state.get(configmaps, "b/one") !== undefined &&
          state.get(configmaps, "b/two") !== undefined,
      },
    });
    expect(invariant).toBe("never: two at once");
    expect(story.actions).toHaveLength(1);
  });

  test("on the objects of the scenario as a whole", async () => {
    const names = ["one", "two"];
    const objects = names.map((name) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { namespace: "b", name },
    }));
    const isHalf: StateCheck = (state) =>
      (state.get(configmaps, "b/one") === undefined) !==
      (state.get(configmaps, "b/two") === undefined);
    const timeline = await replay({ ...creating("x"), objects, never: { isHalf } }, plain);
    expect(timeline).toContain("replica-0  ← 201 POST v1 a/configmaps");
  });

  test("at the end, also without a write", async () => {
    const never: Scenario["never"] = { late: ({ nowMs }) => nowMs > 5000 };
    expect(await failureOf({ ...creating("x"), never })).toMatchObject({
      invariant: "never: late",
    });
  });
});

describe("a condition that cannot be checked is a failure with its name and story", () => {
  const cause = new TypeError("cannot read 'a' of undefined");
  const fail = (): never => {
    throw cause;
  };

  test.each(["never", "eventually"] as const)("%s: it throws", async (kind) => {
    const error = await failureOf({ ...creating("x"), [kind]: { x: fail } });
    expect(error).toMatchObject({ invariant: `scenario: ${kind}: x`, story: plain, cause });
    expect(error.message).toContain("the function throws TypeError: cannot read 'a' of undefined");
  });

  test.each<readonly [string, () => unknown, string]>([
    ["a promise", () => Promise.resolve(true), "returns a promise, expected true, false"],
    ["a promise that rejects", () => Promise.reject(cause), "returns a promise"],
    ["a number", () => 1, "returns the number 1, expected"],
    ["an object", () => ({}), "returns {}, expected"],
    ["null", () => null, "returns null, expected"],
  ])("it returns %s", async (_, condition, found) => {
    for (const kind of ["never", "eventually"]) {
      const error = await failureOf({ ...creating("x"), [kind]: { x: condition } });
      expect(error.invariant).toBe(`scenario: ${kind}: x`);
      expect(error.message).toContain(found);
    }
  });

  test("it reads objects of no resource", async () => {
    const never: Scenario["never"] = { x: (state) => state.list("configmaps" as never).length > 0 };
    const error = await failureOf({ ...creating("x"), never });
    expect(error.message).toContain('expected a resource, got the string "configmaps"');
  });

  test("it changes an object", async () => {
    const never: Scenario["never"] = {
      x: (state) => {
        for (const map of state.list(configmaps)) Object.assign(map.metadata, { name: "y" });
        return false;
      },
    };
    const error = await failureOf({ ...creating("x"), never });
    expect(error.invariant).toBe("scenario: never: x");
    // V8 says "read only property", JavaScriptCore "readonly property".
    expect(error.message).toMatch(/read ?only property/);
  });
});

describe("an action that cannot be run is a failure with its name and story", () => {
  const cause = new Error("out of order");

  test.each<readonly [string, () => unknown, string]>([
    [
      "throws",
      () => {
        throw cause;
      },
      "the function throws Error: out of order",
    ],
    ["rejects", () => Promise.reject(cause), "the function rejects with Error: out of order"],
    ["returns no promise", () => 1, "the function returns the number 1, expected a promise"],
  ])("it %s", async (_, run, found) => {
    const actions = { order: run } as never;
    const error = await failureOf({ ...creating("x"), actions });
    expect(error.invariant).toBe("scenario: action order");
    expect(error.message).toContain(found);
    expect(error.story.actions).toHaveLength(1);
  });
});
