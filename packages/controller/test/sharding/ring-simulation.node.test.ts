// Not in Chromium, which reads request bodies in separate tasks. A simulated clock cannot see when
// they end, and advances meanwhile.
import { recordOf } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
import { RingStory, type Trouble } from "../support/ring-story.ts";
import type { RingRules } from "../../src/sharding/ring-member.ts";

/** `RING_SEEDS=3000` runs as many; 6 fit into a check. */
const count = Number(
  recordOf(recordOf(Reflect.get(globalThis, "process"))["env"])["RING_SEEDS"] ?? 6,
);
const seeds = Array.from({ length: count }, (_, index) => index + 1);

/** Returns the problems of the first seed that has some. */
async function findProblems(
  trouble: readonly Trouble[],
  rules: Partial<RingRules> = {},
  fault?: number,
): Promise<readonly string[]> {
  for (const seed of seeds) {
    const story = new RingStory(seed, trouble, rules, fault);
    await story.run();
    if (story.problems.length > 0) return [`seed ${seed}`, ...story.problems];
  }
  return [];
}

describe("A ring of processes that join, leave, crash, freeze and lose requests, with clocks of other speeds", () => {
  test("never has two owners of a slot, and ends with one of each, also if others delete its Leases and restore the storage (SHC-1, SHC-2, SHC-10)", async () => {
    expect(await findProblems(["processes", "deletions", "restores"])).toEqual([]);
  });

  test.each([
    ["without acknowledgements", { acknowledges: false }],
    ["with an expiry that is too early", { expiryShare: 0.2 }],
    ["without the end of a member that cannot renew", { fences: false }],
    [
      "if a slot is taken over before the change of its owner is stored",
      { storesFirst: false },
      0.2,
    ],
  ])("has two owners of a slot %s (SHC-10)", async (_, rules, fault?: number) => {
    const [, problem] = await findProblems(["processes"], rules, fault);
    expect(problem).toMatch(/slot \d+ has p\d+ and p\d+/);
  });
});
