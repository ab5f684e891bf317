import type { ReuseFunction } from "@listwatch/client";

/**
 * What a reflector writes into; a RealFIFO fits as it is. Calls are synchronous and come one after
 * the other, in the order in which the server reported the changes. A method that throws must have
 * had no effect.
 */
export interface ReflectorStore<T> {
  add(object: T): void;
  update(object: T): void;
  /** Gets the last state of the object, as the server sent it. */
  delete(object: T): void;
  /** Replaces the whole collection by one of this resourceVersion. */
  replace(objects: readonly T[], resourceVersion: string): void;
  /** Hands every object out again (REF-42). */
  resync?(): void;
  /** Nothing changed up to this resourceVersion (REF-29). */
  bookmark?(resourceVersion: string): void;
  /** Is told each resourceVersion that the watch reaches (REF-1); not that of a list. */
  updateResourceVersion?(resourceVersion: string): void;
  /**
   * Back-pressure: while the promise is pending nothing is read from the server. `undefined` when
   * there is room. Need not settle on abort, the reflector looks itself.
   */
  waitForCapacity?(signal?: AbortSignal): Promise<void> | undefined;
  /**
   * The object as it was last written, if it is exactly in this state: then a relist passes this
   * same object to `replace` again and saves parsing it. Only for stores that keep what they get as
   * they get it.
   */
  reuse?: ReuseFunction<T>;
}
