import type { PlannedFault } from "./fault-plan.ts";
import { reduceList } from "./reduce.ts";

/** A condition that a run broke. */
export interface Violation {
  /** Name of the invariant, such as `never: two pods of one index`, `quiet` or `rights: get pods`. */
  readonly invariant: string;
  /** Description of the state that broke it. */
  readonly found: string;
  /** The error of the program or of the scenario, if that is what broke it. */
  readonly cause?: unknown;
}

/** All that a run depends on, as plain data. Other members than the faults are lists as well. */
interface StoryData<Fault extends string> {
  /** The faults of requests; `undefined` draws them. */
  readonly faults?: readonly PlannedFault<Fault>[] | undefined;
}

/** How a run went, as far as reducing its story needs it. */
interface Outcome<Fault extends string> {
  readonly violation: Violation | undefined;
  /** The faults that met a request. */
  readonly faults: readonly PlannedFault<Fault>[];
}

/** A story that breaks an invariant, and its run. */
export interface Failure<Story, Result> {
  readonly story: Story;
  readonly result: Result;
}

/** How to reduce a story. */
export interface Reduction<Story, Result> {
  /** Runs a story. */
  readonly play: (story: Story) => Promise<Result>;
  /** Names of the lists that are reduced, in this order. */
  readonly lists: readonly (keyof Story)[];
  /** The lists among them whose members make requests. */
  readonly causes: readonly (keyof Story)[];
  /** Makes a story simpler without leaving something out; `undefined` if it is so simple. */
  readonly simplify?: (story: Story) => Story | undefined;
}

/** Largest number of runs to reduce one story. */
const maxRuns = 400;
/** The same for faults with lower numbers, and the most faults and lists that are tried. */
const maxLoweredRuns = 60;
const maxLoweredFaults = 3;
const maxLoweredLists = 6;

/**
 * Reduces a story that breaks an invariant to one that breaks the same, with lists that are as
 * short as found.
 *
 * @param complete the same story, with everything in its lists that its run draws
 */
export async function shrink<
  Fault extends string,
  Story extends StoryData<Fault>,
  Result extends Outcome<Fault>,
>(
  first: Failure<Story, Result>,
  complete: Story,
  reduction: Reduction<Story, Result>,
): Promise<Failure<Story, Result>> {
  const shrinker = new Shrinker<Fault, Story, Result>(first, reduction);
  if (!(await shrinker.attempt(complete))) return shrinker.best;
  for (let before = Infinity; shrinker.size < before;) {
    before = shrinker.size;
    await shrinker.simplify();
    for (const name of reduction.lists) await shrinker.reduce(name);
    // Costs more runs, so only where nothing else helps.
    if (shrinker.size === before) await shrinker.reduceWithLowerFaults();
  }
  return shrinker.best;
}

class Shrinker<
  Fault extends string,
  Story extends StoryData<Fault>,
  Result extends Outcome<Fault>,
> {
  best: Failure<Story, Result>;
  readonly #invariant: string | undefined;
  readonly #reduction: Reduction<Story, Result>;
  /** Stories that did not break the invariant, as JSON: a later pass does not run them again. */
  readonly #rejected = new Set<string>();
  #runs = 0;
  #lowered = 0;

  constructor(first: Failure<Story, Result>, reduction: Reduction<Story, Result>) {
    this.best = first;
    this.#invariant = first.result.violation?.invariant;
    this.#reduction = reduction;
  }

  /** Number of members in all lists of the best story, and one if it can be simpler. */
  get size(): number {
    const { lists, simplify } = this.#reduction;
    const members = lists.reduce((sum, name) => sum + this.#list(name).length, 0);
    return members + (simplify?.(this.best.story) === undefined ? 0 : 1);
  }

  /** Whether a story breaks the same invariant; then it is the best so far. */
  async attempt(candidate: Story): Promise<boolean> {
    const key = JSON.stringify(candidate);
    if (this.#runs >= maxRuns || this.#rejected.has(key)) return false;
    this.#runs += 1;
    const result = await this.#reduction.play(candidate);
    if (result.violation?.invariant !== this.#invariant) {
      this.#rejected.add(key);
      return false;
    }
    this.best = { story: { ...candidate, faults: result.faults }, result };
    return true;
  }

  /** Leaves out parts of a list. */
  async reduce(name: keyof Story): Promise<void> {
    await reduceList(this.#list(name), async (shorter) =>
      (await this.attempt({ ...this.best.story, [name]: shorter })) ? this.#list(name) : undefined,
    );
  }

  /**
   * Leaves out what makes requests, one or two at a time. Fewer requests of the same kind then come
   * before one with a fault, so the faults are tried with lower numbers.
   */
  async reduceWithLowerFaults(): Promise<void> {
    const isTried = (this.best.story.faults ?? []).length <= maxLoweredFaults;
    for (const name of isTried ? this.#reduction.causes : []) {
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

  /** Makes the story simpler, if that breaks the invariant as well. */
  async simplify(): Promise<void> {
    const simpler = this.#reduction.simplify?.(this.best.story);
    if (simpler !== undefined) await this.attempt(simpler);
  }

  #list(name: keyof Story): readonly unknown[] {
    const list = this.best.story[name];
    return Array.isArray(list) ? list : [];
  }
}

/** Returns lists of the same faults whose requests have lower numbers, the least change first. */
function loweredFaults<Fault extends string>(
  faults: readonly PlannedFault<Fault>[],
): readonly (readonly PlannedFault<Fault>[])[] {
  let lists: readonly Lowered<Fault>[] = [{ faults: [], by: 0 }];
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

interface Lowered<Fault extends string> {
  readonly faults: readonly PlannedFault<Fault>[];
  /** Sum of the differences of the numbers. */
  readonly by: number;
}
