import { draw } from "./draw.ts";

/** A fault of one request. */
export interface PlannedFault<Fault extends string = string> {
  /** The request: who sent it, method, path, and how many of these came before. */
  readonly request: string;
  /** Kind of the fault. */
  readonly fault: Fault;
}

/** Probabilities of faults of a request, from 0 to 1. Their sum is at most 1. */
export type Rates<Fault extends string = string> = Readonly<Partial<Record<Fault, number>>>;

/**
 * The faults of the requests of a run. They are drawn, each from the seed and its request alone, or
 * they are the given ones. So a run whose faults are given again goes the same way.
 */
export class FaultPlan<Fault extends string = string> {
  /** The faults that requests have met. */
  readonly met: PlannedFault<Fault>[] = [];
  readonly #seed: number;
  readonly #given: ReadonlyMap<string, Fault> | undefined;
  #isOver = false;

  /** @param given the faults; `undefined` draws them */
  constructor(seed: number, given: readonly PlannedFault<Fault>[] | undefined) {
    this.#seed = seed;
    this.#given = given && new Map(given.map(({ fault, request }) => [request, fault]));
  }

  /** Whether there are no faults any more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Ends all faults of later requests. */
  end(): void {
    this.#isOver = true;
  }

  /**
   * Returns the fault of a request; most have none.
   *
   * @param wanted a fault to take in place of a drawn one
   */
  faultFor(request: string, rates: Rates<Fault>, wanted?: Fault): Fault | undefined {
    if (this.#isOver) return undefined;
    const drawn = this.#given === undefined ? (wanted ?? this.#draw(request, rates)) : undefined;
    const fault = drawn ?? this.#given?.get(request);
    if (fault !== undefined) this.met.push({ request, fault });
    return fault;
  }

  #draw(request: string, rates: Rates<Fault>): Fault | undefined {
    let rest = draw(this.#seed, "fault", request);
    for (const [fault, rate = 0] of Object.entries<number | undefined>(rates)) {
      // The keys of the rates are the names of the faults.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      if (rest < rate) return fault as Fault;
      rest -= rate;
    }
    return undefined;
  }
}
