import { isExpired } from "@listwatch/client";
import { compareResourceVersions, sleep, type KubernetesObject } from "@listwatch/core-fifo";
import { findInconsistency, type ListerWatcher, type ListResult } from "@listwatch/reflector";
import type { SharedInformer } from "@listwatch/shared-informer";

/** What is compared with what. */
export interface CacheCheckOptions {
  readonly informer: Pick<
    SharedInformer,
    "lastStoreSyncResourceVersion" | "status" | "waitForResourceVersion"
  > & { readonly store: { list(): readonly KubernetesObject[] } };
  /** Asks the server; not through the connection whose faults are shown. */
  readonly listerWatcher: ListerWatcher<KubernetesObject>;
  readonly signal: AbortSignal;
  /** Called when the cache has what the server had at the beginning of the check. */
  readonly onCaughtUp?: (() => void) | undefined;
}

/** How cache and server compare. */
export interface CacheCheck {
  readonly isEqual: boolean;
  /** `cache = server (30 = 30)`, or what differs, or why they could not be compared. */
  readonly text: string;
}

/**
 * How long a working watch may bring nothing, in milliseconds, while the server's version is not
 * reached. A quiet collection of a busy server reaches it with the next bookmark only, and is
 * compared as it is.
 */
const quietMs = 3000;
/** How long the server may take for its lists, in milliseconds; 50,000 objects take seconds. */
const listMs = 60_000;
/** Time between two attempts to learn the server's version, in milliseconds. */
const retryMs = 1000;
/** Attempts to list a version that is compacted before the list is there. */
const attempts = 5;

/**
 * Compares each object of a cache, member by member, with what the server has at the version that
 * the cache is at: with a list of exactly that version, so that changes meanwhile do not matter.
 *
 * @throws the signal's reason when it is aborted before
 */
export async function checkCache(options: CacheCheckOptions): Promise<CacheCheck> {
  const { informer, listerWatcher, signal, onCaughtUp } = options;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(listMs)]);
  try {
    const newest = await newestVersion(listerWatcher, inTime);
    await catchUp(informer, newest, signal);
    onCaughtUp?.();
    for (let attempt = 1; ; attempt++) {
      try {
        return await compare(options, newest);
      } catch (error) {
        if (!isExpired(error) || attempt === attempts) throw error;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return { isEqual: false, text: `not compared: ${reason}` };
  }
}

/**
 * Compares the cache as it is now.
 *
 * @throws the error of the server when its history does not reach back to the cache's version
 */
async function compare(
  { informer, listerWatcher, signal }: CacheCheckOptions,
  newest: string,
): Promise<CacheCheck> {
  // In one turn, so that the objects and their version belong together.
  const objects = informer.store.list();
  const resourceVersion = newer(informer.lastStoreSyncResourceVersion, newest);
  const expired = new AbortController();
  const lists = new CountedLists(listerWatcher, (error) => expired.abort(error));
  const inconsistency = await findInconsistency({
    listerWatcher: lists,
    objects,
    resourceVersion,
    signal: AbortSignal.any([signal, expired.signal, AbortSignal.timeout(listMs)]),
  });
  if (inconsistency === undefined) {
    return { isEqual: true, text: `cache = server (${objects.length} = ${lists.items})` };
  }
  const { missing, extra, different } = inconsistency;
  const differences = [
    `${missing.length} missing`,
    `${extra.length} surplus`,
    `${different.length} different`,
  ];
  const counts = `${objects.length}, ${lists.items}`;
  return { isEqual: false, text: `cache ≠ server (${counts}): ${differences.join(", ")}` };
}

/** Waits until the cache is at a version, however long it takes while there is progress. */
async function catchUp(
  informer: CacheCheckOptions["informer"],
  resourceVersion: string,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const before = informer.lastStoreSyncResourceVersion;
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(quietMs)]);
    const wait = informer.waitForResourceVersion(resourceVersion, { signal: inTime });
    if (await wait.then(() => true).catch(() => false)) return;
    signal.throwIfAborted();
    const { problem, source } = informer.status();
    const isWatching = problem === undefined && source?.phase === "watching";
    if (isWatching && informer.lastStoreSyncResourceVersion === before) return;
  }
}

/** The version at which the server is now; asks again while the server refuses. */
async function newestVersion(
  listerWatcher: ListerWatcher<KubernetesObject>,
  signal: AbortSignal,
): Promise<string> {
  for (;;) {
    try {
      const list = await listerWatcher.list({ limit: 1 }, { signal });
      // The metadata is complete when the items have been read.
      for await (const page of pagesOf(list)) if (page.length > 0) break;
      return list.metadata?.resourceVersion ?? "";
    } catch (error) {
      await sleep(retryMs, { signal }).catch(() => {
        throw error;
      });
    }
  }
}

function newer(a: string, b: string): string {
  return compareResourceVersions(a, b) < 0 ? b : a;
}

/** Lists that count what the server answers, and tell when the version is compacted. */
class CountedLists implements Pick<ListerWatcher<KubernetesObject>, "list"> {
  /** Items of the last list. */
  items = 0;
  readonly #inner: ListerWatcher<KubernetesObject>;
  readonly #onExpired: (error: unknown) => void;

  constructor(inner: ListerWatcher<KubernetesObject>, onExpired: (error: unknown) => void) {
    this.#inner = inner;
    this.#onExpired = onExpired;
  }

  readonly list: ListerWatcher<KubernetesObject>["list"] = async (options, context) => {
    const result = await this.#inner.list(options, context).catch((error: unknown) => {
      if (isExpired(error)) this.#onExpired(error);
      throw error;
    });
    this.items = 0;
    const items = this.#counted(result);
    // A getter, because the metadata comes with the last item.
    return {
      items,
      get metadata() {
        return result.metadata;
      },
    };
  };

  async *#counted(
    result: ListResult<KubernetesObject>,
  ): AsyncGenerator<readonly KubernetesObject[]> {
    for await (const page of pagesOf(result)) {
      this.items += page.length;
      yield page;
    }
  }
}

async function* pagesOf<T>({ items }: ListResult<T>): AsyncGenerator<readonly T[]> {
  if (Symbol.asyncIterator in items) yield* items;
  else yield items;
}
