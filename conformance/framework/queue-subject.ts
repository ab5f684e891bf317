import type { Deltas, Queue } from "@listwatch/core-fifo";
import { describeError, outcome, ProcessError } from "./errors.ts";
import { isStep, type Step, type Subject } from "./step-unit.ts";
import { canonical, count, decode, encodeDelta, isSame, list, listIfAny, text } from "./values.ts";
import { WaitingCall } from "./waiting-call.ts";

type Result = Record<string, unknown>;

/** Receives popped items; `mode` is the callback of popBatch that was called. */
export type Callback<Item> = (
  item: Item,
  isInInitialList: boolean,
  mode?: "single" | "batch",
) => void;

/** Specifics of one kind of queue. */
export interface QueueKind<Item> {
  readonly queue: Queue<unknown, Item>;
  /** The pop operations by name. */
  readonly pops: Readonly<Record<string, (callback: Callback<Item>) => unknown>>;
  /** Encodes an item for a result. */
  describe(item: Item, step: Step): Result;
  /** Processes an item, unless the callback must fail. */
  apply?(item: Item): void;
  /** Performs operations of this kind of queue; returns `undefined` for others. */
  perform?(step: Step): Result | undefined;
}

/** Operations whose result does not contain `synced`. */
const plainReads: ReadonlySet<string> = new Set(["hasSynced", "isClosed", "keyOf"]);

/** A queue under test: writes, pops that may wait, and later steps that affect them. */
export class QueueSubject<Item> implements Subject {
  readonly #kind: QueueKind<Item>;
  #waiting: WaitingCall<Result> | undefined;

  constructor(kind: QueueKind<Item>) {
    this.#kind = kind;
  }

  async perform(step: Step): Promise<Result> {
    const { queue, pops } = this.#kind;
    if (plainReads.has(step.op)) return this.#call(step);
    const pop = pops[step.op];
    const result = pop === undefined ? this.#call(step) : await this.#pop(pop, step);
    if (pop === undefined && this.#waiting !== undefined) {
      const ended = await this.#waiting.settled();
      if (ended !== undefined) {
        result["unblocked"] = ended.value;
        this.#waiting = undefined;
      }
    }
    return { ...result, synced: queue.hasSynced };
  }

  #call(step: Step): Result {
    const { queue } = this.#kind;
    if (step.op === "hasSynced") return { value: queue.hasSynced };
    if (step.op === "isClosed") return { value: queue.isClosed };
    return this.#kind.perform?.(step) ?? outcome(() => write(queue, step));
  }

  async #pop(pop: (callback: Callback<Item>) => unknown, step: Step): Promise<Result> {
    const call = new WaitingCall(this.#popped(pop, step));
    const ended = await call.settled();
    if (ended !== undefined) return ended.value;
    this.#waiting = call;
    return { blocked: true };
  }

  async #popped(pop: (callback: Callback<Item>) => unknown, step: Step): Promise<Result> {
    const result: Result = {};
    try {
      await pop((item, isInInitialList, mode) => {
        Object.assign(result, this.#kind.describe(item, step));
        Object.assign(result, {
          isInInitialList,
          mode,
          syncedInProcess: this.#kind.queue.hasSynced,
        });
        this.#process(item, step);
      });
    } catch (error) {
      result["error"] = describeError(error);
    }
    return result;
  }

  #process(item: Item, step: Step): void {
    for (const inner of listIfAny(step, "during")) {
      if (!isStep(inner)) throw new TypeError("Couldn't read a step inside of a pop");
      const got = this.#call(inner);
      if (!isSame(inner.result, got)) {
        throw new Error(`${inner.op} inside of a pop: ${canonical({ step: inner, got })}`);
      }
    }
    if (step["processError"] === true) throw new ProcessError();
    this.#kind.apply?.(item);
  }
}

function write(queue: Queue<unknown, unknown>, step: Step): void {
  switch (step.op) {
    case "add":
      queue.add(decode(step["object"]));
      break;
    case "update":
      queue.update(decode(step["object"]));
      break;
    case "delete":
      queue.delete(decode(step["object"]));
      break;
    case "replace":
      queue.replace(list(step, "objects").map(decode), text(step, "resourceVersion"));
      break;
    case "addMany":
      for (const object of manyObjects(step)) queue.add(object);
      break;
    case "replaceMany":
      queue.replace(manyObjects(step), text(step, "resourceVersion"));
      break;
    case "resync":
      queue.resync();
      break;
    case "close":
      queue.close();
      break;
    default:
      throw new TypeError(
        `Couldn't perform the operation ${JSON.stringify(step.op)}: it is unknown`,
      );
  }
}

/** The objects of `addMany` and similar operations: numbered names, ascending versions. */
function manyObjects(step: Step): unknown[] {
  const namespace = text(step, "namespace");
  const firstVersion = count(step, "firstVersion");
  return Array.from({ length: count(step, "count") }, (_, index) => ({
    metadata: {
      namespace,
      name: `${text(step, "prefix")}${String(index).padStart(4, "0")}`,
      resourceVersion: String(firstVersion + index),
    },
    spec: { n: firstVersion + index },
  }));
}

/** Encodes popped deltas for a result: all of them, or a summary of many. */
export function describeDeltas(deltas: Deltas<unknown>, step: Step): Result {
  return step["summarize"] === true
    ? summary(deltas)
    : { deltas: deltas.map((delta) => encodeDelta(delta)) };
}

function summary(
  deltas: readonly { readonly type: string; readonly key?: string | undefined }[],
): Result {
  const types: Record<string, number> = {};
  for (const { type } of deltas) types[type] = (types[type] ?? 0) + 1;
  return { count: deltas.length, types, firstKey: deltas[0]?.key, lastKey: deltas.at(-1)?.key };
}
