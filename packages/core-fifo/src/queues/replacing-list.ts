import type { ListwatchError } from "../base/errors.ts";
import type { Delta } from "../delta/delta.ts";

/** A whole list while its keys are computed, object by object. */
export class ReplacingList<T> {
  readonly objects: T[] = [];
  /** Those of the objects, in their order. */
  readonly keys: string[] = [];
  /** Those of objects that are left out and stay as they are. */
  readonly keptKeys: string[] = [];
  /** Why objects are left out. */
  readonly failures: ListwatchError[] = [];
  readonly #resourceVersion: string;

  constructor(resourceVersion: string) {
    this.#resourceVersion = resourceVersion;
  }

  /** The list as one delta, with keys if they were computed. */
  delta(hasKeys: boolean): Delta<T> {
    const { keptKeys, keys, objects } = this;
    const list = { type: "ReplacedAll", objects, resourceVersion: this.#resourceVersion } as const;
    if (!hasKeys) return list;
    return keptKeys.length === 0 ? { ...list, keys } : { ...list, keys, keptKeys };
  }
}
