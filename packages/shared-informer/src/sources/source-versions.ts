import type { Transform } from "@listwatch/core-fifo";
import { resourceVersionOf } from "@listwatch/core-fifo/base";

/**
 * Remembers the resourceVersion that objects had before a transform that changes it. Without it
 * every update of an object whose transform removes the resourceVersion looks like a resync.
 */
export class SourceVersions {
  readonly #versions = new WeakMap<object, string>();

  /** Wraps a transform so that the versions it changes are remembered. */
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

  /** The resourceVersion that the server gave to what this object was made of. */
  of(object: unknown): string | undefined {
    return this.changed(object) ?? resourceVersionOf(object);
  }

  /** The same, only for objects whose transform changed it. */
  changed(object: unknown): string | undefined {
    return typeof object === "object" && object !== null ? this.#versions.get(object) : undefined;
  }
}
