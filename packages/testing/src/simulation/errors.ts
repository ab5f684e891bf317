import { ListwatchError } from "@listwatch/core-fifo";
import type { Story } from "./story.ts";

/**
 * The program called something that a simulation cannot repeat: a socket, a file, a process, a
 * worker, a digest of WebCrypto. Its stack shows the call. Code `LW_SIMULATION_ESCAPE`.
 */
export class EscapeError extends ListwatchError {
  /** Always `"EscapeError"`, also in minified programs. */
  override readonly name: string = "EscapeError";

  /** @param called name of the function that was called */
  constructor(called: string) {
    super("LW_SIMULATION_ESCAPE", `Cannot simulate a call of ${called}`, {
      advice: "Pass what it does to the program as an option, and pass a simple one in simulations",
    });
  }
}

/** A run broke an invariant of its scenario. Code `LW_SIMULATION_FAILED`. */
export class SimulationError extends ListwatchError {
  /** Always `"SimulationError"`, also in minified programs. */
  override readonly name: string = "SimulationError";
  /** The broken invariant, such as `never: two pods of one index`. */
  readonly invariant: string;
  /** The shortest story that was found to break it. Pass it to `replay`. */
  readonly story: Story;
  /** A test to paste, which repeats the story: it passes once the program is repaired. */
  readonly test: string;
  /** The run of this story: a line for each request, event, fault and action. */
  readonly timeline: string;

  /** Describes the failure by its shortest story. */
  constructor(failure: {
    readonly scenario: string;
    readonly seed: number;
    /** First seed of the runs before, if the faults of this one depend on them. */
    readonly firstSeed?: number | undefined;
    readonly invariant: string;
    readonly found: string;
    readonly story: Story;
    readonly timeline: string;
    readonly cause?: unknown;
  }) {
    const { cause, firstSeed, found, invariant, scenario, seed, story, timeline } = failure;
    const after = firstSeed === undefined ? "" : ` after the runs from seed ${firstSeed}`;
    super(
      "LW_SIMULATION_FAILED",
      `The simulation of ${scenario} broke "${invariant}" with seed ${seed}${after}: ${found}\n\n` +
        `${timeline}\n\nThe story: ${JSON.stringify(story)}`,
      { advice: "Read the timeline from its end; replay(scenario, story) runs it again", cause },
    );
    this.invariant = invariant;
    this.story = story;
    this.timeline = timeline;
    const title = JSON.stringify(`${scenario} keeps "${invariant}"`);
    const data = JSON.stringify(story);
    this.test = `test(${title}, async () => {\n  await replay(scenario, ${data});\n});\n`;
  }
}
