// Random tests of packages: a story of numbered steps and of faults, which is drawn from a seed.
// One that shows a problem is reduced to the fewest steps and faults, and told line by line. The
// simulations of users (`packages/testing`) draw, fail and reduce with the same functions.
import type { Clock } from "@listwatch/core-fifo";
import { seededRandom, type Random } from "@listwatch/core-fifo/base";
import { hashText } from "../../packages/testing/src/plan/draw.ts";
import { FaultPlan, type PlannedFault } from "../../packages/testing/src/plan/fault-plan.ts";
import { shrink, type Violation } from "../../packages/testing/src/plan/shrink.ts";
import { formatTimeline, Trace } from "../../packages/testing/src/plan/trace.ts";
import type { ServerFault } from "./server-faults.ts";

export { drawInteger } from "../../packages/testing/src/plan/draw.ts";
export { passTime } from "../../packages/testing/src/plan/pass-time.ts";

/** All that a run depends on. */
interface Story {
  readonly seed: number;
  readonly steps: readonly number[];
  readonly faults: readonly PlannedFault<ServerFault>[] | undefined;
}

/** A run of a story: its draws, its faults, and its trace. */
export class StoryRun {
  readonly seed: number;
  /** Numbers of the steps to run. */
  readonly steps: readonly number[];
  readonly faults: FaultPlan<ServerFault>;
  readonly trace: Trace = new Trace(() => this.#now());
  #now = (): number => 0;

  constructor({ faults, seed, steps }: Story) {
    this.seed = seed;
    this.steps = steps;
    this.faults = new FaultPlan(seed, faults);
  }

  /** Takes the times of the trace from a clock, from now on. */
  follow(clock: Clock): void {
    const startMs = clock.now();
    this.#now = () => clock.now() - startMs;
  }

  get timeline(): string {
    return formatTimeline(this.trace.entries);
  }

  /** Random numbers of a step, which depend on no other step. */
  randomOf(step: number): Random {
    return seededRandom(hashText(`${this.seed} step ${step}`));
  }

  /** Notes what a step does. */
  tell(step: number, what: string): void {
    this.trace.add(`step ${step}`, what);
  }
}

/** How a story went. */
export interface Outcome {
  /** Descriptions of what is wrong. */
  readonly problems: readonly string[];
  /** Number of steps and faults of the shortest story with the first problem, if there is one. */
  readonly length?: number;
  /** The shortest story, with a line for each step, request, fault and event. */
  readonly timeline?: string;
}

/**
 * Runs the story of a seed, and shorter ones if there is a problem: steps and faults are left out
 * as long as the first problem is of the same kind.
 *
 * @param count number of steps
 * @param play runs a story; returns what is wrong. What a step draws must not depend on other steps
 */
export async function playStory(
  seed: number,
  count: number,
  play: (run: StoryRun) => Promise<readonly string[]>,
): Promise<Outcome> {
  const tell = async (story: Story) => {
    const run = new StoryRun(story);
    const problems = await play(run);
    return { problems, faults: run.faults.met, violation: violationOf(problems), run };
  };
  const steps = Array.from({ length: count }, (_, step) => step);
  const story = { seed, steps, faults: undefined };
  const result = await tell(story);
  const { problems } = result;
  if (problems.length === 0) return { problems };
  const complete = { ...story, faults: result.faults };
  const least = await shrink<ServerFault, Story, typeof result>({ story, result }, complete, {
    play: tell,
    lists: ["faults", "steps"],
    causes: ["steps"],
  });
  const { faults = [], steps: left } = least.story;
  return {
    problems: least.result.problems,
    length: left.length + faults.length,
    timeline: `\n${least.result.run.timeline}\n`,
  };
}

/** The kind of a problem is its text without numbers and values. */
function violationOf([found]: readonly string[]): Violation | undefined {
  if (found === undefined) return undefined;
  return { found, invariant: found.replace(/[{[].*$/s, "").replaceAll(/\d+/g, "#") };
}
