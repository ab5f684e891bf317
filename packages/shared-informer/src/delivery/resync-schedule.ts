/**
 * When one listener is due for a resync, and whether updates that change nothing go to it now
 * (SI-18 to SI-21).
 */
export class ResyncSchedule {
  /**
   * Whether the listener takes part in the resync that is going on; all do until the first check
   * (SI-21).
   */
  syncing = true;
  readonly #requestedMs: number;
  #effectiveMs = 0;
  #nextMs: number;

  constructor(requestedMs: number, checkPeriodMs: number, nowMs: number) {
    this.#requestedMs = requestedMs;
    this.setCheckPeriod(checkPeriodMs);
    this.#nextMs = nowMs + this.#effectiveMs;
  }

  /**
   * A listener cannot be served more often than it is checked; without checks there is no resync at
   * all (SI-17).
   */
  setCheckPeriod(checkPeriodMs: number): void {
    const takesPart = this.#requestedMs > 0 && checkPeriodMs > 0;
    this.#effectiveMs = takesPart ? Math.max(this.#requestedMs, checkPeriodMs) : 0;
  }

  /** Decides whether the listener takes part in the resync of this check. */
  check(nowMs: number): boolean {
    this.syncing = this.#effectiveMs > 0 && nowMs >= this.#nextMs;
    if (this.syncing) this.#nextMs = nowMs + this.#effectiveMs;
    return this.syncing;
  }
}
