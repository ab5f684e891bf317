import type { ReflectorStore } from "@listwatch/reflector";
import { applyFilter } from "../delivery/resource-event-handler.ts";

/** What a {@link KeepFilter} connects. */
export interface KeepFilterParts<T> {
  readonly store: ReflectorStore<T>;
  readonly keep: (object: T) => boolean;
  /** Whether this very object is in the cache already, so that it was decided about before. */
  readonly isHeld: (object: T) => boolean;
  /** Called with what `keep` throws, or when it gives a promise; the object is kept then. */
  readonly report: (error: unknown) => void;
}

/**
 * Stands before the store of a reflector and lets through what is to be kept. An object that is no
 * longer wanted is deleted, so that the store's resourceVersion goes on with it; the store ignores
 * deletions of what it does not have.
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
    this.#parts.store.delete(object);
  }

  replace(
    objects: readonly T[],
    resourceVersion: string,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<void> | void {
    const { isHeld, store } = this.#parts;
    const kept = objects.filter((object) => isHeld(object) || this.#keeps(object));
    return store.replace(kept, resourceVersion, options);
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
    try {
      return applyFilter(this.#parts.keep, object);
    } catch (error) {
      this.#parts.report(error);
      return true;
    }
  }
}
