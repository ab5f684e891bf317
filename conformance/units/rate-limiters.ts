import { SimulatedClock } from "@listwatch/core-fifo/testing";
import type { RateLimiter } from "@listwatch/workqueue";
import { rateLimiter } from "../framework/rate-limiters.ts";
import { stepUnit, type Options, type Step, type Subject } from "../framework/step-unit.ts";
import type { Unit } from "../framework/unit.ts";
import { count, isRecord, text } from "../framework/values.ts";

export const unit: Unit = stepUnit("rate-limiters", (options) => new RateLimiterSubject(options));

/** Delays of a bucket are computed in floating point. */
const bucketToleranceNs = 1000;

class RateLimiterSubject implements Subject {
  readonly #clock = new SimulatedClock();
  readonly #limiter: RateLimiter;
  readonly #toleranceNs: number;

  constructor(options: Options) {
    const { limiter } = options;
    this.#limiter = rateLimiter(limiter, this.#clock);
    this.#toleranceNs = /"(?:bucket|defaultController)"/.test(JSON.stringify(limiter))
      ? bucketToleranceNs
      : 0;
  }

  async perform(step: Step): Promise<unknown> {
    switch (step.op) {
      case "when":
        return { delayNs: this.#delayNs(step) };
      case "forget":
        this.#limiter.forget(text(step, "item"));
        return {};
      case "numRequeues":
        return { value: this.#limiter.numRequeues(text(step, "item")) };
      case "advance":
        await this.#clock.advance(count(step, "ms"));
        return {};
      default:
        throw new TypeError(`Couldn't perform the step: unknown operation ${step.op}`);
    }
  }

  /** Returns the recorded delay if ours is close enough, otherwise ours. */
  #delayNs(step: Step): number {
    const delayNs = Math.round(this.#limiter.when(text(step, "item")) * 1e6);
    const recordedNs = isRecord(step.result) ? count(step.result, "delayNs") : Number.NaN;
    return Math.abs(delayNs - recordedNs) <= this.#toleranceNs ? recordedNs : delayNs;
  }
}
