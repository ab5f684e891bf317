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

  test("send writes of another process if reconciles do not use their own client (SHC-7)", async () => {
    const story = { trouble, reconciles: true, writing: "unfenced" } as const;
    const { problems } = await playRing(story, 7, 20);
    expect(problems.slice(1).join()).toMatch(/p\d+ writes to \S+ of p\d+/);
  });

  test("refuse a write of a reconcile that began before another process owned its slot, also after a return (SHC-7)", async () => {
    const { problems, regained } = await playRing({ trouble, reconciles: true }, 7, 1);
    expect(problems).toEqual([]);
    expect(regained).toBeGreaterThan(0);
  });

  test("send such a write if reconciles take their client late (SHC-7)", async () => {
    const story = { trouble, reconciles: true, writing: "late" } as const;
    const { problems } = await playRing(story, 7, 20);
    expect(problems[1]).toMatch(/p\d+ writes to \S+ of an earlier time of its slot/);
  });
});
