import {
  clientGoQueueBehaviour,
  RealFIFO,
  systemClock,
  type Clock,
  type KubernetesObject,
  type ObjectDelta,
  type RealFIFOOptions,
} from "@listwatch/core-fifo";
import { maxBatchKeys, TimeBudget } from "@listwatch/core-fifo/base";
import type { ObjectGate } from "./object-gate.ts";

/** Reading a clock costs as much as computing a key. */
const keysPerLook = 32;

/** The queue of an informer and the store of its reflector: it contains what passes the gate. */
export class GatedQueue<T extends KubernetesObject> extends RealFIFO<T> {
  readonly #gate: ObjectGate<T>;
  readonly #clock: Clock;

  constructor(gate: ObjectGate<T>, { clock = systemClock, name, observer }: RealFIFOOptions<T>) {
    super({ clock, name, observer });
    this.#gate = gate;
    this.#clock = clock;
  }

  /**
   * Queues a list in one piece. One of more than 1000 objects takes several turns of the event
   * loop; it is not queued after an abort.
   */
  override replace(
    objects: readonly T[],
    resourceVersion: string,
    options?: { readonly signal?: AbortSignal | undefined },
    // oxlint-disable-next-line typescript/no-misused-promises -- a reflector waits for the promise
  ): Promise<void> | void {
    const isLarge = objects.length > maxBatchKeys;
    if (isLarge) return this.#replaceInTurns(objects, resourceVersion, options?.signal);
    const list = this.#gate.beginList(objects, resourceVersion);
    for (const object of objects) this.#gate.admitListed(object, list);
    this.pushList(list);
    return this.#gate.endList();
  }

  protected override createDelta(
    type: ObjectDelta<T>["type"],
    object: T,
  ): ObjectDelta<T> | undefined {
    return this.#gate.admit(type, object);
  }

  async #replaceInTurns(
    objects: readonly T[],
    resourceVersion: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const budget = new TimeBudget({ clock: this.#clock, itemsPerLook: keysPerLook });
    // The end of the list was read in this turn.
    await budget.nextTurn();
    const list = this.#gate.beginList(objects, resourceVersion);
    for (const object of objects) {
      if (signal?.aborted === true) return this.#gate.endList();
      this.#gate.admitListed(object, list);
      if (budget.count()) await budget.nextTurn();
    }
    this.pushList(list);
    return this.#gate.endList();
  }
}

/**
 * The queue of client-go: one object without a key, or whose transform throws, fails its list, or
 * its event is lost. Only `keep` of the gate is applied, which client-go does not have.
 */
export class ClientGoQueue<T extends KubernetesObject> extends RealFIFO<T> {
  readonly #gate: ObjectGate<T>;

  constructor(gate: ObjectGate<T>, options: RealFIFOOptions<T>) {
    super({ ...options, behaviour: clientGoQueueBehaviour });
    this.#gate = gate;
  }

  override replace(objects: readonly T[], resourceVersion: string): void {
    super.replace(this.#gate.selectAll(objects), resourceVersion);
  }

  protected override createDelta(
    type: ObjectDelta<T>["type"],
    object: T,
  ): ObjectDelta<T> | undefined {
    return super.createDelta(this.#gate.select(type, object), object);
  }
}
