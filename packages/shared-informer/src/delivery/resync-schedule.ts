/**
 * Shortest period of a resync, in milliseconds: client-go `minimumResyncPeriod`,
 * tools/cache/shared_informer.go.
 */
const minResyncMs = 1000;

/**
 * Period in which an informer checks whether a resync is due for one of its handlers. It is the
 * shortest period requested before the start, and fixed after that; 0 means no resyncs at all
 * (client-go `determineResyncPeriod`, tools/cache/shared_informer.go).
 */
export class ResyncPeriod {
  readonly #defaultMs: number;
  #checkMs: number;

  constructor(resyncMs = 0) {
    this.#defaultMs = resyncMs;
    this.#checkMs = resyncMs;
  }

  /** Period in which the source of the informer checks, in milliseconds. */
  get checkMs(): number {
    return this.#checkMs;
  }

  /** Period requested by a handler, by default that of the informer, in milliseconds. */
  requestedMs(resyncMs: number | undefined): number {
    return resyncMs ?? this.#defaultMs;
  }

  /** Returns the period that a handler gets for its requested one, in milliseconds. */
  admit(resyncMs: number | undefined, isStarted: boolean): number {
    const requestedMs = this.requestedMs(resyncMs);
    if (requestedMs <= 0) return 0;
    const periodMs = Math.max(requestedMs, minResyncMs);
    if (periodMs >= this.#checkMs) return periodMs;
    if (!isStarted) this.#checkMs = periodMs;
    return this.#checkMs;
  }
}

/**
 * Returns the actual period of resyncs, 0 for none, in milliseconds. There is at most one for each
 * check, and none without checks.
 */
export function effectiveResyncMs(requestedMs: number, checkPeriodMs: number): number {
  return requestedMs > 0 && checkPeriodMs > 0 ? Math.max(requestedMs, checkPeriodMs) : 0;
}

/** Decides when a resync is due for one listener, and whether it gets unchanged updates now. */
export class ResyncSchedule {
  #isSyncing = true;
  readonly #requestedMs: number;
  #effectiveMs = 0;
  #nextMs: number;

  constructor(requestedMs: number, checkPeriodMs: number, nowMs: number) {
    this.#requestedMs = requestedMs;
    this.setCheckPeriod(checkPeriodMs);
    this.#nextMs = nowMs + this.#effectiveMs;
  }

  /** Whether the listener takes part in the current resync. All do until the first check. */
  get isSyncing(): boolean {
    return this.#isSyncing;
  }

  /** Excludes the listener from relists and resyncs until the next check. */
  skip(): void {
    this.#isSyncing = false;
  }

  setCheckPeriod(checkPeriodMs: number): void {
    this.#effectiveMs = effectiveResyncMs(this.#requestedMs, checkPeriodMs);
  }

  /** Decides whether the listener takes part in the resync of this check. */
  check(nowMs: number): boolean {
    this.#isSyncing = this.#effectiveMs > 0 && nowMs >= this.#nextMs;
    if (this.#isSyncing) this.#nextMs = nowMs + this.#effectiveMs;
    return this.#isSyncing;
  }
}
