import {
  asCached,
  metadataOf,
  resourceVersionOf,
  aBoolean,
  aClock,
  aFunction,
  aNumber,
  anything,
  checkOptions,
  having,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import {
  type Clock,
  compareResourceVersions,
  DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKey,
  type KeyFunction,
  ListwatchError,
  type Preset,
  systemClock,
  type Cached,
} from "@listwatch/core-fifo";
import {
  type IndexFunction,
  type IndexValues,
  type NoIndexes,
  valuesOf,
} from "../store/index-function.ts";
import type { IndexerReader } from "../store/indexer.ts";
import { computeKey, computeKeyToFind, type ToFind } from "../store/compute-key.ts";
import { ExpiringLru } from "./expiring-lru.ts";
import { resolveBehaviour } from "../store/store-behaviour.ts";
import type { Store } from "../store/store.ts";

/** Options of {@link MutationCache}. */
export interface MutationCacheOptions<T, I extends IndexValues> {
  /** Index to look objects up in. @default none, `byIndex` throws */
  readonly indexer?: IndexerReader<T, I> | undefined;
  /** How long a written object is kept, in milliseconds. @default 300_000, as in client-go */
  readonly ttlMs?: number | undefined;
  /**
   * Maximum number of written objects. A new one replaces the least recently used one.
   *
   * @default 100, as in client-go
   */
  readonly maxEntries?: number | undefined;
  /** Whether to include created objects that the store does not contain yet. @default false */
  readonly includeAdds?: boolean | undefined;
  /**
   * `clientGoStoreBehaviour` selects client-go's behaviour where the cache differs.
   *
   * @default none
   */
  readonly behaviour?: Preset<"clientGoStoreBehaviour"> | undefined;
  /** Computes the key of an object. @default deletionHandlingMetaNamespaceKey */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /** Clock for `ttlMs`. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Called with errors of written objects without a key, and of index functions. The objects are
   * skipped.
   *
   * @default none
   */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const mutationTable: OptionsOf<MutationCacheOptions<never, never>> = {
  indexer: having("byIndex", "getByKey"),
  ttlMs: aNumber(0),
  maxEntries: aNumber(0),
  includeAdds: aBoolean,
  behaviour: anything,
  keyFunc: aFunction,
  clock: aClock,
  onError: aFunction,
};

/** An object that the user wrote, or a mark that it was deleted. */
type Overlay<T> =
  | { readonly kind: "object"; readonly object: Cached<T> }
  | { readonly kind: "tombstone"; readonly uid: string | undefined; readonly version: string };

/**
 * Read-your-writes over a store that an informer fills. An object that the user has written is
 * found at once, before the watch delivers it. The object with the newer resourceVersion wins.
 *
 * Pass the results of writes to {@link mutation}, and events of the informer to
 * {@link
 * onAddOrUpdate} and {@link onDelete}. An object that the user created, and that was deleted
 * before the informer saw it, stays until it expires. Ask the API server before acting on an object
 * that only this cache contains.
 *
 * ```ts
 * import { Indexer, MutationCache } from "@listwatch/store-indexer";
 *
 * interface Pod {
 *   metadata: { name: string; resourceVersion: string };
 * }
 * const store = new Indexer<Pod>();
 * store.add({ metadata: { name: "web", resourceVersion: "7" } });
 *
 * const cache = new MutationCache(store);
 * cache.mutation({ metadata: { name: "web", resourceVersion: "9" } }); // our own patch
 * const version = cache.getByKey("web")?.metadata.resourceVersion;
 * if (version !== "9") throw new Error("Expected our own write");
 * ```
 */
export class MutationCache<T, I extends IndexValues = NoIndexes> {
  readonly #store: Pick<Store<T>, "getByKey">;
  readonly #indexer: IndexerReader<T, I> | undefined;
  readonly #overlays: ExpiringLru<Overlay<T>>;
  readonly #includeAdds: boolean;
  readonly #forgetAddsOnRead: boolean;
  readonly #keyFunc: KeyFunction<T>;
  readonly #onError: (error: unknown) => void;

  constructor(store: Pick<Store<T>, "getByKey">, options: MutationCacheOptions<T, I> = {}) {
    checkOptions(options, mutationTable);
    // 5 min, 100: client-go MutationCacheOptions, tools/cache/mutation_cache.go
    const { ttlMs = 300_000, maxEntries = 100, clock = systemClock } = options;
    this.#store = store;
    this.#indexer = options.indexer;
    this.#overlays = new ExpiringLru(maxEntries, ttlMs, clock);
    this.#includeAdds = options.includeAdds ?? false;
    this.#forgetAddsOnRead = resolveBehaviour(options.behaviour).forgetAddsOnRead;
    this.#keyFunc = options.keyFunc ?? deletionHandlingMetaNamespaceKey;
    this.#onError = options.onError ?? (() => {});
  }

  /**
   * Returns the newer of the stored and the written object. `undefined` if the store has none,
   * unless `includeAdds` is set.
   *
   * @throws {ResourceVersionError} if a resourceVersion is not a decimal number
   */
  getByKey(key: string): Cached<T> | undefined {
    const stored = this.#store.getByKey(key);
    if (stored !== undefined) return this.#newer(key, stored);
    if (!this.#includeAdds) return undefined;
    const overlay = this.#overlays.get(key);
    if (overlay?.kind !== "object") return undefined;
    if (this.#forgetAddsOnRead && isComparable(overlay)) this.#overlays.delete(key);
    return overlay.object;
  }

  /**
   * Returns the stored objects with a value of an index. Newer written objects replace them, even
   * if their value differs. `includeAdds` adds written objects with this value that the store does
   * not contain.
   *
   * @param name name of the index, as in the option `indexer`
   * @param value value that the index function returns for the objects
   * @throws {ListwatchError} with the code `LW_NO_INDEXER` if there is no indexer,
   *   `LW_NO_SUCH_INDEX` if it has no such index
   * @throws {ResourceVersionError} if a resourceVersion is not a decimal number
   */
  byIndex<N extends keyof I & string>(name: N, value: I[N]): Cached<T>[] {
    const indexer = this.#indexer;
    if (indexer === undefined) {
      throw new ListwatchError(
        "LW_NO_INDEXER",
        `Cannot read the index ${JSON.stringify(name)}: expected the option indexer, got none`,
      );
    }
    const objects: Cached<T>[] = [];
    const keys = new Set(indexer.indexKeys(name, value));
    for (const key of keys) {
      const stored = indexer.getByKey(key);
      if (stored !== undefined) objects.push(this.#newer(key, stored));
    }
    if (!this.#includeAdds) return objects;
    const indexFunction: IndexFunction<T> = indexer.getIndexers()[name];
    for (const [key, overlay] of this.#overlays.list()) {
      if (overlay.kind !== "object" || keys.has(key)) continue;
      try {
        const values = valuesOf(indexFunction(overlay.object));
        if (values.includes(value)) objects.push(overlay.object);
      } catch (error) {
        this.#onError(error);
      }
    }
    return objects;
  }

  /**
   * Records the result of a create, update or patch. Ignores a result that is older than the
   * recorded one, or that belongs to a deleted instance.
   *
   * @throws {ResourceVersionError} if a resourceVersion is not a decimal number
   */
  mutation(object: T | Cached<T>): void {
    let key: string;
    try {
      key = computeKey(this.#keyFunc, object);
    } catch (error) {
      this.#onError(error);
      return;
    }
    const overlay = this.#overlays.get(key);
    if (overlay !== undefined && hasMetadata(object) && isComparable(overlay)) {
      const order = compareVersions(versionOf(object), versionIn(overlay));
      if (order < 0) return;
      if (overlay.kind === "tombstone" && (order === 0 || isSameUid(uidOf(object), overlay.uid)))
        return;
    }
    this.#overlays.set(key, { kind: "object", object: asCached<T>(object) });
  }

  /**
   * Call this when the informer has added or updated an object. The written object is dropped
   * unless it is newer.
   *
   * @throws {KeyError} if the object has no key
   * @throws {ResourceVersionError} if a resourceVersion is not a decimal number
   */
  onAddOrUpdate(object: T | Cached<T>): void {
    const key = computeKey(this.#keyFunc, object);
    const overlay = this.#overlays.get(key);
    if (overlay === undefined) return;
    if (compareVersions(versionOf(object), versionIn(overlay)) >= 0) this.#overlays.delete(key);
  }

  /**
   * Call this when the informer has deleted an object. The written object is dropped unless it is
   * newer and another instance. A late {@link mutation} of the deleted instance is ignored.
   *
   * @throws {KeyError} if the object has no key
   * @throws {ResourceVersionError} if a resourceVersion is not a decimal number
   */
  onDelete(object: ToFind<T>): void {
    const key = computeKeyToFind(this.#keyFunc, object);
    const deleted = object instanceof DeletedFinalStateUnknown ? object.object : object;
    const version = versionOf(deleted);
    const uid = uidOf(deleted);
    const overlay = this.#overlays.get(key);
    if (overlay !== undefined && compareVersions(versionIn(overlay), version) > 0) {
      if (!isSameUid(uidIn(overlay), uid)) return;
    }
    this.#overlays.set(key, { kind: "tombstone", uid, version });
  }

  #newer(key: string, stored: Cached<T>): Cached<T> {
    if (!hasMetadata(stored)) return stored;
    const overlay = this.#overlays.get(key);
    if (overlay === undefined || !isComparable(overlay)) return stored;
    if (compareVersions(versionOf(stored), versionIn(overlay)) >= 0) {
      this.#overlays.delete(key);
      return stored;
    }
    return overlay.kind === "object" ? overlay.object : stored;
  }
}

/** A missing version counts as 0, older than any other. */
function compareVersions(left: string, right: string): number {
  const hasLeft = isAboveZero(left);
  const hasRight = isAboveZero(right);
  return hasLeft && hasRight
    ? compareResourceVersions(left, right)
    : Number(hasLeft) - Number(hasRight);
}

function isAboveZero(version: string): boolean {
  // Comparing a version with itself only throws if it is malformed.
  return version !== "" && version !== "0" && compareResourceVersions(version, version) === 0;
}

/** Whether versions can be compared: a bare key, for example, has no version. */
function isComparable<T>(overlay: Overlay<T>): boolean {
  return overlay.kind === "tombstone" || hasMetadata(overlay.object);
}

function hasMetadata(object: unknown): boolean {
  return metadataOf(object) !== undefined;
}

function versionOf(object: unknown): string {
  return resourceVersionOf(object) ?? "";
}

function uidOf(object: unknown): string | undefined {
  return metadataOf(object)?.uid;
}

function versionIn<T>(overlay: Overlay<T>): string {
  return overlay.kind === "object" ? versionOf(overlay.object) : overlay.version;
}

function uidIn<T>(overlay: Overlay<T>): string | undefined {
  return overlay.kind === "object" ? uidOf(overlay.object) : overlay.uid;
}

/** Two missing UIDs are not the same. */
function isSameUid(left: string | undefined, right: string | undefined): boolean {
  return left !== undefined && left === right;
}
