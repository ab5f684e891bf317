import { describeDuration } from "@listwatch/core-fifo/base";

/** client-go `maxLruCacheEntries`, tools/record/events_cache.go, like the numbers below. */
const maxEntries = 4096;
const maxSimilar = 10;
const similarMs = 600_000;
const spamBurst = 25;
const spamRefillMs = 300_000;

/** Sets a value and makes its key the newest. Removes the oldest key when there are too many. */
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
  /** Different notes, at most `maxSimilar`. */
  readonly notes: Set<string>;
  lastMs: number;
}

/** Finds events that only differ in their notes (client-go `EventAggregator`). */
export class SimilarEvents {
  readonly #similar = new Map<string, Similar>();

  /**
   * Records an event. Returns whether it is combined with similar ones: from the tenth different
   * note, with less than ten minutes between two of them.
   *
   * @param key identifies similar events
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

/** Limits the events about one object (client-go `EventSourceObjectSpamFilter`). */
export class SpamFilter {
  readonly #buckets = new Map<string, Bucket>();

  /** Describes the limit, for the error about a dropped event. */
  readonly limit: string =
    `${spamBurst} events at once, then one each ` + describeDuration(spamRefillMs);

  /** Whether another event about this object may be written: 25, then one each five minutes. */
  allows(object: string, nowMs: number): boolean {
    const known = this.#buckets.get(object);
    const earned = known === undefined ? spamBurst : (nowMs - known.lastMs) / spamRefillMs;
    const tokens = Math.min((known?.tokens ?? 0) + earned, spamBurst);
    if (known !== undefined && tokens < 1) {
      // Not updated: adding many small fractions would lose part of a token.
      setRecent(this.#buckets, object, known);
      return false;
    }
    setRecent(this.#buckets, object, { tokens: tokens - 1, lastMs: nowMs });
    return true;
  }
}
