import {
  asCached,
  resourceVersionOf,
  aClock,
  aFunction,
  aNumber,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import {
  type Clock,
  deletionHandlingMetaNamespaceKey,
  type KeyFunction,
  systemClock,
  type Cached,
} from "@listwatch/core-fifo";
import { computeKey, computeKeyToFind, type ToFind } from "../store/compute-key.ts";
import type { Store } from "../store/store.ts";

/** An object of an {@link ExpirationStore}, as passed to an expiry policy. */
export interface TimestampedEntry<T> {
  /** Object as it was written. */
  readonly object: Cached<T>;
  /** Time of the write, in milliseconds of the store's clock. */
  readonly writtenMs: number;
}

/** Options of {@link ExpirationStore}. */
export interface ExpirationStoreOptions<T> {
  /**
   * How long an object lives after it was written, in milliseconds. An object of exactly this age
   * is still found. 0 or less means forever.
   *
   * @default 0
   */
  readonly ttlMs?: number | undefined;
  /**
   * Decides which objects are expired; replaces `ttlMs`.
   *
   * @default an object is expired after `ttlMs`
   */
  readonly isExpired?: ((entry: TimestampedEntry<T>) => boolean) | undefined;
  /** Computes the key of an object. @default deletionHandlingMetaNamespaceKey */
  readonly keyFunc?: KeyFunction<T> | undefined;
  /** Clock for the age of objects. @default systemClock */
  readonly clock?: Clock | undefined;
}

const expirationTable: OptionsOf<ExpirationStoreOptions<never>> = {
  ttlMs: aNumber(),
  isExpired: aFunction,
  keyFunc: aFunction,
  clock: aClock,
};

/**
 * A store that removes objects some time after they were written. Writing an object again renews
 * it, reading does not.
 *
 * There is no timer: `get`, `getByKey` and `list` remove expired objects when they meet them.
 * `listKeys` does not check, so it may contain expired keys.
 *
 * As in client-go, `add` and `update` do not change `lastStoreSyncResourceVersion`; all other
 * writes set it.
 *
 * ```ts
 * import { SimulatedClock } from "@listwatch/core-fifo/testing";
 * import { ExpirationStore } from "@listwatch/store-indexer";
 *
 * const clock = new SimulatedClock();
 * const leases = new ExpirationStore({ keyFunc: (id: string) => id, ttlMs: 5000, clock });
 * leases.add("a");
 * await clock.advance(5001);
 * if (leases.getByKey("a") !== undefined) throw new Error("Expected it to be forgotten");
 * ```
 */
export class ExpirationStore<T> implements Store<T> {
  #entries: Map<string, TimestampedEntry<T>> = new Map();
  #resourceVersion = "";
  readonly #isExpired: (entry: TimestampedEntry<T>) => boolean;
  readonly #keyFunc: KeyFunction<T>;
  readonly #clock: Clock;

  constructor(options: ExpirationStoreOptions<T> = {}) {
    checkOptions(options, expirationTable);
    const { ttlMs = 0, clock = systemClock } = options;
    this.#clock = clock;
    this.#keyFunc = options.keyFunc ?? deletionHandlingMetaNamespaceKey;
    this.#isExpired =
      options.isExpired ?? (({ writtenMs }) => ttlMs > 0 && clock.now() - writtenMs > ttlMs);
  }

  get lastStoreSyncResourceVersion(): string {
    return this.#resourceVersion;
  }

  /**
   * Writes an object, which starts its lifetime again.
   *
   * @throws {KeyError} if the object has no key
   */
  add(object: T | Cached<T>): void {
    this.#entries.set(computeKey(this.#keyFunc, object), this.#stamped(object, this.#clock.now()));
  }

  /** Same as {@link ExpirationStore.add}. */
  update(object: T | Cached<T>): void {
    this.add(object);
  }

  /**
   * Removes the object with this key, if there is one.
   *
   * @throws {KeyError} if the object has no key
   */
  delete(object: ToFind<T>): void {
    this.#entries.delete(computeKeyToFind(this.#keyFunc, object));
    this.#resourceVersion = resourceVersionOf(object) ?? this.#resourceVersion;
  }

  /**
   * Replaces the whole content. All objects count as written at the same time.
   *
   * @throws {KeyError} if an object has no key; nothing has changed then
   */
  replace(objects: readonly (T | Cached<T>)[], resourceVersion: string): void {
    const nowMs = this.#clock.now();
    this.#entries = new Map(
      objects.map((object) => [computeKey(this.#keyFunc, object), this.#stamped(object, nowMs)]),
    );
    this.#resourceVersion = resourceVersion;
  }

  /** Does nothing. */
  resync(): void {}

  bookmark(resourceVersion: string): void {
    this.#resourceVersion = resourceVersion;
  }

  /**
   * Returns the object stored under the key of `object`; `undefined` if there is none or it has
   * expired.
   *
   * @throws {KeyError} if the object has no key
   */
  get(object: ToFind<T>): Cached<T> | undefined {
    return this.getByKey(computeKeyToFind(this.#keyFunc, object));
  }

  /** Returns the object with this key; `undefined` if there is none or it has expired. */
  getByKey(key: string): Cached<T> | undefined {
    const entry = this.#entries.get(key);
    return entry === undefined || this.#forgetExpired(key, entry) ? undefined : entry.object;
  }

  /** Returns the objects that have not expired, and forgets the others. */
  list(): Cached<T>[] {
    const objects: Cached<T>[] = [];
    for (const [key, entry] of this.#entries) {
      if (!this.#forgetExpired(key, entry)) objects.push(entry.object);
    }
    return objects;
  }

  /** Returns all keys, including those of expired objects that no read has met. */
  listKeys(): string[] {
    return [...this.#entries.keys()];
  }

  #stamped(object: T | Cached<T>, writtenMs: number): TimestampedEntry<T> {
    return { object: asCached<T>(object), writtenMs };
  }

  #forgetExpired(key: string, entry: TimestampedEntry<T>): boolean {
    const isExpired = this.#isExpired(entry);
    if (isExpired) this.#entries.delete(key);
    return isExpired;
  }
}
