import type { Transform } from "@listwatch/core-fifo";
import { resourceVersionOf } from "@listwatch/core-fifo/base";

/**
 * Remembers resourceVersions that a transform changes. Otherwise every update of an object whose
 * transform removes the resourceVersion looks like a resync.
 */
export class SourceVersions {
  readonly #versions = new WeakMap<object, string>();

  /** Wraps a transform and remembers the versions that it changes. */
  watch<T>(transform: Transform<T>): Transform<T> {
    return (object) => {
      const version = resourceVersionOf(object);
      const transformed = transform(object);
      if (
        version !== undefined &&
        typeof transformed === "object" &&
        transformed !== null &&
        resourceVersionOf(transformed) !== version
      ) {
        this.#versions.set(transformed, version);
      }
      return transformed;
    };
  }

  /** Returns the resourceVersion that the server gave the object before the transform. */
  of(object: unknown): string | undefined {
    return this.changed(object) ?? resourceVersionOf(object);
  }

  /** Same, but only for objects whose transform changed it. */
  changed(object: unknown): string | undefined {
    return typeof object === "object" && object !== null ? this.#versions.get(object) : undefined;
  }
}
