import { isDeepStrictEqual } from "node:util";
import { compareResourceVersions, isStatusError, metaNamespaceKey, sleep } from "listwatch";
import type { Clock, Informer, KubernetesObject, ListerWatcher } from "listwatch";

/** Lists objects of a server. */
export type Source = Pick<ListerWatcher<KubernetesObject>, "list">;

interface ComparisonOptions {
  readonly informer: Pick<Informer, "lastStoreSyncResourceVersion" | "status" | "store">;
  /** Lists the server without the faults of the demo. */
  readonly source: Source;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

type ListOptions = Parameters<Source["list"]>[0];

/** Time between two looks at the version of the cache, in milliseconds. */
const lookMs = 5;
/**
 * How long a working watch may bring nothing before the cache counts as complete, in milliseconds.
 * A quiet collection of a busy server reaches the server's version with the next bookmark only.
 */
const quietMs = 3000;
const retryMs = 1000;

/** Waits until the cache has what the server has now; resolves with that version. */
export async function catchUp(options: ComparisonOptions): Promise<string> {
  const { clock, informer, signal } = options;
  const newest = (await list(options, { limit: 1 }))?.resourceVersion ?? "";
  let seen = "";
  let sinceMs = clock.now();
  while (clock.now() - sinceMs < quietMs) {
    const version = informer.lastStoreSyncResourceVersion;
    if (version !== "" && compareResourceVersions(version, newest) >= 0) break;
    const { problem, source } = informer.status();
    const isQuiet = version === seen && problem === undefined && source?.phase === "watching";
    if (!isQuiet) sinceMs = clock.now();
    seen = version;
    await sleep(lookMs, { clock, signal });
  }
  return newest;
}

/**
 * Compares each object of a cache, member by member, with a list of exactly the version of the
 * cache, so that later changes do not matter. The text is `cache = server (30 = 30)`, or counts the
 * differences.
 *
 * @param newest the version of the server that the cache has reached
 */
export async function compareWithServer(
  options: ComparisonOptions,
  newest: string,
): Promise<{ readonly isEqual: boolean; readonly text: string }> {
  const { informer } = options;
  // In one turn, so that the objects and their version belong together.
  const copies = new Map(informer.store.list().map((object) => [identity(object), object]));
  const version = informer.lastStoreSyncResourceVersion;
  const resourceVersion = compareResourceVersions(version, newest) < 0 ? newest : version;
  const listed = await list(options, { resourceVersion, resourceVersionMatch: "Exact" });
  if (listed === undefined) return compareWithServer(options, newest);
  const counts = [copies.size, listed.items.length];
  let [missing, different] = [0, 0];
  for (const object of listed.items) {
    const copy = copies.get(identity(object));
    if (!copies.delete(identity(object))) missing++;
    else if (!isDeepStrictEqual(copy, object)) different++;
  }
  if (missing + copies.size + different === 0) {
    return { isEqual: true, text: `cache = server (${counts.join(" = ")})` };
  }
  const differences = `${missing} missing, ${copies.size} surplus, ${different} different`;
  return { isEqual: false, text: `cache ≠ server (${counts.join(", ")}): ${differences}` };
}

/** Lists until the server answers; `undefined` if its history begins after the version. */
async function list({ clock, signal, source }: ComparisonOptions, options: ListOptions) {
  for (;;) {
    try {
      const answer = await source.list(options, { signal });
      const pages = Symbol.asyncIterator in answer.items ? answer.items : [answer.items];
      const items: KubernetesObject[] = [];
      for await (const page of pages) for (const object of page) items.push(object);
      // The metadata is complete after the last item.
      return { items, resourceVersion: answer.metadata?.resourceVersion };
    } catch (error) {
      if (isStatusError(error, "Expired", "Gone")) return undefined;
      await sleep(retryMs, { clock, signal });
    }
  }
}

function identity(object: KubernetesObject): string {
  return object.metadata?.uid ?? metaNamespaceKey(object);
}
