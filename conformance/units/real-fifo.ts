import {
  clientGoQueueBehaviour,
  InvalidOptionsError,
  RealFIFO,
  type Deltas,
} from "@listwatch/core-fifo";
import { outcome } from "../framework/errors.ts";
import { plainKey } from "../framework/keys.ts";
import { RecordedKnownObjects } from "../framework/known-objects.ts";
import { describeDeltas, QueueSubject } from "../framework/queue-subject.ts";
import { stepUnit, type Options } from "../framework/step-unit.ts";
import { transformer } from "../framework/transformers.ts";
import type { Unit } from "../framework/unit.ts";
import { text } from "../framework/values.ts";

export const unit: Unit = stepUnit("real-fifo", (options) => {
  if (options["construct"] === true) {
    return { perform: () => outcome(() => void createQueue(options)) };
  }
  const { queue, knownObjects } = createQueue(options);
  return new QueueSubject<Deltas<unknown>>({
    queue,
    pops: {
      pop: (callback) => queue.pop(callback),
      popBatch: (callback) =>
        queue.popBatch(
          (deltas, isInInitialList) => callback(deltas, isInInitialList, "batch"),
          (deltas, isInInitialList) => callback(deltas, isInInitialList, "single"),
        ),
    },
    describe: describeDeltas,
    apply: (deltas) => knownObjects?.apply(deltas),
    perform(step) {
      if (step.op === "bookmark") {
        return outcome(() => queue.bookmark(text(step, "resourceVersion")));
      }
      return step.op === "knownKeys" ? { set: knownObjects?.listKeys() } : undefined;
    },
  });
});

function createQueue(options: Options): {
  queue: RealFIFO<unknown>;
  knownObjects: RecordedKnownObjects | undefined;
} {
  const knownObjects = RecordedKnownObjects.of(options);
  // Known objects imply non-atomic events, so the two options cannot contradict each other here.
  if ((options["atomicEvents"] === true) === (knownObjects !== undefined)) {
    throw new InvalidOptionsError("knownObjects exactly without atomicEvents");
  }
  // There is no lock, so the option has no counterpart; client-go allows it only here.
  if (options["unlockWhileProcessing"] === true && options["atomicEvents"] !== true) {
    throw new InvalidOptionsError("unlockWhileProcessing needs atomicEvents");
  }
  const queue = new RealFIFO<unknown>({
    keyFunc: plainKey,
    emitBookmarks: options["emitDeltaTypeBookmark"] === true,
    behaviour: clientGoQueueBehaviour,
    transform: transformer(options["transformer"]),
    knownObjects,
  });
  return { queue, knownObjects };
}
