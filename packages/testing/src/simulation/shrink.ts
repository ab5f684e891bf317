import { type Failure, shrink } from "../plan/shrink.ts";
import type { RunResult } from "./run.ts";
import type { LoadedScenario } from "./scenario.ts";
import type { Fault, Story } from "./story.ts";

/** Runs a story. */
export type Player = (story: Story) => Promise<RunResult>;

/**
 * Reduces a story that breaks an invariant to one that breaks the same, with as few faults, upsets,
 * actions and objects as found, and in the plain order if that is enough.
 */
export async function shrinkStory(
  { objects = [] }: LoadedScenario,
  first: Failure<Story, RunResult>,
  play: Player,
): Promise<Failure<Story, RunResult>> {
  // A list of the faults that a run met leads to the same run.
  const { focus: _focus, ...drawn } = first.story;
  const places = objects.length === 0 ? {} : { objects: objects.map((_, place) => place) };
  const restore = silenceConsole();
  try {
    return await shrink<Fault, Story, RunResult>(
      first,
      { ...drawn, ...places, faults: first.result.faults },
      {
        play,
        lists: ["upsets", "faults", "actions", "objects"],
        causes: ["upsets", "actions"],
        simplify: (story) => (story.order === "plain" ? undefined : { ...story, order: "plain" }),
      },
    );
  } finally {
    restore();
  }
}

/** Hundreds of runs of one story would print the same lines. Returns a function that ends it. */
function silenceConsole(): () => void {
  const methods = ["debug", "error", "info", "log", "warn"] as const;
  const before = methods.map((name) => [name, console[name]] as const);
  for (const name of methods) console[name] = () => undefined;
  return () => {
    for (const [name, print] of before) console[name] = print;
  };
}
