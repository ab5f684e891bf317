import type { ReuseFunction } from "@listwatch/client";

/**
 * What a reflector writes into; a RealFIFO fits as it is. Calls are synchronous and come one after
 * the other, in the order in which the server reported the changes. A method that throws must have
 * had no effect.
 */
export interface ReflectorStore<T> {
  add(object: T): void;
  update(object: T): void;
  /** Called with the last state of the object, as the server sent it. */
  delete(object: T): void;
  /** Replaces the whole collection by one of this resourceVersion. */
  replace(objects: readonly T[], resourceVersion: string): void;
  /** Hands every object out again: the periodic resync. */
  resync?(): void;
  /** Called with a bookmark: nothing changed up to this resourceVersion. */
  bookmark?(resourceVersion: string): void;
  /** Called with each resourceVersion that the watch reaches; not with that of a list. */
  updateResourceVersion?(resourceVersion: string): void;
  /**
   * Back-pressure: while the promise is pending nothing is read from the server. `undefined` when
   * there is room. Need not settle on abort: the reflector stops waiting by itself.
   */
  waitForCapacity?(options: {
    readonly signal?: AbortSignal | undefined;
  }): Promise<void> | undefined;
  /**
   * The object as it was last written, if it is exactly in this state: then a relist passes this
   * same object to `replace` again and saves parsing it. Only for stores that keep objects as they
   * receive them.
   */
  reuse?: ReuseFunction<T>;
}
