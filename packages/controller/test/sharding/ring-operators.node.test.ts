// Not in Chromium, as the simulation of members alone.
import { describe, expect, test } from "vitest";
import { playRing, ringBlocks } from "../support/play-ring.ts";

const trouble = ["processes", "deletions"] as const;

describe("Operators of a ring that join, leave, crash, freeze and lose requests, with clocks of other speeds", () => {
  test.each(ringBlocks(1))(
    "reconcile each object after its last change, start no key and send no write of another process, from seed %i on (SHC-3, SHC-7)",
    async (first) => {
      const { problems, reconciles } = await playRing({ trouble, reconciles: true }, first);
      expect(problems).toEqual([]);
      expect(reconciles).toBeGreaterThan(12 * 25);
    },
  );

  test("go on with a frozen reconcile when its process wakes, and send no write of it (SHC-7)", async () => {
    const { late, problems } = await playRing({ trouble, reconciles: true }, 4, 1);
    expect(problems).toEqual([]);
    expect(late).toBeGreaterThan(0);
  });

  test("refuse a write of a reconcile that began before another process owned its slot, also after a return (SHC-7)", async () => {
    const { problems, regained } = await playRing({ trouble, reconciles: true }, 7, 1);
    expect(problems).toEqual([]);
    expect(regained).toBeGreaterThan(0);
  });

  test.each([
    ["another process", "are not guarded", "unfenced", /p\d+ writes to \S+ of p\d+/],
    ["an earlier time of a slot", "are guarded too late", "late", /of an earlier time of its slot/],
  ] as const)("send writes of %s if they %s (SHC-7)", async (_, _how, writing, expected) => {
    const story = { trouble, reconciles: true, writing };
    const { problems } = await playRing(story, 7, 20);
    expect(problems.slice(1).join("\n")).toMatch(expected);
  });
});
