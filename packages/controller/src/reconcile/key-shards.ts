import type { Client } from "@listwatch/client";
import type { Clock } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
import type { ShardRing } from "../sharding/shard-ring.ts";

/** A cache of the reconciled objects. */
interface PrimaryCache {
  getByKey?(key: string): unknown;
}

/** Time for which the uid of a deleted object is kept: longer than its slot is without an owner. */
const deletedMs = 120_000;

/** Number of deletions after which old ones are forgotten. */
const sweepSize = 1000;

/** A deleted object. */
interface Deleted {
  /** `undefined` if the last state is unknown. */
  readonly uid: string | undefined;
  readonly atMs: number;
}

/** The slots of a controller's keys. */
export class KeyShards {
  readonly #ring: ShardRing;
  readonly #clock: Clock;
  readonly #caches: PrimaryCache[] = [];
  readonly #deleted = new Map<string, Deleted>();
  /** Slots of running reconciles: the object may be deleted meanwhile. */
  readonly #running = new Map<string, number>();

  constructor(ring: ShardRing, clock: Clock) {
    this.#ring = ring;
    this.#clock = clock;
  }

  /** Adds the cache of a source whose objects are reconciled. */
  addCache(cache: PrimaryCache | undefined): void {
    if (cache !== undefined) this.#caches.push(cache);
  }

  /** Notes a deletion: its key has no cached object, and no slot by uid, any more. */
  noteDeletion(key: string, object: unknown): void {
    const atMs = this.#clock.now();
    this.#deleted.set(key, { uid: metadataOf(object)?.uid, atMs });
    if (this.#deleted.size % sweepSize !== 0) return;
    for (const [old, deleted] of this.#deleted) {
      if (atMs - deleted.atMs > deletedMs) this.#deleted.delete(old);
    }
  }

  /** Returns the keys of objects that were deleted a short time ago. */
  get deletedKeys(): readonly string[] {
    const sinceMs = this.#clock.now() - deletedMs;
    return [...this.#deleted].filter(([, { atMs }]) => atMs > sinceMs).map(([key]) => key);
  }

  /** Whether this process owns the slot of a key. */
  owns(key: string): boolean {
    const value = this.#valueOf(key);
    return value !== undefined && this.#ring.owns(value);
  }

  /** Returns the slot of a key; `undefined` if it has none. */
  slotOf(key: string): number | undefined {
    const running = this.#running.get(key);
    if (running !== undefined) return running;
    const value = this.#valueOf(key);
    return value === undefined ? undefined : this.#ring.slotOf(value);
  }

  begin(key: string): void {
    const slot = this.slotOf(key);
    if (slot !== undefined) this.#running.set(key, slot);
  }

  end(key: string): void {
    this.#running.delete(key);
  }

  guard(client: Client, key: string): Client {
    return this.#ring.guard(client, this.#valueOf(key));
  }

  #valueOf(key: string): string | undefined {
    if (this.#ring.by === "namespace") {
      const end = key.indexOf("/");
      return end === -1 ? "" : key.slice(0, end);
    }
    for (const cache of this.#caches) {
      const uid = metadataOf(cache.getByKey?.(key))?.uid;
      if (uid !== undefined) return uid;
    }
    return this.#deleted.get(key)?.uid;
  }
}
