import {
  ListwatchError,
  metaNamespaceKey,
  sleep,
  systemClock,
  type Clock,
  type KubernetesObject,
} from "@listwatch/core-fifo";
import {
  isJsonEqual,
  metadataOf,
  aClock,
  aFunction,
  anIterable,
  aSignal,
  aString,
  having,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { Pager } from "./pager.ts";
import type { ListerWatcher } from "./lister-watcher.ts";

/** Time between two attempts to list (client-go util/consistencydetector). */
const retryMs = 1000;

/** A copy of a collection differs from a list of the same resourceVersion. Code `LW_INCONSISTENT`. */
export class InconsistencyError extends ListwatchError {
  /** Always `"InconsistencyError"`, also in minified programs. */
  override readonly name: string = "InconsistencyError";
  /** State in which the copy and the list were compared. */
  readonly resourceVersion: string;
  /** Keys of objects that the server has and the copy has not. */
  readonly missing: readonly string[];
  /** Keys of objects that the copy has and the server has not. */
  readonly extra: readonly string[];
  /** Keys of objects that differ. */
  readonly different: readonly string[];

  constructor(
    resourceVersion: string,
    keys: Pick<InconsistencyError, "missing" | "extra" | "different">,
  ) {
    const { missing, extra, different } = keys;
    super(
      "LW_INCONSISTENT",
      `Cannot confirm the state at resourceVersion ${resourceVersion}: ` +
        `${missing.length} objects are missing, ${extra.length} should not be there, ` +
        `${different.length} differ`,
    );
    this.resourceVersion = resourceVersion;
    this.missing = missing;
    this.extra = extra;
    this.different = different;
  }
}

/** Options of {@link findInconsistency}. */
export interface ConsistencyOptions<T> {
  /** Source of the list to compare with. It lists exactly `resourceVersion`. */
  readonly listerWatcher: Pick<ListerWatcher<T>, "list">;
  /** Objects of the copy, in any order. */
  readonly objects: Iterable<T>;
  /** The state that the copy claims to be. */
  readonly resourceVersion: string;
  /**
   * Applied to the listed objects before they are compared; those it throws for are left out.
   *
   * @default none
   */
  readonly transform?: ((object: T) => T) | undefined;
  /** Ends the comparison, which rejects with the reason of the signal. @default none */
  readonly signal?: AbortSignal | undefined;
  /** Clock for the delay of one second between two attempts to list. @default systemClock */
  readonly clock?: Clock | undefined;
}

const consistencyTable: OptionsOf<ConsistencyOptions<never>> = {
  listerWatcher: having("list"),
  objects: anIterable,
  resourceVersion: aString,
  transform: aFunction,
  signal: aSignal,
  clock: aClock,
};

/**
 * Compares a copy of a collection with a list of exactly its resourceVersion, and gives the
 * difference. Lists again every second until the server answers. A copy at `"0"` is of no certain
 * state and is not compared.
 *
 * @throws the signal's reason when it is aborted before
 */
export async function findInconsistency<T extends KubernetesObject>(
  options: ConsistencyOptions<T>,
): Promise<InconsistencyError | undefined> {
  checkOptions(options, consistencyTable, ["listerWatcher", "objects", "resourceVersion"]);
  const { objects, resourceVersion } = options;
  if (resourceVersion === "" || resourceVersion === "0") return undefined;
  const copy = byIdentity(objects);
  const listed = byIdentity(transformed(await listExactly(options), options.transform));
  const missing: string[] = [];
  const different: string[] = [];
  for (const [identity, object] of listed) {
    const copied = copy.get(identity);
    if (copied === undefined) missing.push(metaNamespaceKey(object));
    else if (!isJsonEqual(copied, object)) different.push(metaNamespaceKey(object));
    copy.delete(identity);
  }
  const extra = [...copy.values()].map((object) => metaNamespaceKey(object));
  if (missing.length + extra.length + different.length === 0) return undefined;
  return new InconsistencyError(resourceVersion, { missing, extra, different });
}

async function listExactly<T>(options: ConsistencyOptions<T>): Promise<readonly T[]> {
  const { listerWatcher, resourceVersion, clock = systemClock } = options;
  const { signal = new AbortController().signal } = options;
  const pager = new Pager<T>({
    list: (listOptions, context) => listerWatcher.list(listOptions, context),
    pageSize: 0,
  });
  for (;;) {
    try {
      const exact = { resourceVersion, resourceVersionMatch: "Exact" } as const;
      return (await pager.list(exact, { signal })).items;
    } catch {
      signal.throwIfAborted();
      await sleep(retryMs, { clock, signal });
    }
  }
}

function* transformed<T>(
  objects: readonly T[],
  transform: ((object: T) => T) | undefined,
): Generator<T> {
  for (const object of objects) {
    try {
      yield transform === undefined ? object : transform(object);
    } catch {
      // The copy went through the same transform, which left the object out there too.
    }
  }
}

function byIdentity<T extends KubernetesObject>(objects: Iterable<T>): Map<string, T> {
  const map = new Map<string, T>();
  for (const object of objects)
    map.set(metadataOf(object)?.uid ?? metaNamespaceKey(object), object);
  return map;
}
