import { seededRandom, SimulatedClock } from "@listwatch/core-fifo/testing";
import { DelaySequence, KeyedBackoff, type DelaySequenceOptions } from "@listwatch/workqueue";
import { stepUnit, type Options, type Step, type Subject } from "../framework/step-unit.ts";
import type { Unit } from "../framework/unit.ts";
import { count, isRecord, text } from "../framework/values.ts";

export const unit: Unit = stepUnit("backoff", (options) => {
  // The recorded results hold for every random number, so one seed is enough.
  const time = { clock: new SimulatedClock(), random: seededRandom(7) };
  return options["kind"] === "flowcontrol"
    ? new KeyedSubject(options, time)
    : new SequenceSubject(options, time);
});

type Time = { readonly clock: SimulatedClock; readonly random: () => number };

class SequenceSubject implements Subject {
  readonly #clock: SimulatedClock;
  readonly #delays: DelaySequence;

  constructor(options: Options, time: Time) {
    this.#clock = time.clock;
    const numbers: DelaySequenceOptions = {
      durationMs: count(options, "durationMs"),
      factor: number(options, "factor"),
      jitter: number(options, "jitter"),
      steps: number(options, "steps"),
      capMs: number(options, "capMs"),
      resetMs: number(options, "resetMs"),
    };
    this.#delays = new DelaySequence({ ...numbers, ...time });
  }

  async perform(step: Step): Promise<unknown> {
    if (step.op === "next") return range(step, this.#delays.next());
    await this.#clock.advance(count(step, "ms"));
    return {};
  }
}

class KeyedSubject implements Subject {
  readonly #clock: SimulatedClock;
  readonly #backoff: KeyedBackoff;

  constructor(options: Options, time: Time) {
    this.#clock = time.clock;
    this.#backoff = new KeyedBackoff({
      initialMs: count(options, "initialMs"),
      maxMs: count(options, "maxMs"),
      jitter: number(options, "jitter"),
      expiryMs: number(options, "expiryMs"),
      ...time,
    });
  }

  async perform(step: Step): Promise<unknown> {
    const backoff = this.#backoff;
    switch (step.op) {
      case "advance":
        await this.#clock.advance(count(step, "ms"));
        return {};
      case "next":
        backoff.next(text(step, "id"), this.#eventMs(step));
        return {};
      case "get":
        return range(step, backoff.get(text(step, "id")));
      case "reset":
      case "deleteEntry":
        backoff.reset(text(step, "id"));
        return {};
      case "gc":
        backoff.collectGarbage();
        return {};
      case "isInBackOffSince":
        return { value: backoff.isInBackoffSince(text(step, "id"), this.#eventMs(step)) };
      case "isInBackOffSinceUpdate":
        return { value: backoff.isInBackoffSinceUpdate(text(step, "id"), this.#eventMs(step)) };
      default:
        throw new TypeError(`Couldn't perform the step: unknown operation ${step.op}`);
    }
  }

  #eventMs(step: Step): number {
    return this.#clock.now() - count(step, "agoMs");
  }
}

/** Returns the recorded range if it contains the delay; Go truncates fractions of a nanosecond. */
function range(step: Step, delayMs: number): unknown {
  const { result } = step;
  const delayNs = delayMs * 1e6;
  if (isRecord(result)) {
    const least = count(result, "minNs");
    const greatest = count(result, "maxNs");
    if (delayNs > least - 1 && delayNs < greatest + 1) return result;
  }
  return { minNs: delayNs, maxNs: delayNs };
}

function number(options: Options, name: string): number | undefined {
  return options[name] === undefined ? undefined : count(options, name);
}
