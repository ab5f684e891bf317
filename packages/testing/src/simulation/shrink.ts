import type { RunResult } from "./run.ts";
import type { LoadedScenario } from "./scenario.ts";
import type { Story } from "./story.ts";

/** Runs a story. */
export type Player = (story: Story) => Promise<RunResult>;

/** A story that breaks an invariant, and its run. */
export interface Failure {
  readonly story: Story;
  readonly result: RunResult;
}

/** Largest number of runs to reduce one story. */
const maxRuns = 400;

/**
 * Reduces a story that breaks an invariant to one that breaks the same, with as few faults, upsets,
 * actions and objects as found, and in the plain order if that is enough.
 */
export async function shrink(
  { objects = [] }: LoadedScenario,
  story: Story,
  result: RunResult,
  play: Player,
): Promise<Failure> {
  const shrinker = new Shrinker({ story, result }, play);
  // A list of the faults that a run met leads to the same run.
  const { focus: _focus, ...drawn } = story;
  const places = objects.length === 0 ? {} : { objects: objects.map((_, place) => place) };
  if (!(await shrinker.attempt({ ...drawn, ...places, faults: result.faults })))
    return shrinker.best;
  for (let before = Infinity; sizeOf(shrinker.best.story) < before;) {
    before = sizeOf(shrinker.best.story);
    for (const name of ["upsets", "faults", "actions", "objects"] as const)
      await shrinker.reduce(name);
    await shrinker.simplify();
  }
  return shrinker.best;
}

function sizeOf({ actions, faults = [], objects = [], order, upsets }: Story): number {
  return (
    actions.length + faults.length + upsets.length + objects.length + (order === "plain" ? 0 : 1)
  );
}

type StoryList = "actions" | "faults" | "objects" | "upsets";

class Shrinker {
  best: Failure;
  readonly #invariant: string | undefined;
  readonly #play: Player;
  /** Stories that did not break the invariant, as JSON: a later pass does not run them again. */
  readonly #rejected = new Set<string>();
  #runs = 0;

  constructor(first: Failure, play: Player) {
    this.best = first;
    this.#invariant = first.result.violation?.invariant;
    this.#play = play;
  }

  /** Whether a story breaks the same invariant; then it is the best so far. */
  async attempt(candidate: Story): Promise<boolean> {
    const key = JSON.stringify(candidate);
    if (this.#runs >= maxRuns || this.#rejected.has(key)) return false;
    this.#runs += 1;
    const result = await this.#play(candidate);
    if (result.violation?.invariant !== this.#invariant) {
      this.#rejected.add(key);
      return false;
    }
    this.best = { story: { ...candidate, faults: result.faults }, result };
    return true;
  }

  /** Leaves out parts of a list: all of it first, then halves, at last single members. */
  async reduce(name: StoryList): Promise<void> {
    let size = this.#list(name).length;
    while (size > 0 && this.#list(name).length > 0) {
      for (let from = 0; from < this.#list(name).length;) {
        const list: readonly unknown[] = this.#list(name);
        const rest = [...list.slice(0, from), ...list.slice(from + size)];
        const isLess = await this.attempt({ ...this.best.story, [name]: rest });
        if (!isLess) from += size;
      }
      size = size === 1 ? 0 : Math.ceil(size / 2);
    }
  }

  /** Lets everything take the same time. */
  async simplify(): Promise<void> {
    if (this.best.story.order === "plain") return;
    await this.attempt({ ...this.best.story, order: "plain" });
  }

  #list(name: StoryList): readonly unknown[] {
    return this.best.story[name] ?? [];
  }
}
