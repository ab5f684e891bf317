import { systemClock, type Clock, type Random } from "@listwatch/core-fifo";
import {
  aClock,
  aFunction,
  aNumber,
  checkOptions,
  growDelay,
  jitterDelay,
  systemRandom,
  type OptionsOf,
} from "@listwatch/core-fifo/base";

/** Options of {@link KeyedBackoff}. */
export interface KeyedBackoffOptions {
  /** First delay, in milliseconds. */
  readonly initialMs: number;
  /** Largest delay after the first one, in milliseconds. */
  readonly maxMs: number;
  /**
   * Largest share of a delay that is added at random.
   *
   * @default 0
   */
  readonly jitter?: number | undefined;
  /**
   * Time without a failure after which a key starts with the first delay again, in milliseconds.
   *
   * @default 2 × maxMs (client-go util/flowcontrol/backoff.go)
   */
  readonly expiryMs?: number | undefined;
  /** Clock for the delays and for `expiryMs`. @default systemClock */
  readonly clock?: Clock | undefined;
  /** Source of the jitter, with results from 0 to less than 1. @default Math.random */
  readonly random?: Random | undefined;
}

const backoffTable: OptionsOf<KeyedBackoffOptions> = {
  initialMs: aNumber(0),
  maxMs: aNumber(0),
  jitter: aNumber(0),
  expiryMs: aNumber(0),
  clock: aClock,
  random: aFunction,
};

interface Entry {
  readonly delayMs: number;
  readonly updatedMs: number;
}

/**
 * Back-off delays of many keys (client-go `flowcontrol.Backoff`). The delay of a key doubles with
 * each failure and restarts after a time without one. Each key takes an entry until
 * {@link KeyedBackoff.collectGarbage} removes it.
 *
 * Times are milliseconds of the clock.
 */
export class KeyedBackoff {
  readonly #options: KeyedBackoffOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #entries = new Map<string, Entry>();

  constructor(options: KeyedBackoffOptions) {
    checkOptions(options, backoffTable, ["initialMs", "maxMs"]);
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
  }

  /** Returns the current delay of a key, in milliseconds; 0 if it has none. */
  get(key: string): number {
    return this.#entries.get(key)?.delayMs ?? 0;
  }

  /**
   * Counts a failure that happened at `eventMs`.
   *
   * @param eventMs time of the failure, in milliseconds of the clock; now by default
   */
  next(key: string, eventMs: number = this.#clock.now()): void {
    const { initialMs, jitter = 0, maxMs } = this.#options;
    const entry = this.#entries.get(key);
    const delayMs =
      entry === undefined || this.#isExpired(entry, eventMs)
        ? jitterDelay(initialMs, jitter, this.#random)
        : // The jitter is a share of the previous delay, so half as large a share of twice that.
          Math.min(jitterDelay(growDelay(entry.delayMs, 2), jitter / 2, this.#random), maxMs);
    this.#entries.set(key, { delayMs, updatedMs: this.#clock.now() });
  }

  /** Sets the delay of a key to 0. */
  reset(key: string): void {
    this.#entries.delete(key);
  }

  /** Whether less than the delay of the key has passed since `eventMs`. */
  isInBackoffSince(key: string, eventMs: number): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#isExpired(entry, eventMs)) return false;
    return this.#clock.now() - eventMs < entry.delayMs;
  }

  /** Whether `eventMs` is less than the delay of the key after its last failure. */
  isInBackoffSinceUpdate(key: string, eventMs: number): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined || this.#isExpired(entry, eventMs)) return false;
    return eventMs - entry.updatedMs < entry.delayMs;
  }

  /** Removes the keys whose delay has expired. */
  collectGarbage(): void {
    const now = this.#clock.now();
    for (const [key, entry] of this.#entries) {
      if (this.#isExpired(entry, now)) this.#entries.delete(key);
    }
  }

  #isExpired(entry: Entry, eventMs: number): boolean {
    const { expiryMs = this.#options.maxMs * 2 } = this.#options;
    return eventMs - entry.updatedMs > expiryMs;
  }
}
