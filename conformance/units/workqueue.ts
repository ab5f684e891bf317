import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { WorkQueue, type QueueOrdering, type WaitingItem } from "@listwatch/workqueue";
import { rateLimiter } from "../framework/rate-limiters.ts";
import { stepUnit, type Options, type Step, type Subject } from "../framework/step-unit.ts";
import type { Unit } from "../framework/unit.ts";
import { count, text } from "../framework/values.ts";
import { WaitingCall } from "../framework/waiting-call.ts";

type Result = Record<string, unknown>;

export const unit: Unit = stepUnit("workqueue", (options) => new WorkQueueSubject(options));

class WorkQueueSubject implements Subject {
  readonly #clock = new SimulatedClock();
  readonly #touched: string[] = [];
  readonly #hasOrdering: boolean;
  readonly #queue: WorkQueue<string>;
  readonly #waiting = new Map<WaitingCall<Result>, string>();

  constructor(options: Options) {
    this.#hasOrdering = options["ordering"] !== undefined;
    const { limiter } = options;
    this.#queue = new WorkQueue<string>({
      // Restores WQ-7.
      drain: "processing",
      rateLimiter: limiter === undefined ? undefined : rateLimiter(limiter, this.#clock),
      clock: this.#clock,
      ordering: this.#hasOrdering
        ? new ListOrdering(text(options, "ordering"), this.#touched)
        : undefined,
    });
  }

  async perform(step: Step): Promise<Result> {
    const earlier = Array.from(this.#waiting);
    const result = await this.#call(step);
    const completed: Result[] = [];
    for (const [call, id] of earlier) {
      const ended = await call.settled();
      if (ended === undefined) continue;
      this.#waiting.delete(call);
      completed.push({ ...ended.value, id });
    }
    return {
      ...result,
      len: this.#queue.length,
      ...(completed.length > 0 ? { completed } : {}),
      ...this.#newTouches(),
    };
  }

  #newTouches(): Result {
    const touched = this.#touched.splice(0);
    return this.#hasOrdering && touched.length > 0 ? { touched } : {};
  }

  async #call(step: Step): Promise<Result> {
    const queue = this.#queue;
    switch (step.op) {
      case "add":
        queue.add(text(step, "item"));
        return {};
      case "done":
        queue.done(text(step, "item"));
        return {};
      case "shutDown":
        queue.shutDown();
        return {};
      case "shuttingDown":
        return { value: queue.isShuttingDown };
      case "get":
        return this.#start(step, taken(queue));
      case "shutDownWithDrain":
        return this.#start(step, drained(queue));
      case "advance":
        await this.#clock.advance(count(step, "ms"));
        return {};
      case "addAfter":
        queue.addAfter(text(step, "item"), count(step, "ms"));
        return {};
      case "addRateLimited":
        queue.addRateLimited(text(step, "item"));
        return {};
      case "forget":
        queue.forget(text(step, "item"));
        return {};
      case "numRequeues":
        return { value: queue.numRequeues(text(step, "item")) };
      default:
        throw new TypeError(
          `Cannot perform the operation ${JSON.stringify(step.op)}: it is unknown`,
        );
    }
  }

  async #start(step: Step, outcome: Promise<Result>): Promise<Result> {
    const call = new WaitingCall(outcome);
    const ended = await call.settled();
    if (ended !== undefined) return ended.value;
    this.#waiting.set(call, text(step, "id"));
    return { blocked: true };
  }
}

async function taken(queue: WorkQueue<string>): Promise<Result> {
  const work = await queue.get();
  return work === undefined ? { shutdown: true } : { item: work.item };
}

async function drained(queue: WorkQueue<string>): Promise<Result> {
  await queue.shutDownWithDrain();
  return { drained: true };
}

/** The orderings that the recordings use, over a plain list. */
class ListOrdering implements QueueOrdering<string> {
  readonly #kind: string;
  readonly #touched: string[];
  readonly #items: WaitingItem<string>[] = [];

  constructor(kind: string, touched: string[]) {
    this.#kind = kind;
    this.#touched = touched;
  }

  get length(): number {
    return this.#items.length;
  }

  push(waiting: WaitingItem<string>): void {
    this.#items.push(waiting);
  }

  touch(waiting: WaitingItem<string>): void {
    this.#touched.push(waiting.item);
    if (this.#kind !== "touchToFront") return;
    this.#items.splice(this.#items.indexOf(waiting), 1);
    this.#items.unshift(waiting);
  }

  pop(): WaitingItem<string> | undefined {
    return this.#kind === "lifo" ? this.#items.pop() : this.#items.shift();
  }
}
