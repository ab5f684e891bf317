import type { Client } from "@listwatch/client";
import type { Clock } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import { NotSlotOwnerError } from "../sharding/ring-errors.ts";
import type { ShardRing } from "../sharding/shard-ring.ts";

/** A cache of the reconciled objects. */
interface PrimaryCache {
  getByKey?(key: string): unknown;
}

/** A deleted object. */
interface Deleted {
  /** `undefined` if the last state is unknown. */
  readonly uid: string | undefined;
  readonly atMs: number;
}

/** The right of one reconcile to work and write, which it has from its start on. */
export interface KeyTenure {
  readonly slot: number;
  /** Aborted when this process has lost the slot. */
  readonly lost: AbortSignal;
  /** Aborted when the key has got another object, of another slot; `undefined` by namespace. */
  readonly replaced: AbortController | undefined;
}

/** The slots of a controller's keys. */
export class KeyShards {
  readonly #ring: ShardRing;
  readonly #clock: Clock;
  /** How long a deleted object is remembered, in milliseconds. */
  readonly #rememberMs: number;
  readonly #caches: PrimaryCache[] = [];
  /** Deleted objects by their keys, the earliest first. */
  readonly #deleted = new Map<string, Deleted>();

  /** @param stopTimeoutMs how long work of a slot may go on after its end is asked for */
  constructor(ring: ShardRing, clock: Clock, stopTimeoutMs: number) {
    this.#ring = ring;
    this.#clock = clock;
    // Its slot can be without an owner for a lease and some renewals, or until work has ended.
    this.#rememberMs = 2 * (ring.leaseDurationMs + stopTimeoutMs);
  }

  /** Adds the cache of a source whose objects are reconciled. */
  addCache(cache: PrimaryCache | undefined): void {
    if (cache !== undefined) this.#caches.push(cache);
  }

  /** Notes a deletion: its key has no cached object, and no slot by uid, any more. */
  noteDeletion(key: string, object: unknown): void {
    const atMs = this.#clock.now();
    this.#deleted.delete(key);
    this.#deleted.set(key, { uid: metadataOf(object)?.uid, atMs });
    for (const [old, deleted] of this.#deleted) {
      if (atMs - deleted.atMs <= this.#rememberMs) return;
      this.#deleted.delete(old);
    }
  }

  /** Returns the keys of objects that were deleted a short time ago. */
  get deletedKeys(): readonly string[] {
    const sinceMs = this.#clock.now() - this.#rememberMs;
    return [...this.#deleted].filter(([, { atMs }]) => atMs > sinceMs).map(([key]) => key);
  }

  /** Whether this process owns the slot of a key. */
  owns(key: string): boolean {
    const value = this.#valueOf(key);
    return value !== undefined && this.#ring.owns(value);
  }

  /** Returns the slot of a key; `undefined` if it has none. */
  slotOf(key: string): number | undefined {
    const value = this.#valueOf(key);
    return value === undefined ? undefined : this.#ring.slotOf(value);
  }

  /** Returns the tenure of a reconcile that starts; `undefined` if it must not. */
  begin(key: string): KeyTenure | undefined {
    const value = this.#valueOf(key);
    const tenure = value === undefined ? undefined : this.#ring.tenureOf(value);
    const replaced = this.#ring.by === "uid" ? new AbortController() : undefined;
    return tenure && { slot: tenure.slot, lost: tenure.lost, replaced };
  }

  /**
   * Ends the tenure of a key that has got another object, of another slot. A deleted object keeps
   * its slot.
   *
   * @returns the reason of the end; `undefined` if the tenure goes on
   */
  endIfReplaced(key: string, { replaced, slot }: KeyTenure): unknown {
    const uid = replaced && this.#cachedUid(key);
    if (uid !== undefined && this.#ring.slotOf(uid) !== slot) {
      const why = "the object was deleted, and the new one has another slot";
      replaced?.abort(new NotSlotOwnerError("go on with the reconcile", why));
    }
    return replaced?.signal.reason;
  }

  /** Whether this process has lost the slot of a reconcile, or its key has got another object. */
  hasEnded(key: string, tenure: KeyTenure): boolean {
    return tenure.lost.aborted || this.endIfReplaced(key, tenure) !== undefined;
  }

  /** Returns the client of a reconcile. */
  guard(client: Client, key: string, tenure: KeyTenure | undefined): Client {
    return this.#ring.guardSlot(client, tenure?.slot, () => {
      if (tenure === undefined) return undefined;
      // Reads the cache, which may show another object before its event is handled.
      this.endIfReplaced(key, tenure);
      return tenure.replaced === undefined ? [tenure.lost] : [tenure.lost, tenure.replaced.signal];
    });
  }

  #valueOf(key: string): string | undefined {
    if (this.#ring.by === "namespace") {
      const end = key.indexOf("/");
      return end === -1 ? "" : key.slice(0, end);
    }
    return this.#cachedUid(key) ?? this.#deleted.get(key)?.uid;
  }

  #cachedUid(key: string): string | undefined {
    for (const cache of this.#caches) {
      const uid = metadataOf(cache.getByKey?.(key))?.uid;
      if (uid !== undefined) return uid;
    }
    return undefined;
  }
}
