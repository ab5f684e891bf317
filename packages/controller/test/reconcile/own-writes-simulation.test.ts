import { recordOf } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
import { disturbances, OwnWritesStory, type Reading } from "../support/own-writes-story.ts";
import { playStory, type Outcome } from "../support/plan.ts";

/** `OWN_WRITES_SEEDS=1000` runs as many; 50 fit into a check. */
const count = Number(environment()["OWN_WRITES_SEEDS"] ?? 50);
const seeds = Array.from({ length: count }, (_, index) => index + 1);

function environment(): Readonly<Record<string, unknown>> {
  return recordOf(recordOf(Reflect.get(globalThis, "process"))["env"]);
}

/** Returns the problems of the first seed that has some, with the fewest steps. */
async function findProblems(reading: Reading): Promise<Outcome & { readonly seed?: number }> {
  for (const seed of seeds) {
    const outcome = await playStory(seed, disturbances, (run) =>
      new OwnWritesStory(run, reading).run(),
    );
    if (outcome.problems.length > 0) return { seed, ...outcome };
  }
  return { problems: [] };
}

describe("A reconcile, while watches break, caches lag and others write", () => {
  test.each(["notes", "ignoring"] as const)(
    "sees no state older than what its key wrote, and each foreign change; %s",
    async (reading) => {
      expect(await findProblems(reading)).toEqual({ problems: [] });
    },
  );

  test.each(["none", "mutationCache", "sameVersion"] as const)(
    "does see older states of its writes, or misses a foreign change, with %s",
    async (reading) => {
      const { length, problems, timeline } = await findProblems(reading);
      expect(problems.length).toBeGreaterThan(0);
      // A story has thirty steps.
      expect(length).toBeLessThanOrEqual(5);
      expect(timeline).toMatch(/step \d+ .*\n(?:.*\n)*.*controller {2}→ (?:POST|PATCH|DELETE) v1/);
    },
  );
});
