import { FIFO } from "@listwatch/core-fifo";
import { plainKey } from "../framework/keys.ts";
import { QueueSubject } from "../framework/queue-subject.ts";
import { stepUnit, type Step } from "../framework/step-unit.ts";
import type { Unit } from "../framework/unit.ts";
import { count, encode } from "../framework/values.ts";

export const unit: Unit = stepUnit("fifo", () => {
  const queue = new FIFO<unknown>({ keyFunc: plainKey });
  return new QueueSubject<unknown>({
    queue,
    pops: { pop: (callback) => queue.pop(callback) },
    describe: (object) => ({ object: encode(object) }),
    perform: (step) => (step.op === "popGroup" ? popGroup(queue, step) : undefined),
  });
});

/** Pops of one group never wait in the recording. */
function popGroup(queue: FIFO<unknown>, step: Step): Record<string, unknown> {
  const set: unknown[] = [];
  let initialCount = 0;
  for (let index = 0; index < count(step, "count"); index += 1) {
    void queue.pop((object, isInInitialList) => {
      set.push(encode(object));
      if (isInInitialList) initialCount += 1;
    });
  }
  return { set, initialCount };
}
