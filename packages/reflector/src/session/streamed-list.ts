import type { WatchEvent } from "@listwatch/client";
import {
  metaNamespaceKey,
  type KubernetesObject,
  type Timer,
  type Transform,
} from "@listwatch/core-fifo";
import { computeKey, isBelow, metadataOf, resourceVersionOf } from "@listwatch/core-fifo/base";
import { errorOfEvent } from "../services/errors.ts";
import type { ObjectEvent, Refusal } from "../services/event-check.ts";
import type { RunContext } from "../services/services.ts";
import { findInconsistency } from "../source/consistency.ts";
import { passOn } from "./watch-events.ts";
import type { WatchConnection } from "./watch-connection.ts";

/** Annotation of the bookmark that ends a streamed initial list (KEP-3157). */
const initialEventsEnd = "k8s.io/initial-events-end";

/** Period of client-go's warning (`startBookmarkTimer`, tools/cache/reflector.go). */
const warningPeriodMs = 10_000;

/** The end of the initial objects; `rest` came behind them. */
interface ListEnd<T> {
  readonly resourceVersion: string;
  readonly rest: readonly WatchEvent<T>[];
}

/** All initial objects. */
export interface CompleteList<T> extends ListEnd<T> {
  readonly objects: readonly T[];
  /** Whether an object belongs to another history than the store. */
  readonly isOther: boolean;
}

/** Collects the objects of a streamed initial list, beside the store, until the list is whole. */
export class StreamedList<T extends KubernetesObject> {
  readonly #context: RunContext<T>;
  readonly #connection: WatchConnection<T>;
  readonly #objects = new Map<string, T>();
  readonly #transform: Transform<T> | undefined;
  #isOther = false;
  /** Version of the first change or bookmark. Objects that are created later have higher ones. */
  #changedAt: string | undefined;
  #lastEventMs: number | undefined;
  /** Whether the current batch has brought the list nearer to its end: once a batch is enough. */
  #hasProgress = false;
  #timer: Timer | undefined;

  constructor(context: RunContext<T>, connection: WatchConnection<T>) {
    this.#context = context;
    this.#connection = connection;
    this.#transform = context.settings.initialTransform();
  }

  /**
   * Reads events until the bookmark that ends the list; `undefined` if the server closes before.
   *
   * @throws what the connection broke with, the error of an ERROR event, or what makes an event
   *   useless: what it is about may belong to the list, or not
   */
  async read(): Promise<CompleteList<T> | undefined> {
    this.#startWarning();
    try {
      const end = await this.#connection.read({ receive: (batch) => this.#receive(batch) });
      if (end === undefined) return undefined;
      const objects = [...this.#objects.values()];
      await this.#checkConsistency(objects, end.resourceVersion);
      return { isOther: this.#isOther, objects, ...end };
    } finally {
      this.#timer?.cancel();
    }
  }

  #receive(batch: readonly WatchEvent<T>[]): ListEnd<T> | undefined {
    this.#hasProgress = false;
    if (batch.length > 0) this.#lastEventMs = this.#context.settings.clock.now();
    for (const [index, event] of batch.entries()) {
      if (event.type === "ERROR") throw errorOfEvent(event.object);
      const resourceVersion = this.#take(event);
      if (resourceVersion !== undefined) return { resourceVersion, rest: batch.slice(index + 1) };
    }
    return undefined;
  }

  /**
   * Applies one event; returns the resourceVersion of the list if the event ends it. No other one
   * is a state to resume from: the store has nothing yet.
   */
  #take(event: ObjectEvent<T>): string | undefined {
    const { eventCheck } = this.#context;
    const unexpected = eventCheck.check(event);
    if (unexpected !== undefined) {
      this.#passOver(unexpected, "watch");
      return undefined;
    }
    this.#connection.countEvent(event.type);
    if (event.type !== "ADDED") this.#changedAt ??= resourceVersionOf(event.object) ?? "";
    if (event.type === "BOOKMARK") {
      const isEnd = metadataOf(event.object)?.annotations?.[initialEventsEnd] === "true";
      return isEnd ? (resourceVersionOf(event.object) ?? "") : undefined;
    }
    if (this.#context.shard?.isForeign(event.object) === true) {
      this.#noteProgress(event);
      return undefined;
    }
    const { size } = this.#objects;
    let isKnown = true;
    try {
      isKnown = passOn(event, this);
      if (this.#objects.size > size) this.#noteProgress(event);
    } catch (error) {
      const recovery = event.type === "DELETED" ? eventCheck.unusableDeletion : "skip";
      this.#passOver({ error, recovery }, "store");
    }
    if (!isKnown) this.#passOver(eventCheck.refuseType(event), "watch");
    return undefined;
  }

  /** Collects an object. */
  add(object: T): void {
    const transform = this.#transform;
    this.#isOther ||= this.#context.history.contradicts(object);
    const collected = transform === undefined ? object : transform(object);
    this.#objects.set(keyOf(object), collected);
  }

  /** Collects a new state of an object. */
  update(object: T): void {
    this.add(object);
  }

  /** Removes an object. */
  delete(object: T): void {
    this.#objects.delete(keyOf(object));
  }

  #noteProgress(event: WatchEvent<T>): void {
    if (this.#hasProgress || !this.#isInitial(event)) return;
    this.#hasProgress = true;
    this.#connection.deadline.noteProgress();
  }

  /** Whether an event belongs to the initial list, and is not a change that follows its objects. */
  #isInitial({ object, type }: WatchEvent<T>): boolean {
    if (type !== "ADDED" || this.#connection.isYounger(object)) return false;
    const changedAt = this.#changedAt;
    return changedAt === undefined || isBelow(resourceVersionOf(object) ?? "", changedAt);
  }

  #passOver(
    { error, recovery }: { readonly error: unknown; readonly recovery: Refusal["recovery"] },
    operation: "store" | "watch",
  ): void {
    if (recovery === "relist") throw error;
    this.#context.reports.report(error, operation, recovery);
  }

  /** For tests: whether the streamed list is what an ordinary one would have been. */
  async #checkConsistency(objects: readonly T[], resourceVersion: string): Promise<void> {
    const { reports, settings } = this.#context;
    if (!settings.list.checkConsistency) return;
    const { clock, listerWatcher } = settings;
    const { signal } = this.#connection.deadline;
    const initial = settings.initialTransform();
    const transform = (object: T): T => {
      // An object whose transform throws is not compared.
      if (this.#context.shard?.isForeign(object) === true) throw new Error("Of another shard");
      return initial === undefined ? object : initial(object);
    };
    const copy = { listerWatcher, objects, resourceVersion, transform };
    const inconsistency = await findInconsistency({ ...copy, signal, clock });
    if (inconsistency !== undefined) reports.report(inconsistency, "check", "skip");
  }

  /** Traces every 10 s that the end of the list has not come. */
  #startWarning(): void {
    const { reports, settings } = this.#context;
    const { clock, name } = settings;
    this.#timer = clock.setTimeout(() => {
      const lastMs = this.#lastEventMs;
      reports.trace({
        kind: "waitingForInitialEvents",
        reflector: name,
        sinceMs: this.#connection.ageMs,
        sinceLastEventMs: lastMs === undefined ? undefined : clock.now() - lastMs,
        events: this.#connection.events,
      });
      this.#startWarning();
    }, warningPeriodMs);
  }
}

/** @throws {KeyError} if the object has no name */
const keyOf = (object: KubernetesObject): string => computeKey(metaNamespaceKey, object);
