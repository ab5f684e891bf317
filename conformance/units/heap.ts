import { Heap } from "@listwatch/core-fifo";
import { describeError, outcome } from "../framework/errors.ts";
import { plainKey } from "../framework/keys.ts";
import { stepUnit, type Step, type Subject } from "../framework/step-unit.ts";
import type { Unit } from "../framework/unit.ts";
import { decode, encode, isRecord, list, text } from "../framework/values.ts";
import { WaitingCall } from "../framework/waiting-call.ts";

type Result = Record<string, unknown>;

const errorKinds = { LW_KEY_NOT_FOUND: "NotFound" };

export const unit: Unit = stepUnit("heap", () => new HeapSubject());

class HeapSubject implements Subject {
  readonly #heap = new Heap<unknown>({ keyFunc: plainKey, less });
  #waiting: WaitingCall<Result> | undefined;

  async perform(step: Step): Promise<Result> {
    if (step.op === "pop") return this.#pop();
    const result = read(this.#heap, step) ?? outcome(() => write(this.#heap, step), errorKinds);
    const ended = await this.#waiting?.settled();
    if (ended === undefined) return result;
    this.#waiting = undefined;
    return { ...result, unblocked: ended.value };
  }

  async #pop(): Promise<Result> {
    const call = new WaitingCall(popped(this.#heap));
    const ended = await call.settled();
    if (ended !== undefined) return ended.value;
    this.#waiting = call;
    return { blocked: true };
  }
}

async function popped(heap: Heap<unknown>): Promise<Result> {
  try {
    return { item: encode(await heap.pop()) };
  } catch (error) {
    return { error: describeError(error) };
  }
}

/** Orders by `spec.n`, then by key. */
function less(a: unknown, b: unknown): boolean {
  const difference = order(a) - order(b);
  return difference === 0 ? plainKey(a) < plainKey(b) : difference < 0;
}

function order(object: unknown): number {
  const spec = isRecord(object) ? object["spec"] : undefined;
  return isRecord(spec) && typeof spec["n"] === "number" ? spec["n"] : 0;
}

function read(heap: Heap<unknown>, step: Step): Result | undefined {
  switch (step.op) {
    case "get":
      return found(() => heap.get(decode(step["object"])));
    case "getByKey":
      return found(() => heap.getByKey(text(step, "key")));
    case "list":
      return { set: heap.list().map(encode) };
    case "listKeys":
      return { set: heap.listKeys() };
    case "isClosed":
      return { value: heap.isClosed };
    default:
      return undefined;
  }
}

function found(get: () => unknown): Result {
  try {
    const item = get();
    return item === undefined ? { exists: false } : { exists: true, item: encode(item) };
  } catch (error) {
    return { error: describeError(error) };
  }
}

function write(heap: Heap<unknown>, step: Step): void {
  switch (step.op) {
    case "add":
      heap.add(decode(step["object"]));
      break;
    case "update":
      heap.update(decode(step["object"]));
      break;
    case "addIfNotPresent":
      heap.addIfNotPresent(decode(step["object"]));
      break;
    case "bulkAdd":
      heap.bulkAdd(list(step, "objects").map(decode));
      break;
    case "delete":
      heap.delete(decode(step["object"]));
      break;
    case "close":
      heap.close();
      break;
    default:
      throw new TypeError(
        `Couldn't perform the operation ${JSON.stringify(step.op)}: it is unknown`,
      );
  }
}
