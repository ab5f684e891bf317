import {
  DeletedFinalStateUnknown,
  KeyError,
  TransformError,
  type Clock,
  type KeyFunction,
  type KubernetesObject,
  type ObjectDelta,
  type ReplacedAllDelta,
  type Transform,
} from "@listwatch/core-fifo";
import { applyTransform, computeKey, resourceVersionOf } from "@listwatch/core-fifo/base";
import { applyFilter } from "../delivery/resource-event-handler.ts";
import type { InformerProblem } from "../informer/informer-status.ts";
import type { InformerSink } from "../informer/informer-source.ts";
import { describe, hasName, identityOf, UnusableObjects } from "./unusable-objects.ts";

/** User-supplied functions that an object passes, and the parts that the gate needs. */
export interface ObjectGateParts<T> {
  readonly clock: Clock;
  readonly keep: ((object: T) => boolean) | undefined;
  readonly keyFunc: KeyFunction<T>;
  readonly transform: Transform<T> | undefined;
  readonly sink: Pick<InformerSink<T>, "report" | "store">;
  /** Whether this very object is in the cache, so that `keep` has selected it; never if absent. */
  readonly isHeld: ((object: T) => boolean) | undefined;
}

/** A list whose objects pass the gate one by one. */
export interface GatedList<T> extends ReplacedAllDelta<T> {
  readonly objects: T[];
  readonly keys: string[];
  readonly keptKeys: string[];
}

/** An object that is left out, with the reason. */
interface Failure {
  readonly object: unknown;
  readonly error: unknown;
}

/**
 * Decides about each object that was read, once and before the queue: `keep`, `transform` and the
 * key function run here. The object passes, or is deleted because `keep` rejects it, or is left out
 * because a function failed. Then the cache keeps the state that it holds, and
 * {@link ObjectGate.problem} names the object until it is repaired.
 *
 * ```
 *   read ── keep ── transform ── key ──▶ delta
 *             │ no        └──────┴ fails ──▶ nothing; in a list, the key to keep
 *             └──▶ deletion
 * ```
 *
 * The first failure on a watch is thrown, which causes a new list that repairs an accidental one.
 * While objects are left out, others are only recorded, since a list would not help. A list that
 * contains objects without a name, a fault of the server, is rejected once after it was written,
 * because only another list can identify them.
 */
export class ObjectGate<T extends KubernetesObject> {
  readonly #parts: ObjectGateParts<T>;
  readonly #leftOut = new UnusableObjects("unusableObject");
  /** Objects in the cache for which `keep` could not decide. */
  readonly #undecided = new UnusableObjects("unusableObject");
  /** resourceVersions that the transform changed. */
  readonly #versions = new WeakMap<object, string>();
  /** Failures of the current list. */
  #failures: Failure[] = [];
  /** Number of objects without a name in the previous list. */
  #refusedNameless = 0;
  /** Newest state for which a new list was requested. */
  #refusedState = "";
  #refusal: unknown;

  constructor(parts: ObjectGateParts<T>) {
    this.#parts = parts;
  }

  /** Whether no object is left out. */
  get isComplete(): boolean {
    return this.#leftOut.isEmpty;
  }

  /** The objects that are left out, or undecided. */
  get problem(): InformerProblem | undefined {
    return this.#leftOut.problem ?? this.#undecided.problem;
  }

  /** Whether the gate threw this error last, and has reported it. */
  hasThrown(error: unknown): boolean {
    return error !== undefined && error === this.#refusal;
  }

  /** Returns the resourceVersion that the server gave the object before the transform. */
  versionOf(object: unknown): string | undefined {
    return this.changedVersionOf(object) ?? resourceVersionOf(object);
  }

  /** Same, but only for objects whose transform changed it. */
  changedVersionOf(object: unknown): string | undefined {
    return typeof object === "object" && object !== null ? this.#versions.get(object) : undefined;
  }

