import { describeDuration } from "@listwatch/core-fifo/base";

/** client-go `maxLruCacheEntries`, tools/record/events_cache.go, as the numbers below. */
const maxEntries = 4096;
const maxSimilar = 10;
const similarMs = 600_000;
const spamBurst = 25;
const spamRefillMs = 300_000;

/** Sets a value and makes its key the newest one; the oldest one goes when there are too many. */
export function setRecent<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= maxEntries) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}

interface Similar {
  /** Different notes, up to the number from which on they are combined. */
  readonly notes: Set<string>;
  lastMs: number;
}

/** Finds events that differ in their notes alone (client-go `EventAggregator`). */
export class SimilarEvents {
  readonly #similar = new Map<string, Similar>();

  /**
   * Notes an event. Returns whether it is to be one with those like it: from the tenth different
   * note on, with less than ten minutes between each two.
   *
   * @param key what similar events have in common
   */
  areMany(key: string, note: string, nowMs: number): boolean {
    const known = this.#similar.get(key);
    const isOver = known === undefined || nowMs - known.lastMs > similarMs;
    const similar = isOver ? { notes: new Set<string>(), lastMs: nowMs } : known;
    similar.lastMs = nowMs;
    if (similar.notes.size < maxSimilar) similar.notes.add(note);
    setRecent(this.#similar, key, similar);
    return similar.notes.size >= maxSimilar;
  }
}

interface Bucket {
  tokens: number;
  lastMs: number;
}

/** Bounds the events about one object (client-go `EventSourceObjectSpamFilter`). */
export class SpamFilter {
  readonly #buckets = new Map<string, Bucket>();

  /** The limit, for the message about an event that is left out. */
  readonly limit: string =
    `${spamBurst} events at once, then one each ` + describeDuration(spamRefillMs);

  /** Whether one more event about this object may be written: 25, then one each five minutes. */
  allows(object: string, nowMs: number): boolean {
    const known = this.#buckets.get(object);
    const earned = known === undefined ? spamBurst : (nowMs - known.lastMs) / spamRefillMs;
    const tokens = Math.min((known?.tokens ?? 0) + earned, spamBurst);
    if (known !== undefined && tokens < 1) {
      // Left as it is: fractions that are added up one by one would make less than a whole.
      setRecent(this.#buckets, object, known);
      return false;
    }
    setRecent(this.#buckets, object, { tokens: tokens - 1, lastMs: nowMs });
    return true;
  }
}
