import { recordOf } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
import { disturbances, OwnWritesStory, type Reading } from "../support/own-writes-story.ts";
import {
  OwnWritesViewStory,
  viewDisturbances,
  type Noting,
} from "../support/own-writes-view-story.ts";
import { playStory, type Outcome, type StoryRun } from "../support/plan.ts";

/** `OWN_WRITES_SEEDS=1000` runs as many; 50 fit into a check. */
const seedCount = Number(environment()["OWN_WRITES_SEEDS"] ?? 50);
const seeds = Array.from({ length: seedCount }, (_, index) => index + 1);

function environment(): Readonly<Record<string, unknown>> {
  return recordOf(recordOf(Reflect.get(globalThis, "process"))["env"]);
}

type Found = Outcome & { readonly seed?: number };

/** Returns the problems of the first seed that has some, with the fewest steps. */
async function findFirst(
  count: number,
  play: (run: StoryRun) => Promise<readonly string[]>,
): Promise<Found> {
  for (const seed of seeds) {
    const outcome = await playStory(seed, count, play);
    if (outcome.problems.length > 0) return { seed, ...outcome };
  }
  return { problems: [] };
}

function findProblems(reading: Reading): Promise<Found> {
  return findFirst(disturbances, (run) => new OwnWritesStory(run, reading).run());
}

function findProblemsOfView(noting: Noting): Promise<Found> {
  return findFirst(viewDisturbances, (run) => new OwnWritesViewStory(run, noting).run());
}

describe("A reconcile, while watches break, caches lag and others write", () => {
  test.each(["notes", "ignoring"] as const)(
    "sees no state older than what its key wrote, and each foreign change; %s",
    async (reading) => {
      expect(await findProblems(reading)).toEqual({ problems: [] });
    },
  );

  test.each(["none", "mutationCache", "sameVersion", "createsUnseen"] as const)(
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

describe("A reconcile that reads a view of two namespaces with a selector", () => {
  test("sees no state older than what its key wrote, and changes of a busy namespace at once", async () => {
    expect(await findProblemsOfView("whole")).toEqual({ problems: [] });
  });

  test.each(["creates", "finalizers", "leaving", "slowest"] as const)(
    "does not if the view notes wrongly: %s",
    async (noting) => {
      const { length, problems } = await findProblemsOfView(noting);
      expect(problems.length).toBeGreaterThan(0);
      // A story has twenty steps.
      expect(length).toBeLessThanOrEqual(8);
    },
  );
});
