import type { Benchmark, Contender } from "./suite.ts";

/** The samples of one side of a comparison. */
export interface Measured {
  readonly name: string;
  readonly median: number;
  readonly samples: readonly number[];
}

/** What a benchmark came to. */
export interface Result {
  readonly suite: string;
  readonly name: string;
  readonly unit: string;
  readonly yardstick: Measured;
  readonly subject: Measured;
  /** `yardstick / subject`: the median of the rounds, so above 1 the subject is better. */
  readonly ratio: number;
  readonly ratioRange: readonly [least: number, greatest: number];
  readonly goal?: number;
}

/** Without it the garbage of one side is collected at the cost of the other; `--expose-gc` provides it. */
const collectGarbage: unknown = Reflect.get(globalThis, "gc");

/**
 * Runs both sides in turn, first the one and then the other, so that a change of the machine's load meets both. A
 * first round warms up and does not count.
 */
export async function measure(suite: string, benchmark: Benchmark): Promise<Result> {
  const { name, unit, yardstick, subject, rounds = 7, goal } = benchmark;
  const yardstickCosts: number[] = [];
  const subjectCosts: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const isYardstickFirst = round % 2 === 0;
    const first = await sample(isYardstickFirst ? yardstick : subject);
    const second = await sample(isYardstickFirst ? subject : yardstick);
    if (round > 0) {
      yardstickCosts.push(isYardstickFirst ? first : second);
      subjectCosts.push(isYardstickFirst ? second : first);
    }
  }
  const ratios = yardstickCosts.map((cost, round) => cost / (subjectCosts[round] ?? Number.NaN));
  return {
    suite,
    name,
    unit,
    yardstick: { name: yardstick.name, median: median(yardstickCosts), samples: yardstickCosts },
    subject: { name: subject.name, median: median(subjectCosts), samples: subjectCosts },
    ratio: median(ratios),
    ratioRange: [Math.min(...ratios), Math.max(...ratios)],
    ...(goal === undefined ? {} : { goal }),
  };
}

async function sample(contender: Contender): Promise<number> {
  if (typeof collectGarbage === "function") collectGarbage();
  return contender.sample();
}

/** The middle of the values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
