import type { Place } from "../plan/call.ts";
import type { SeenEvent } from "../plan/seen-event.ts";

/** Versions of objects that the watches of a process have shown it, as in its caches. */
export class CacheView {
  /** Versions by key, for each resource that was watched. */
  readonly #resources = new Map<string, Map<string, string>>();

  /** Takes over an event of a watch. */
  see({ resource }: Place, { key, type, version }: SeenEvent): void {
    const seen = this.#resources.get(resource) ?? new Map<string, string>();
    this.#resources.set(resource, seen);
    if (type === "DELETED") seen.delete(key);
    else seen.set(key, version);
  }

  /** Describes what the cache has of the object of a request; "" if there is no such cache. */
  describe({ key, resource }: Place): string {
    const seen = this.#resources.get(resource);
    if (seen === undefined || key === "") return "";
    const version = seen.get(key);
    return version === undefined ? " (not in its cache)" : ` (its cache has ${version})`;
  }
}
