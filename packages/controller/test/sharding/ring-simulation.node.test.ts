// Not in Chromium, which reads request bodies in separate tasks. A simulated clock cannot see when
// they end, and advances meanwhile.
import { recordOf } from "@listwatch/core-fifo/base";
import { describe, expect, test } from "vitest";
import { RingStory, type RingStoryOptions } from "../support/ring-story.ts";

/** `RING_SEEDS=3000` runs as many; 3 fit into a check. */
const count = Number(
  recordOf(recordOf(Reflect.get(globalThis, "process"))["env"])["RING_SEEDS"] ?? 3,
);

interface Result {
  readonly problems: readonly string[];
  readonly reconciles: number;
  readonly late: number;
}

/** Stops at the first seed that has problems. */
async function play(options: RingStoryOptions, first = 4, seeds = count): Promise<Result> {
  const result = { problems: [] as readonly string[], reconciles: 0, late: 0 };
  for (let seed = first; seed < first + seeds && result.problems.length === 0; seed++) {
    const story = new RingStory(seed, options);
    await story.run();
    result.reconciles += story.reconciles;
    result.late += story.late;
    if (story.problems.length > 0) result.problems = [`seed ${seed}`, ...story.problems];
  }
  return result;
}

describe("A ring of processes that join, leave, crash, freeze and lose requests, with clocks of other speeds", () => {
  test("never has two owners of a slot, and ends with one of each, also if others delete its Leases and restore the storage (SHC-1, SHC-2, SHC-10)", async () => {
    const { problems } = await play({ trouble: ["processes", "deletions", "restores"] });
    expect(problems).toEqual([]);
  });

  test("reconciles each object after its last change, starts no key and sends no write of another process (SHC-3, SHC-7)", async () => {
    const trouble = ["processes", "deletions"] as const;
    const { late, problems, reconciles } = await play({ trouble, reconciles: true });
    expect(problems).toEqual([]);
    expect(reconciles).toBeGreaterThan(12 * count);
    // A frozen reconcile goes on when its process wakes, and its writes are refused.
    expect(late).toBeGreaterThan(0);
  });

  test("sends writes of another process if reconciles do not use their own client (SHC-7)", async () => {
    const story = {
      trouble: ["processes", "deletions"],
      reconciles: true,
      isFenced: false,
    } as const;
    const { problems } = await play(story, 7, 20);
    expect(problems[1]).toMatch(/p\d+ writes to \S+ of p\d+/);
  });

  test.each([
    ["without acknowledgements", { acknowledges: false }, 3],
    ["with an expiry that is too early", { expiryShare: 0.2 }, 4],
    ["without the end of a member that cannot renew", { fences: false }, 4],
    [
      "if a slot is taken over before the change of its owner is stored",
      { storesFirst: false },
      2,
      0.2,
    ],
  ])("has two owners of a slot %s (SHC-10)", async (_, rules, first, fault?: number) => {
    const { problems } = await play({ trouble: ["processes"], rules, fault }, first, 20);
    expect(problems[1]).toMatch(/slot \d+ has p\d+ and p\d+/);
  });
});
