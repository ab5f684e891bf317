import {
  DeletedFinalStateUnknown,
  KeyError,
  metaNamespaceKey,
  TransformError,
  type Clock,
  type KeyFunction,
  type KubernetesObject,
  type RealFIFO,
} from "@listwatch/core-fifo";
import { resourceVersionOf } from "@listwatch/core-fifo/base";
import type { ReflectorStore } from "@listwatch/reflector";
import { keyOf } from "../cache/delta-target.ts";
import type { ReportError } from "../informer/informer-options.ts";
import type { SinkStore } from "../informer/informer-source.ts";
import {
  identityOf,
  displayName,
  type UnusableObject,
  type UnusableObjects,
} from "./unusable-objects.ts";

/** Parts that a {@link QueueWriter} connects. */
export interface QueueWriterParts<T> {
  readonly clock: Clock;
  readonly keyFunc: KeyFunction<T>;
  readonly queue: RealFIFO<T>;
  readonly report: ReportError<T>;
  /** Content of the cache behind the queue. */
  readonly store: SinkStore<T>;
  readonly unusable: UnusableObjects;
}

/**
 * The store of a reflector: the queue of an informer, which must not lose all objects because the
 * transform or the key function fails for one. Such an object is recorded and skipped, and the
 * cache keeps its last known state.
 *
 * The first one on a watch is rejected, which causes a new list that repairs an accidental failure.
 * While there are such objects, others are only recorded, since a list would not help. A list that
 * contains objects without a name, a fault of the server, is rejected once after it was written,
 * because only another list can identify them.
 */
export class QueueWriter<T extends KubernetesObject> implements ReflectorStore<T> {
  readonly #parts: QueueWriterParts<T>;
  readonly #queue: RealFIFO<T>;
  readonly #unusable: UnusableObjects;
  /** Objects that were skipped in the current list. */
  #leftOut: UnusableObject[] = [];
  /** Those without a name, with the error of the first one. */
  #nameless: { readonly error: unknown; readonly count: number } | undefined;
  /** Newest state for which a new list was requested. */
  #refused = "";
  /** Number of objects without a name in the previous list. */
  #refusedNameless = 0;
  #refusal: unknown;

  constructor(parts: QueueWriterParts<T>) {
    this.#parts = parts;
    this.#queue = parts.queue;
    this.#unusable = parts.unusable;
  }

  add(object: T): void {
    try {
      this.#queue.add(object);
    } catch (error) {
      this.#refuse(object, error);
      return;
    }
    if (!this.#unusable.isEmpty) this.#unusable.forget(identityOf(object));
  }

  update(object: T): void {
    try {
      this.#queue.update(object);
    } catch (error) {
      this.#refuse(object, error);
      return;
    }
    if (!this.#unusable.isEmpty) this.#unusable.forget(identityOf(object));
  }

  /**
   * Without a usable final state, a deletion has an unknown final state.
   *
   * @throws the failure, if only a new list can identify the deleted object
   */
  delete(object: T): void {
    // The transform may change the object in place.
    const id = identityOf(object);
    const { keyFunc, report, store } = this.#parts;
    try {
      this.#queue.delete(object);
    } catch (error) {
      if (error instanceof KeyError) report(error, { kind: "cache" });
      if (!(error instanceof TransformError)) throw error;
      const key = keyOf(object, keyFunc);
      if (!this.#unusable.has(id)) report(error, { kind: "cache" });
      // A cached object is a read-only `T`.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const last = store.getByKey(key) as T | undefined;
      this.#queue.delete(new DeletedFinalStateUnknown<T>(key, last));
    }
    this.#unusable.forget(id);
  }

  replace(
    objects: readonly T[],
    resourceVersion: string,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<void> | void {
    const replacing = this.#queue.replaceInTurns(objects, resourceVersion, options);
    if (replacing !== undefined) return replacing.then(() => this.#noteLeftOut());
    this.#noteLeftOut();
    return undefined;
  }

  #noteLeftOut(): void {
    const { clock, report } = this.#parts;
    const leftOut = this.#leftOut;
    this.#leftOut = [];
    for (const { error } of this.#unusable.replace(leftOut, clock.now())) {
      report(error, { kind: "cache" });
    }
    this.#refuseNameless();
  }

  /** @throws the error of an object without a name, unless the previous list had the same */
  #refuseNameless(): void {
    const nameless = this.#nameless;
    this.#nameless = undefined;
    const { count = 0, error } = nameless ?? {};
    const isKnown = count === this.#refusedNameless;
    this.#refusedNameless = count;
    if (count === 0 || isKnown) return;
    this.#refusal = error;
    throw error;
  }

  /** Whether a list was rejected with this error, which is reported already. */
  isRefusal(error: unknown): boolean {
    return error !== undefined && error === this.#refusal;
  }

  resync(): void {
    this.#queue.resync();
  }

  bookmark(resourceVersion: string): void {
    this.#queue.bookmark(resourceVersion);
  }

  waitForCapacity(options: {
    readonly signal?: AbortSignal | undefined;
  }): Promise<void> | undefined {
    return this.#queue.waitForCapacity(options);
  }

  /** Records an object that is skipped in the next list. */
  leaveOut(error: unknown): void {
    const object = objectOf(error);
    this.#leftOut.push(this.#describe(object, error));
    if (error instanceof TransformError || hasName(object)) return;
    const { count = 0, error: first = error } = this.#nameless ?? {};
    this.#nameless = { count: count + 1, error: first };
  }

  /** @throws the failure, if a new list may repair it */
  #refuse(object: T, error: unknown): void {
    if (!(error instanceof KeyError || error instanceof TransformError)) throw error;
    const { clock, report } = this.#parts;
    const isFirst = this.#unusable.isEmpty;
    const isNew = this.#unusable.note(this.#describe(object, error), clock.now());
    if (isNew) report(error, { kind: "cache" });
    // A list may be older than the event, which then comes again.
    const state = `${identityOf(object)} ${resourceVersionOf(object)}`;
    if (!isFirst || state === this.#refused) return;
    this.#refused = state;
    throw error;
  }

  #describe(object: unknown, error: unknown): UnusableObject {
    return { id: identityOf(object), key: displayName(object), error };
  }
}

function objectOf(error: unknown): unknown {
  return error instanceof KeyError || error instanceof TransformError ? error.object : undefined;
}

/** Whether an object has a usual key, so that a user-supplied function caused the failure. */
function hasName(object: unknown): boolean {
  try {
    return metaNamespaceKey(object) !== "";
  } catch {
    return false;
  }
}
