import { reduceList } from "../plan/reduce.ts";
import type { RunResult } from "./run.ts";
import type { LoadedScenario } from "./scenario.ts";
import type { Story, StoryFault } from "./story.ts";

/** Runs a story. */
export type Player = (story: Story) => Promise<RunResult>;

/** A story that breaks an invariant, and its run. */
export interface Failure {
  readonly story: Story;
  readonly result: RunResult;
}

/** Largest number of runs to reduce one story. */
const maxRuns = 400;
/** The same for faults with lower numbers, and the most faults and lists that are tried. */
const maxLoweredRuns = 60;
const maxLoweredFaults = 3;
const maxLoweredLists = 6;

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
    await shrinker.simplify();
    for (const name of ["upsets", "faults", "actions", "objects"] as const)
      await shrinker.reduce(name);
    // Costs more runs, so only where nothing else helps.
    if (sizeOf(shrinker.best.story) === before) await shrinker.reduceWithLowerFaults();
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
  #lowered = 0;

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

  /** Leaves out parts of a list. */
  async reduce(name: StoryList): Promise<void> {
    await reduceList(this.#list(name), async (shorter) =>
      (await this.attempt({ ...this.best.story, [name]: shorter })) ? this.#list(name) : undefined,
    );
  }

  /**
   * Leaves out actions and upsets, one or two at a time. Fewer requests of the same kind then come
   * before one with a fault, so the faults are tried with lower numbers.
   */
  async reduceWithLowerFaults(): Promise<void> {
    const isTried = (this.best.story.faults ?? []).length <= maxLoweredFaults;
    for (const name of isTried ? (["upsets", "actions"] as const) : []) {
      for (const size of [2, 1]) {
        for (let from = 0; from + size <= this.#list(name).length;) {
          const rest = this.#list(name).toSpliced(from, size);
          if (!(await this.#attemptLowered({ ...this.best.story, [name]: rest }))) from += 1;
        }
      }
    }
  }

  async #attemptLowered(candidate: Story): Promise<boolean> {
    for (const faults of loweredFaults(candidate.faults ?? [])) {
      if (this.#lowered >= maxLoweredRuns) return false;
      this.#lowered += 1;
      if (await this.attempt({ ...candidate, faults })) return true;
    }
    return false;
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

/** Returns lists of the same faults whose requests have lower numbers, the least change first. */
function loweredFaults(faults: readonly StoryFault[]): readonly (readonly StoryFault[])[] {
  let lists: readonly Lowered[] = [{ faults: [], by: 0 }];
  for (const { fault, request } of faults) {
    const [, text = request, number = "0"] = /^(.*#)(\d+)$/.exec(request) ?? [];
    const numbers = Array.from({ length: Number(number) + 1 }, (_, index) => index);
    lists = lists
      .flatMap((list) =>
        numbers.map((each) => ({
          faults: [...list.faults, { fault, request: `${text}${each}` }],
          by: list.by + Number(number) - each,
        })),
      )
      .toSorted((left, right) => left.by - right.by)
      .slice(0, maxLoweredLists + 1);
  }
  return lists.slice(1).map((list) => list.faults);
}

interface Lowered {
  readonly faults: readonly StoryFault[];
  /** Sum of the differences of the numbers. */
  readonly by: number;
}
