/**
 * Shortest period of a resync, in ms: client-go `minimumResyncPeriod`,
 * tools/cache/shared_informer.go.
 */
const minResyncMs = 1000;

/**
 * How often an informer checks whether a resync is due for one of its handlers. The period is the
 * shortest that was requested before the start, and fixed from then on; 0 means that there are no
 * resyncs at all (client-go `determineResyncPeriod`, tools/cache/shared_informer.go).
 */
export class ResyncPeriod {
  readonly #defaultMs: number;
  #checkMs: number;

  constructor(resyncMs = 0) {
    this.#defaultMs = resyncMs;
    this.#checkMs = resyncMs;
  }

  /** How often the source of the informer has to check, in ms. */
  get checkMs(): number {
    return this.#checkMs;
  }

  /** The period that a handler asks for, with the informer's as the default, in ms. */
  requestedMs(resyncMs: number | undefined): number {
    return resyncMs ?? this.#defaultMs;
  }

  /** The period that a handler with an admitted one really gets, in ms. */
  effectiveMs(admittedMs: number): number {
    return admittedMs > 0 && this.#checkMs > 0 ? Math.max(admittedMs, this.#checkMs) : 0;
  }

  /** The period that a handler is admitted with for the one it requests, in ms. */
  admit(resyncMs: number | undefined, isStarted: boolean): number {
    const requestedMs = this.requestedMs(resyncMs);
    if (requestedMs <= 0) return 0;
    const periodMs = Math.max(requestedMs, minResyncMs);
    if (periodMs >= this.#checkMs) return periodMs;
    if (!isStarted) this.#checkMs = periodMs;
    return this.#checkMs;
  }
}

/** When a resync is due for one listener, and whether updates without a change go to it now. */
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

  /** Whether the listener takes part in the present resync; all do until the first check. */
  get isSyncing(): boolean {
    return this.#isSyncing;
  }

  /** Excludes the listener until the first check, too. */
  excludeFromRelists(): void {
    this.#isSyncing = false;
  }

  /** A listener is served no more often than it is checked; without checks there is no resync. */
  setCheckPeriod(checkPeriodMs: number): void {
    const takesPart = this.#requestedMs > 0 && checkPeriodMs > 0;
    this.#effectiveMs = takesPart ? Math.max(this.#requestedMs, checkPeriodMs) : 0;
  }

  /** Decides whether the listener takes part in the resync of this check. */
  check(nowMs: number): boolean {
    this.#isSyncing = this.#effectiveMs > 0 && nowMs >= this.#nextMs;
    if (this.#isSyncing) this.#nextMs = nowMs + this.#effectiveMs;
    return this.#isSyncing;
  }
}
