import { recordOf } from "@listwatch/core-fifo/base";
import { RingStory, type RingStoryOptions } from "./ring-story.ts";

/** Seeds of all simulations of a ring. `RING_SEEDS=3000` runs as many; fewer fit into a check. */
const ringSeeds = Number(
  recordOf(recordOf(Reflect.get(globalThis, "process"))["env"])["RING_SEEDS"] ?? 500,
);

/** Seeds of one test: few enough for its time limit, also on a machine that is busy. */
const blockLength = 25;

/**
 * Returns the first seeds of blocks, which together have a share of all seeds.
 *
 * @param share of the seeds, of 3
 */
export function ringBlocks(share: number): readonly number[] {
  const blocks = Math.ceil((ringSeeds * share) / 3 / blockLength);
  return Array.from({ length: blocks }, (_, index) => 1 + index * blockLength);
}

/** Results of the stories of some seeds. */
interface RingResult {
  /** The seed that has failed, and its problems; empty if none has. */
  readonly problems: readonly string[];
  /** Slots that have changed their owner. */
  readonly moves: number;
  readonly reconciles: number;
  /** Reconciles that went on while another process owned their slot. */
  readonly late: number;
  /** Reconciles that went on after their process had lost the slot and taken it again. */
  readonly regained: number;
}

/** Plays stories from a seed on. Stops at the first one that has problems. */
export async function playRing(
  options: RingStoryOptions,
  first: number,
  seeds: number = blockLength,
): Promise<RingResult> {
  const counts = { moves: 0, reconciles: 0, late: 0, regained: 0 };
  const result = { problems: [] as readonly string[], ...counts };
  for (let seed = first; seed < first + seeds && result.problems.length === 0; seed++) {
    const story = new RingStory(seed, options);
    await story.run();
    result.moves += story.moves;
    result.reconciles += story.reconciles;
    result.late += story.late;
    result.regained += story.regained;
    if (story.problems.length > 0) result.problems = [`seed ${seed}`, ...story.problems];
  }
  return result;
}
