import type { Client } from "@listwatch/client";
import type { Clock } from "@listwatch/core-fifo";
import { metadataOf } from "@listwatch/core-fifo/base";
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

/** The slots of a controller's keys. */
export class KeyShards {
  readonly #ring: ShardRing;
  readonly #clock: Clock;
  /** How long a deleted object is remembered, in milliseconds. */
  readonly #rememberMs: number;
  readonly #caches: PrimaryCache[] = [];
  /** Deleted objects by their keys, the earliest first. */
  readonly #deleted = new Map<string, Deleted>();
  /** Slots of running reconciles: the object may be deleted meanwhile. */
  readonly #running = new Map<string, number>();

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
