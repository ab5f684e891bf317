import type { Benchmark, Contender, Failure } from "./suite.ts";

/** The samples of one side of a comparison. */
export interface Measured {
  readonly name: string;
  /** NaN if it failed. */
  readonly median: number;
  readonly samples: readonly number[];
  /** Failure in at least one of the rounds. */
  readonly failure?: string;
}

export interface Result {
  readonly suite: string;
  readonly name: string;
  readonly unit: string;
  readonly yardstick: Measured;
  readonly subject: Measured;
  /**
   * Median of `yardstick / subject` over the rounds: above 1 the subject is better. NaN if the
   * yardstick failed.
   */
  readonly ratio: number;
  readonly ratioRange: readonly [least: number, greatest: number];
  readonly goal?: number;
}

/** Otherwise one side would pay for the garbage of the other. Provided by `--expose-gc`. */
const collectGarbage: unknown = Reflect.get(globalThis, "gc");

/**
 * Runs both sides in turn, so that changes of the machine's load affect both. The first round warms
 * up and does not count.
 *
 * @throws if the subject fails
 */
export async function measure(suite: string, benchmark: Benchmark): Promise<Result> {
  const { name, unit, yardstick, subject, rounds = 7, warmsUp = true, goal } = benchmark;
  const sample = async (contender: Contender): Promise<number | Failure> => {
    if (benchmark.collects !== false && typeof collectGarbage === "function") collectGarbage();
    return contender.sample();
  };
  const yardstickCosts: number[] = [];
  const subjectCosts: number[] = [];
  let failure: string | undefined;
  for (let round = warmsUp ? 0 : 1; round <= rounds; round += 1) {
    const isYardstickFirst = round % 2 === 0;
    const first = await sample(isYardstickFirst ? yardstick : subject);
    const second = await sample(isYardstickFirst ? subject : yardstick);
    const [yardstickCost, subjectCost] = isYardstickFirst ? [first, second] : [second, first];
    if (typeof subjectCost !== "number") {
      throw new Error(`Couldn't measure ${subject.name} for ${name}: ${subjectCost.failure}`);
    }
    if (typeof yardstickCost !== "number") failure = yardstickCost.failure;
    if (round === 0) continue;
    yardstickCosts.push(typeof yardstickCost === "number" ? yardstickCost : Number.NaN);
    subjectCosts.push(subjectCost);
  }
  const ratios = yardstickCosts.map((cost, round) => cost / (subjectCosts[round] ?? Number.NaN));
  return {
    suite,
    name,
    unit,
    yardstick: {
      name: yardstick.name,
      median: failure === undefined ? median(yardstickCosts) : Number.NaN,
      samples: yardstickCosts,
      ...(failure === undefined ? {} : { failure }),
    },
    subject: { name: subject.name, median: median(subjectCosts), samples: subjectCosts },
    ratio: failure === undefined ? median(ratios) : Number.NaN,
    ratioRange: [Math.min(...ratios), Math.max(...ratios)],
    ...(goal === undefined ? {} : { goal }),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
