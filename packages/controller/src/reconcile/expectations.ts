import { compareResourceVersions, resourceVersionOf } from "@listwatch/core-fifo";
import type { VersionSource } from "./controller-source.ts";

/** The newest version that was written, by the cache that will show it. */
export type Versions = ReadonlyMap<VersionSource, string>;

/** What reconciles have written, by key, until the caches have seen it. */
export class WrittenVersions {
  readonly #versions = new Map<string, Map<VersionSource, string>>();

  /** Remembers the newest version of a key in each cache. */
  add(key: string, object: unknown, source: VersionSource): void {
    const version = resourceVersionOf(object);
    if (version === undefined || version === "") return;
    const versions = this.#versions.get(key) ?? new Map<VersionSource, string>();
    this.#versions.set(key, versions);
    const present = versions.get(source);
    if (present === undefined || compareResourceVersions(present, version) < 0) {
      versions.set(source, version);
    }
  }

  /** Takes the versions of a key out; `undefined` when there are none. */
  take(key: string): Versions | undefined {
    const versions = this.#versions.get(key);
    if (versions !== undefined) this.#versions.delete(key);
    return versions;
  }
}
