import type { ListwatchError } from "../base/errors.ts";
import type { Delta } from "../delta/delta.ts";

/** A whole list while its keys are computed, object by object. */
export class ReplacingList<T> {
  readonly objects: T[] = [];
  /** Keys of the objects, in their order. */
  readonly keys: string[] = [];
  /** Keys of skipped objects that are not deleted. */
  readonly keptKeys: string[] = [];
  /** Errors of skipped objects. */
  readonly failures: ListwatchError[] = [];
  readonly #resourceVersion: string;

  constructor(resourceVersion: string) {
    this.#resourceVersion = resourceVersion;
  }

  /** Returns the list as one delta, with keys if they were computed. */
  delta(hasKeys: boolean): Delta<T> {
    const { keptKeys, keys, objects } = this;
    const list = { type: "ReplacedAll", objects, resourceVersion: this.#resourceVersion } as const;
    if (!hasKeys) return list;
    return keptKeys.length === 0 ? { ...list, keys } : { ...list, keys, keptKeys };
  }
}
