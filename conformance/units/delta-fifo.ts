import { DeltaFIFO, KeyError, type Deltas } from "@listwatch/core-fifo";
import { hasCode } from "@listwatch/core-fifo/base";
import { describeError } from "../framework/errors.ts";
import { plainKey } from "../framework/keys.ts";
import { RecordedKnownObjects } from "../framework/known-objects.ts";
import { describeDeltas, QueueSubject } from "../framework/queue-subject.ts";
import { stepUnit, type Step } from "../framework/step-unit.ts";
import { transformer } from "../framework/transformers.ts";
import type { Unit } from "../framework/unit.ts";
import { decode, isRecord, list } from "../framework/values.ts";

export const unit: Unit = stepUnit("delta-fifo", (options) => {
  const knownObjects = RecordedKnownObjects.of(options);
  const queue = new DeltaFIFO<unknown>({
    keyFunc: plainKey,
    emitDeltaTypeReplaced: options["emitDeltaTypeReplaced"] === true,
    transform: transformer(options["transformer"]),
    knownObjects,
  });
  return new QueueSubject<Deltas<unknown>>({
    queue,
    pops: { pop: (callback) => queue.pop(callback) },
    describe: describeDeltas,
    apply: (deltas) => knownObjects?.apply(deltas),
    perform(step) {
      if (step.op === "keyOf") return keyOf(queue, step);
      return step.op === "knownKeys" ? { set: knownObjects?.listKeys() } : undefined;
    },
  });
});

function keyOf(queue: DeltaFIFO<unknown>, step: Step): Record<string, unknown> {
  const { object } = step;
  const isDeltas = isRecord(object) && "$deltas" in object;
  const argument = isDeltas ? list(object, "$deltas").map(asDelta) : decode(object);
  try {
    return { key: queue.keyOf(argument) };
  } catch (error) {
    // The recorded queue returns the cause unwrapped.
    const isWrapped = error instanceof KeyError && hasCode(error.cause, "LW_NO_METADATA");
    return { error: describeError(isWrapped ? error.cause : error) };
  }
}

function asDelta(notation: unknown): unknown {
  if (!isRecord(notation)) return notation;
  return { type: notation["type"], key: "", object: decode(notation["object"]) };
}