  /**
   * Returns the delta of a written object, or of one that `keep` rejects or that is deleted;
   * `undefined` if it is left out. A deletion without a usable final state has an unknown one.
   *
   * @throws the failure, if only a new list can identify a deleted object, or may repair another
   *   one
   */
  admit(type: ObjectDelta<T>["type"], object: T): ObjectDelta<T> | undefined {
    const selected = this.select(type, object);
    // The transform may change the object in place.
    const id = this.#leftOut.isEmpty ? undefined : identityOf(object);
    let delta: ObjectDelta<T>;
    try {
      const admitted = this.#transform(object);
      delta = { type: selected, key: this.#keyOf(admitted, object), object: admitted };
    } catch (error) {
      if (selected !== "Deleted") return this.#refuse(object, error);
      const isReported = id !== undefined && this.#leftOut.has(id);
      delta = this.#createTombstone(object, isReported ? undefined : error);
    }
    if (id !== undefined) this.#leftOut.forget(id);
    return delta;
  }

  /** Returns the type of a delta, which is a deletion if `keep` rejects the object. */
  select(type: ObjectDelta<T>["type"], object: T): ObjectDelta<T>["type"] {
    if (type !== "Deleted") return this.#keeps(object) ? type : "Deleted";
    if (!this.#undecided.isEmpty) this.#undecided.forget(identityOf(object));
    return type;
  }

  /** Returns the objects of a list that `keep` selects. */
  selectAll(objects: readonly T[]): readonly T[] {
    this.#retain(objects);
    return objects.filter((object) => this.#keepsListed(object));
  }

  /** Begins a list of these objects, of which none has passed yet. */
  beginList(objects: readonly T[], resourceVersion: string): GatedList<T> {
    this.#retain(objects);
    return { type: "ReplacedAll", objects: [], keys: [], keptKeys: [], resourceVersion };
  }

  /** Adds an object to a list, unless it is left out or not kept. */
  admitListed(object: T, list: GatedList<T>): void {
    if (!this.#keepsListed(object)) return;
    try {
      const admitted = this.#transform(object);
      list.keys.push(this.#keyOf(admitted, object));
      list.objects.push(admitted);
    } catch (error) {
      this.#failures.push({ object, error });
      if (error instanceof TransformError) list.keptKeys.push(...this.#keysOf(object));
    }
  }

  /** Leaves out an object of the next list, which the reflector could not collect. */
  leaveOut(error: unknown): void {
    this.#failures.push({ object: error instanceof KeyError ? error.object : undefined, error });
  }

  /**
   * Records the objects that a list leaves out, after it was written.
   *
   * @throws the error of an object without a name, unless the previous list had as many
   */
  endList(): void {
    const failures = this.#failures;
    this.#failures = [];
    const described = failures.map(({ error, object }) => describe(object, error));
    for (const { error } of this.#leftOut.replace(described, this.#parts.clock.now())) {
      this.#report(error);
    }
    const nameless = failures.filter(isNameless);
    const isKnown = nameless.length === this.#refusedNameless;
    this.#refusedNameless = nameless.length;
    const [first] = nameless;
    if (first !== undefined && !isKnown) throw this.#noteThrown(first.error);
  }

  /** Whether `keep` selects an object. One for which it fails is kept. */
  #keeps(object: T): boolean {
    const { clock, keep } = this.#parts;
    if (keep === undefined) return true;
    try {
      const isKept = applyFilter(keep, object);
      if (!this.#undecided.isEmpty) this.#undecided.forget(identityOf(object));
      return isKept;
    } catch (error) {
      if (this.#undecided.note(describe(object, error), clock.now())) this.#report(error);
      return true;
    }
  }

  /** Objects that are not in a list are deleted. */
  #retain(objects: readonly T[]): void {
    if (!this.#undecided.isEmpty) this.#undecided.retain(new Set(objects.map(identityOf)));
  }

  #keepsListed(object: T): boolean {
    return this.#parts.keep === undefined || this.#isDecided(object) || this.#keeps(object);
  }

  #isDecided(object: T): boolean {
    try {
      if (this.#parts.isHeld?.(object) !== true) return false;
    } catch {
      // It has no name.
      return false;
    }
    return this.#undecided.isEmpty || !this.#undecided.has(identityOf(object));
  }

  /**
   * Remembers a resourceVersion that the transform changes. Otherwise every update of an object
   * whose transform removes it looks like a resync.
   */
  #transform(read: T): T {
    const { transform } = this.#parts;
    if (transform === undefined) return read;
    const version = resourceVersionOf(read);
    const object = applyTransform(transform, read);
    // An untyped transform may return anything.
    const isObject = typeof object === "object" && object !== null;
    if (isObject && version !== undefined && resourceVersionOf(object) !== version) {
      this.#versions.set(object, version);
    }
    return object;
  }

  /**
   * A transform that leaves no key has failed, while the object is still known. The cache could
   * neither contain such an object nor delete it.
   */
  #keyOf(object: T, read: T): string {
    const { keyFunc, transform } = this.#parts;
    try {
      return computeKey(keyFunc, object);
    } catch (error) {
      throw transform === undefined ? error : new TransformError(read, error);
    }
  }

  /** Returns the key of an object as it was read, if it has one. */
  #keysOf(read: T): readonly string[] {
    try {
      return [computeKey(this.#parts.keyFunc, read)];
    } catch {
      return [];
    }
  }

  #createTombstone(object: T, error: unknown): ObjectDelta<T> {
    let key: string;
    try {
      key = computeKey(this.#parts.keyFunc, object);
    } catch (keyError) {
      this.#report(keyError);
      throw this.#noteThrown(keyError);
    }
    if (error !== undefined) this.#report(error);
    // A cached object is a read-only `T`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const last = this.#parts.sink.store.getByKey(key) as T | undefined;
    return { type: "Deleted", key, object: new DeletedFinalStateUnknown<T>(key, last) };
  }

  /** @throws the failure, if a new list may repair it */
  #refuse(object: T, error: unknown): undefined {
    const isFirst = this.#leftOut.isEmpty;
    const isNew = this.#leftOut.note(describe(object, error), this.#parts.clock.now());
    if (isNew) this.#report(error);
    // A list may be older than the event, which then comes again.
    const state = `${identityOf(object)} ${resourceVersionOf(object)}`;
    if (!isFirst || state === this.#refusedState) return undefined;
    this.#refusedState = state;
    throw this.#noteThrown(error);
  }

  #report(error: unknown): void {
    this.#parts.sink.report(error, { kind: "cache" });
  }

  #noteThrown(error: unknown): unknown {
    this.#refusal = error;
    return error;
  }
}

/** Whether an object has no usual key, which no user-supplied function has caused. */
function isNameless({ error, object }: Failure): boolean {
  return !(error instanceof TransformError) && !hasName(object);
}
