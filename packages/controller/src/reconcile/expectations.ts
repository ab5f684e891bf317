import { compareResourceVersions, sleep, type Clock } from "@listwatch/core-fifo";
import { linkAbort, resourceVersionOf } from "@listwatch/core-fifo/base";
import type { VersionSource } from "./controller-source.ts";

/** The newest written version for each cache that will contain it. */
export type Expectation = ReadonlyMap<VersionSource, string>;

/** Writes of reconciles, by key, until the caches contain them. */
export class Expectations {
  readonly #expected = new Map<string, Map<VersionSource, string>>();

  /** Records the newest version of a key in each cache. */
  add(key: string, object: unknown, source: VersionSource): void {
    const version = resourceVersionOf(object);
    if (version === undefined || version === "") return;
    const versions = this.#expected.get(key) ?? new Map<VersionSource, string>();
    this.#expected.set(key, versions);
    const present = versions.get(source);
    if (present === undefined || compareResourceVersions(present, version) < 0) {
      versions.set(source, version);
    }
  }

  /** Removes and returns the expectation of a key; `undefined` if there is none. */
  take(key: string): Expectation | undefined {
    const versions = this.#expected.get(key);
    if (versions !== undefined) this.#expected.delete(key);
    return versions;
  }
}

/**
 * Waits until the caches contain the writes, the time is over, or the signal is aborted. Never
 * rejects: if the caches are late, the key is reconciled anyway.
 */
export async function waitForCaches(
  expectation: Expectation,
  options: { readonly timeoutMs: number; readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  const { timeoutMs, clock } = options;
  const enough = linkAbort(options.signal);
  const { signal } = enough;
  const seen = Array.from(expectation, ([source, version]) =>
    source.waitForResourceVersion(version, { signal }),
  );
  const timeout = sleep(timeoutMs, { clock, signal });
  await Promise.race([timeout, Promise.allSettled(seen)]).catch(() => {});
  enough.abort();
  await Promise.allSettled([timeout, ...seen]);
}
