/**
 * Stands in a delete for an object whose last state is unknown: the watch missed the deletion, and
 * a relist found the object gone.
 */
export class DeletedFinalStateUnknown<T = never> {
  readonly key: string;
  /** The last state that was known; it may be older than the one that was deleted. */
  readonly object: T | undefined;

  /** @param object the last known state; a tombstone without one fits objects of every type */
  constructor(key: string, object: undefined);
  constructor(key: string, object: T | undefined);
  constructor(key: string, object: T | undefined) {
    this.key = key;
    this.object = object;
  }
}
