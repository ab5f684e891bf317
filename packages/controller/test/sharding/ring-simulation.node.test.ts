// Not in Chromium, which reads request bodies in separate tasks. A simulated clock cannot see when
// they end, and advances meanwhile.
import { describe, expect, test } from "vitest";
import { playRing, ringBlocks } from "../support/play-ring.ts";

describe("A ring of processes that join, leave, crash, freeze and lose requests, with clocks of other speeds", () => {
  // The remaining third of the seeds is for operators, whose stories make twice as many requests.
  test.each(ringBlocks(2))(
    "never has two owners of a slot, and ends with one of each, also if others delete its Leases and restore the storage, from seed %i on (SHC-1, SHC-2, SHC-10)",
    async (first) => {
      const trouble = ["processes", "deletions", "restores"] as const;
      const { moves, problems } = await playRing({ trouble }, first);
      expect(problems).toEqual([]);
      expect(moves).toBeGreaterThan(32 * 25);
    },
  );

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
    const { problems } = await playRing({ trouble: ["processes"], rules, fault }, first, 20);
    expect(problems[1]).toMatch(/slot \d+ has p\d+ and p\d+/);
  });
});
