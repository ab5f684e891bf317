import type { Clock } from "@listwatch/core-fifo";

interface LruEntry<V> {
  readonly value: V;
  readonly expiresMs: number;
}

/** A map of limited size with expiring entries. A new entry replaces the least recently used one. */
export class ExpiringLru<V> {
  // Insertion order is order of use: a used entry is removed and inserted again.
  readonly #entries = new Map<string, LruEntry<V>>();
  readonly #maxEntries: number;
  readonly #ttlMs: number;
  readonly #clock: Clock;

  constructor(maxEntries: number, ttlMs: number, clock: Clock) {
    this.#maxEntries = maxEntries;
    this.#ttlMs = ttlMs;
    this.#clock = clock;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= this.#maxEntries)
      this.#entries.delete(oldest);
    this.#entries.set(key, { value, expiresMs: this.#clock.now() + this.#ttlMs });
  }

  /** Marks the entry as used. */
  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (this.#clock.now() > entry.expiresMs) return undefined;
    this.#entries.set(key, entry);
    return entry.value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Returns the live entries, the least recently used first. Does not count as use. */
  list(): [string, V][] {
    const nowMs = this.#clock.now();
    const live: [string, V][] = [];
    for (const [key, { value, expiresMs }] of this.#entries) {
      if (nowMs <= expiresMs) live.push([key, value]);
    }
    return live;
  }
}
