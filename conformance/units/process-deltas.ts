import {
  clientGoQueueBehaviour,
  DeletedFinalStateUnknown,
  DeltaFIFO,
  RealFIFO,
} from "@listwatch/core-fifo";
import { metadataOf, resourceVersionOf } from "@listwatch/core-fifo/base";
import {
  filteringHandler,
  processDeltas,
  processDeltasInBatch,
  type DeltaTarget,
  type InformerEvent,
  type ResourceEventHandler,
} from "@listwatch/shared-informer";
import { clientGoStoreBehaviour, Indexer } from "@listwatch/store-indexer";
import { describeError, outcome } from "../framework/errors.ts";
import { indexFunctions } from "../framework/index-functions.ts";
import { deletionHandlingKey, plainKey } from "../framework/keys.ts";
import { stepUnit, type Options, type Step, type Subject } from "../framework/step-unit.ts";
import { withoutAtomicFIFO } from "../framework/store-steps.ts";
import { transformer } from "../framework/transformers.ts";
import type { Unit } from "../framework/unit.ts";
import { decode, encode, isRecord, list, text } from "../framework/values.ts";

interface Call {
  readonly key: string;
  readonly record: Readonly<Record<string, unknown>>;
}

/** An informer's queue and indexer, and the functions that apply deltas, with one handler. */
class Processing implements Subject {
  readonly #indexer: Indexer<unknown, Record<string, string>>;
  readonly #queue: RealFIFO<unknown> | DeltaFIFO<unknown>;
  readonly #target: DeltaTarget<unknown>;
  readonly #batch: boolean;
  #calls: Call[] = [];

