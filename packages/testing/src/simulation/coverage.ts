import { drawInteger, drawOne } from "../plan/draw.ts";
import type { FaultyCall } from "./network.ts";
import type { Fault, FaultRates, StoryFocus } from "./story.ts";

/** A fault that met a request. */
export interface MetFault extends FaultyCall {
  /** Kind of the fault. */
  readonly fault: Fault;
}

/** Requests and faults of a run. */
export interface RunCoverage {
  /** Faults that met a request. */
  readonly met: readonly MetFault[];
  /** Number of requests of each kind, with the group of their faults. */
  readonly requests: ReadonlyMap<string, SeenRequests>;
  /** Other things that happened, such as `reordered GET v1 pods`. */
  readonly others: readonly string[];
}

/** Requests of one kind. */
export interface SeenRequests {
  readonly faults: FaultyCall["faults"];
  /** How many there were. */
  readonly count: number;
}

/** Number of runs whose faults are all left to chance. */
const runsByChance = 50;

/** The faults that met requests in all runs, and those that did not yet. */
export class Coverage {
  readonly #rates: FaultRates;
  readonly #faults = new Map<string, number>();
  readonly #states = new Map<string, number>();
  /** Kinds of requests, with the largest number of them in a run. */
  readonly #requests = new Map<string, SeenRequests>();
  #runs = 0;

  constructor(rates: FaultRates) {
    this.#rates = rates;
  }

  /** Number of times that each fault met each kind of request, and of upsets. */
  get faults(): Readonly<Record<string, number>> {
    return sorted(this.#faults);
  }

  /** The same, with what the process did before. */
  get states(): Readonly<Record<string, number>> {
    return sorted(this.#states);
  }

  /** Pairs of a fault and a request that could have met, and did not. */
  get unmet(): readonly string[] {
    return this.#unmet().map(({ fault, kind }) => `${fault} ${kind}`);
  }

  /** Takes over what a run has seen. */
  add({ met, others, requests }: RunCoverage, upsets: readonly string[]): void {
    this.#runs += 1;
    for (const { fault, kind, state } of met) {
      count(this.#faults, `${fault} ${kind}`);
      count(this.#states, `${fault} ${kind} ${state}`);
    }
    for (const what of [...others, ...upsets]) count(this.#faults, what);
    for (const [kind, { count: seen, faults }] of requests) {
      const known = this.#requests.get(kind)?.count ?? 0;
      this.#requests.set(kind, { faults, count: Math.max(known, seen) });
    }
  }

  /**
   * Draws what the next run tries in addition: a fault that did not meet a request yet. The first
   * 50 runs, and each second one after them, leave everything to chance.
   */
  focusOf(seed: number): StoryFocus | undefined {
    if (this.#runs < runsByChance || this.#runs % 2 === 0) return undefined;
    const chosen = drawOne(this.#unmet(), seed, "focus");
    if (chosen === undefined) return undefined;
    const { count: most } = this.#requests.get(chosen.kind) ?? { count: 1 };
    return { ...chosen, skip: drawInteger([0, most - 1], seed, "focus", "skip") };
  }

  #unmet(): readonly { readonly fault: Fault; readonly kind: string }[] {
    const kinds = [...this.#requests].toSorted(([left], [right]) => (left < right ? -1 : 1));
    return kinds.flatMap(([kind, { faults }]) =>
      Object.entries(this.#rates[faults])
        .filter(([fault, rate]) => rate > 0 && !this.#faults.has(`${fault} ${kind}`))
        // The keys of the rates are the names of the faults.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        .map(([fault]) => ({ fault: fault as Fault, kind })),
    );
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function sorted(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...counts].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
