/**
 * Store that a reflector writes to, such as a RealFIFO. Calls come one at a time, in the order in
 * which the server reported the changes. A method that throws must have had no effect.
 */
export interface ReflectorStore<T> {
  /** Called with an object that appeared. */
  add(object: T): void;
  /** Called with the new state of an object. */
  update(object: T): void;
  /** Called with the last state of the object, as the server sent it. */
  delete(object: T): void;
  /**
   * Replaces the whole collection by one of this resourceVersion. Where that takes several turns of
   * the event loop, it gives a promise, which settles soon after an abort; until then no other
   * method is called.
   */
  replace(
    objects: readonly T[],
    resourceVersion: string,
    options?: {
      /** Aborted when the reflector stops. */
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<void> | void;
  /**
   * Returns the transform of the store. With `clientGoBehaviour` the objects of a streamed list
   * pass it before they are collected, as with client-go's `TransformingStore`; those for which it
   * throws are left out.
   */
  transformer?(): ((object: T) => unknown) | undefined;
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
    /** Aborted when the reflector stops waiting. */
    readonly signal?: AbortSignal | undefined;
  }): Promise<void> | undefined;
}
