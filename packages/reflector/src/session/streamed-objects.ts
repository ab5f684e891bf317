import type { WatchEvent } from "@listwatch/client";
import {
  metaNamespaceKey,
  type KubernetesObject,
  type Timer,
  type Transform,
} from "@listwatch/core-fifo";
import { computeKey, isBelow, metadataOf, resourceVersionOf } from "@listwatch/core-fifo/base";
import type { ObjectEvent, Refusal } from "../services/event-check.ts";
import type { RunContext } from "../services/services.ts";
import type { Settings } from "../options/settings.ts";
import type { WatchConnection } from "./watch-connection.ts";

/** Annotation of the bookmark that ends a streamed initial list (KEP-3157). */
const initialEventsEnd = "k8s.io/initial-events-end";

/** Period of client-go's warning (`startBookmarkTimer`, tools/cache/reflector.go). */
const warningPeriodMs = 10_000;

/** Returns the transform that the objects of a streamed list pass first, if there is one. */
export function initialTransform<T>({
  behaviour,
  store,
}: Pick<Settings<T>, "behaviour" | "store">): Transform<T> | undefined {
  if (!behaviour.transformsStreamedLists) return undefined;
  // It returns an object in the form in which the store keeps it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return store.transformer?.() as Transform<T> | undefined;
}

/** Collects the objects of a streamed initial list, beside the store, until the list is whole. */
export class StreamedObjects<T extends KubernetesObject> {
  readonly #context: RunContext<T>;
  readonly #objects = new Map<string, T>();
  readonly #transform: Transform<T> | undefined;
  /** Whether an object belongs to another history than the store. */
  #isOther = false;
  /** Version of the first change or bookmark. Objects that are created later have higher ones. */
  #changedAt: string | undefined;

  constructor(context: RunContext<T>) {
    this.#context = context;
    this.#transform = initialTransform(context.settings);
  }

  get objects(): readonly T[] {
    return [...this.#objects.values()];
  }

  get isOther(): boolean {
    return this.#isOther;
  }

  /**
   * Applies one event; returns the resourceVersion of the list if the event ends it. No other one
   * is a state to resume from: the store has nothing yet.
   *
   * @throws what makes an event useless: what it is about may belong to the list, or not
   */
  take(event: ObjectEvent<T>, connection: WatchConnection<T>): string | undefined {
    const { eventCheck } = this.#context;
    const unexpected = eventCheck.check(event);
    if (unexpected !== undefined) {
      this.#passOver(unexpected, "watch");
      return undefined;
    }
    connection.countEvent(event.type);
    if (event.type !== "ADDED") this.#changedAt ??= resourceVersionOf(event.object) ?? "";
    if (event.type === "BOOKMARK") {
      const isEnd = metadataOf(event.object)?.annotations?.[initialEventsEnd] === "true";
      return isEnd ? (resourceVersionOf(event.object) ?? "") : undefined;
    }
    const { size } = this.#objects;
    let unknown: Refusal | undefined;
    try {
      unknown = this.#collect(event);
      if (this.#objects.size > size && this.#isInitial(event, connection)) {
        connection.noteProgress();
      }
    } catch (error) {
      const recovery = event.type === "DELETED" ? eventCheck.unusableDeletion : "skip";
      this.#passOver({ error, recovery }, "store");
    }
    if (unknown !== undefined) this.#passOver(unknown, "watch");
    return undefined;
  }

  /** Whether an event belongs to the initial list, and is not a change that follows its objects. */
  #isInitial({ object, type }: WatchEvent<T>, connection: WatchConnection<T>): boolean {
    if (type !== "ADDED" || connection.isYounger(object)) return false;
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

  /** Returns the refusal of an event whose type is unknown. */
  #collect(event: Exclude<WatchEvent<T>, { type: "ERROR" | "BOOKMARK" }>): Refusal | undefined {
    const transform = this.#transform;
    const { object } = event;
    switch (event.type) {
      case "ADDED":
      case "MODIFIED": {
        this.#isOther ||= this.#context.history.contradicts(object);
        const collected = transform === undefined ? object : transform(object);
        this.#objects.set(keyOf(object), collected);
        break;
      }
      case "DELETED":
        this.#objects.delete(keyOf(object));
        break;
      default:
        return this.#context.eventCheck.refuseType(event);
    }
    return undefined;
  }
}

/** @throws {KeyError} if the object has no name */
const keyOf = (object: KubernetesObject): string => computeKey(metaNamespaceKey, object);

/** Traces every 10 s that the end of an initial list has not come. */
export class InitialListWarning<T> {
  readonly #context: RunContext<T>;
  readonly #connection: WatchConnection<T>;
  #lastEventMs: number | undefined;
  #timer: Timer;

  constructor(context: RunContext<T>, connection: WatchConnection<T>) {
    this.#context = context;
    this.#connection = connection;
    this.#timer = this.#start();
  }

  noteEvents(): void {
    this.#lastEventMs = this.#context.settings.clock.now();
  }

  stop(): void {
    this.#timer.cancel();
  }

  #start(): Timer {
    return this.#context.settings.clock.setTimeout(() => this.#warn(), warningPeriodMs);
  }

  #warn(): void {
    const { reports, settings } = this.#context;
    const lastMs = this.#lastEventMs;
    reports.trace({
      kind: "waitingForInitialEvents",
      reflector: settings.name,
      sinceMs: this.#connection.ageMs,
      sinceLastEventMs: lastMs === undefined ? undefined : settings.clock.now() - lastMs,
      events: this.#connection.events,
    });
    this.#timer = this.#start();
  }
}
