/**
 * Replaces the object of a delete whose final state is unknown: the watch missed the deletion, and
 * a relist no longer had the object.
 */
export class DeletedFinalStateUnknown<T = never> {
  readonly key: string;
  /** Last known state. It may be older than the deleted one. */
  readonly object: T | undefined;

  /** @param object last known state; a tombstone without one fits objects of every type */
  constructor(key: string, object: undefined);
  constructor(key: string, object: T | undefined);
  constructor(key: string, object: T | undefined) {
    this.key = key;
    this.object = object;
  }
}