  constructor(options: Options) {
    const { batch, filter, indexers, mode } = options;
    this.#batch = batch === true;
    this.#indexer = new Indexer({
      keyFunc: deletionHandlingKey,
      behaviour: mode === "atomic" ? clientGoStoreBehaviour : withoutAtomicFIFO,
      indexers: indexFunctions(indexers),
    });
    this.#queue = this.#createQueue(mode, transformer(options["transformer"]));
    const handler = isRecord(filter) ? this.#filtered(filter) : this.#recorder();
    this.#target = {
      store: this.#indexer.keyed,
      keyFunc: deletionHandlingKey,
      notify: (notification) => tell(handler, notification),
    };
  }

  perform(step: Step): unknown {
    switch (step.op) {
      case "add":
        return outcome(() => this.#queue.add(decode(step["object"])));
      case "update":
        return outcome(() => this.#queue.update(decode(step["object"])));
      case "delete":
        return outcome(() => this.#queue.delete(decode(step["object"])));
      case "replace":
        return outcome(() => {
          this.#queue.replace(list(step, "objects").map(decode), text(step, "resourceVersion"));
        });
      case "resync":
        return outcome(() => this.#queue.resync());
      case "bookmark":
        return outcome(() => {
          if (this.#queue instanceof RealFIFO) this.#queue.bookmark(text(step, "resourceVersion"));
        });
      case "process":
        return this.#process(step);
      case "list":
        return { set: this.#indexer.list() };
      case "byIndex":
        return { set: this.#indexer.byIndex(text(step, "indexName"), text(step, "value")) };
      case "listIndexFuncValues":
        return { set: this.#indexer.listIndexFuncValues(text(step, "indexName")) };
      default:
        throw new TypeError(`Couldn't perform the step: unknown operation ${step.op}`);
    }
  }

  // `clientGoQueueBehaviour` drops a whole list because of one invalid key (RF-2, CTL-9).
  #createQueue(
    mode: unknown,
    transform: ((object: unknown) => unknown) | undefined,
  ): RealFIFO<unknown> | DeltaFIFO<unknown> {
    const knownObjects = this.#indexer;
    switch (mode) {
      case "atomic":
        return new RealFIFO({ keyFunc: plainKey, transform, behaviour: clientGoQueueBehaviour });
      case "nonAtomic":
        return new RealFIFO({ keyFunc: plainKey, transform, knownObjects });
      case "deltaFIFO":
        return new DeltaFIFO({
          keyFunc: plainKey,
          transform,
          knownObjects,
          emitDeltaTypeReplaced: true,
        });
      default:
        throw new TypeError(`Couldn't create a queue: unknown mode ${String(mode)}`);
    }
  }

  async #process(step: Step): Promise<unknown> {
    const { max } = step;
    const limit = typeof max === "number" ? max : Infinity;
    const errors: unknown[] = [];
    let rounds = 0;
    this.#calls = [];
    for (; rounds < limit && this.#queue.length > 0; rounds++) {
      try {
        await this.#round();
      } catch (error) {
        errors.push({
          round: rounds,
          error: describeError(error, { LW_TRANSACTION: "BatchError" }),
        });
      }
    }
    const content = this.#indexer.listKeys().map((key) => [key, this.#cached(key)] as const);
    return {
      calls: inRecordedOrder(this.#calls, step.result),
      errors,
      rounds,
      store: Object.fromEntries(content),
      resourceVersion: this.#indexer.lastStoreSyncResourceVersion,
      synced: this.#queue.hasSynced,
    };
  }

  async #round(): Promise<void> {
    const single: Parameters<RealFIFO<unknown>["pop"]>[0] = (deltas, isInInitialList) =>
      processDeltas(deltas, isInInitialList, this.#target);
    if (!this.#batch || this.#queue instanceof DeltaFIFO) {
      await this.#queue.pop(single);
      return;
    }
    await this.#queue.popBatch(
      (deltas, isInInitialList) => processDeltasInBatch(deltas, isInInitialList, this.#target),
      single,
    );
  }

  #cached(key: string): string | null {
    const object = this.#indexer.getByKey(key);
    return object === undefined ? null : (resourceVersionOf(object) ?? "");
  }

  #record(key: string, call: Readonly<Record<string, unknown>>): void {
    const record = {
      ...call,
      cached: this.#cached(key),
      storeResourceVersion: this.#indexer.lastStoreSyncResourceVersion,
    };
    this.#calls.push({ key, record });
  }

  #recorder(): ResourceEventHandler<unknown> {
    return {
      onAdd: (object, isInInitialList) =>
        this.#record(plainKey(object), { call: "add", object, isInInitialList }),
      onUpdate: (old, object) =>
        this.#record(plainKey(object), {
          call: "update",
          old,
          object,
          sameObject: old === object ? true : undefined,
        }),
      onDelete: ({ key, object, stale }) =>
        this.#record(key, {
          call: "delete",
          object: encode(stale ? new DeletedFinalStateUnknown(key, object) : object),
        }),
    };
  }

  #filtered(filter: Record<string, unknown>): ResourceEventHandler<unknown> {
    const label = text(filter, "label");
    const passes = (object: unknown): boolean => metadataOf(object)?.labels?.[label] === "true";
    return filteringHandler(this.#recorder(), {
      filter: passes,
      filterDeleted: (deleted) =>
        deleted.stale ? filter["acceptTombstones"] === true : passes(deleted.object),
      keyFunc: plainKey,
    });
  }
}

function tell(handler: ResourceEventHandler<unknown>, notification: InformerEvent<unknown>): void {
  if (notification.type === "add") {
    handler.onAdd?.(notification.object, notification.isInInitialList);
  } else if (notification.type === "update") {
    handler.onUpdate?.(notification.old, notification.object);
  } else {
    handler.onDelete?.(notification);
  }
}

/** Sorts unordered calls of one group like the recording, by key. */
function inRecordedOrder(calls: readonly Call[], result: unknown): unknown[] {
  const recorded = isRecord(result) ? list(result, "calls") : [];
  const groups = recorded.map((call) => (isRecord(call) ? call["group"] : undefined));
  const ordered: unknown[] = [];
  for (let start = 0; start < calls.length;) {
    const group = groups[start];
    const next = groups.findIndex((other, at) => at > start && other !== group);
    const endOfGroup = next < 0 ? calls.length : next;
    const end = group === undefined ? start + 1 : endOfGroup;
    const inGroup = calls.slice(start, end);
    if (group !== undefined) inGroup.sort((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
    for (const { record } of inGroup) ordered.push({ ...record, group });
    start = end;
  }
  return ordered;
}

export const unit: Unit = stepUnit("process-deltas", (options) => new Processing(options));
