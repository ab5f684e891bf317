import type { Clock } from "@listwatch/core-fifo";
import type { ReflectorStore } from "@listwatch/reflector";
import { applyFilter } from "../delivery/resource-event-handler.ts";
import { identityOf, displayName, type UnusableObjects } from "./unusable-objects.ts";

/** Parts that a {@link KeepFilter} connects. */
export interface KeepFilterParts<T> {
  readonly store: ReflectorStore<T>;
  readonly keep: (object: T) => boolean;
  /** Whether this very object is in the cache, so that it was decided before. */
  readonly isHeld: (object: T) => boolean;
  /** Objects for which `keep` throws or returns a promise. They are kept. */
  readonly undecided: UnusableObjects;
  /** Called once for each such object, until `keep` works for it. */
  readonly report: (error: unknown) => void;
  readonly clock: Clock;
}

/**
 * Filters the objects for the store of a reflector. An object that `keep` rejects is deleted, so
 * that the resourceVersion of the store advances; the store ignores deletions of unknown objects.
 */
export class KeepFilter<T> implements ReflectorStore<T> {
  readonly #parts: KeepFilterParts<T>;

  constructor(parts: KeepFilterParts<T>) {
    this.#parts = parts;
  }

  add(object: T): void {
    if (this.#keeps(object)) this.#parts.store.add(object);
    else this.#parts.store.delete(object);
  }

  update(object: T): void {
    if (this.#keeps(object)) this.#parts.store.update(object);
    else this.#parts.store.delete(object);
  }

  delete(object: T): void {
    const { store, undecided } = this.#parts;
    if (!undecided.isEmpty) undecided.forget(identityOf(object));
    store.delete(object);
  }

  replace(
    objects: readonly T[],
    resourceVersion: string,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<void> | void {
    const { isHeld, store, undecided } = this.#parts;
    // Objects that are not in the list are deleted.
    if (!undecided.isEmpty) undecided.retain(new Set(objects.map(identityOf)));
    const isDecided = (object: T): boolean =>
      isHeld(object) && (undecided.isEmpty || !undecided.has(identityOf(object)));
    const kept = objects.filter((object) => isDecided(object) || this.#keeps(object));
    return store.replace(kept, resourceVersion, options);
  }

  transformer(): ((object: T) => unknown) | undefined {
    return this.#parts.store.transformer?.();
  }

  resync(): void {
    this.#parts.store.resync?.();
  }

  bookmark(resourceVersion: string): void {
    this.#parts.store.bookmark?.(resourceVersion);
  }

  waitForCapacity(options: {
    readonly signal?: AbortSignal | undefined;
  }): Promise<void> | undefined {
    return this.#parts.store.waitForCapacity?.(options);
  }

  #keeps(object: T): boolean {
    const { clock, keep, report, undecided } = this.#parts;
    try {
      const isKept = applyFilter(keep, object);
      if (!undecided.isEmpty) undecided.forget(identityOf(object));
      return isKept;
    } catch (error) {
      const described = { id: identityOf(object), key: displayName(object), error };
      if (undecided.note(described, clock.now())) report(error);
      return true;
    }
  }
}
