/** One call of a handler. */
export interface FeedEvent {
  readonly kind: "add" | "update" | "delete";
  /** `namespace/name`, or the name alone. */
  readonly key: string;
  /** One phrase about the object: `Pending → Running`. */
  readonly detail: string;
  readonly atMs: number;
}

const keptEvents = 200;
const keptSeconds = 120;

/** The handler events of a run: the last ones, their totals, and how many there were in each second. */
export class EventFeed {
  readonly totals: Record<FeedEvent["kind"], number> = { add: 0, update: 0, delete: 0 };
  readonly #recent: FeedEvent[] = [];
  /** Events by second since 1970. */
  readonly #perSecond = new Map<number, number>();

  record(event: FeedEvent): void {
    this.totals[event.kind]++;
    this.#recent.push(event);
    if (this.#recent.length > 2 * keptEvents) this.#recent.splice(0, keptEvents);
    const second = Math.floor(event.atMs / 1000);
    this.#perSecond.set(second, (this.#perSecond.get(second) ?? 0) + 1);
    if (this.#perSecond.size > 2 * keptSeconds) this.#forgetBefore(second - keptSeconds);
  }

  get total(): number {
    return this.totals.add + this.totals.update + this.totals.delete;
  }

  /** The last events, newest first. */
  newest(count: number): readonly FeedEvent[] {
    return count > 0 ? this.#recent.slice(-count).toReversed() : [];
  }

  /** Events in each of the last `seconds` whole seconds, oldest first. */
  history(seconds: number, nowMs: number): readonly number[] {
    const now = Math.floor(nowMs / 1000);
    return Array.from({ length: seconds }, (_, index) => {
      return this.#perSecond.get(now - seconds + index) ?? 0;
    });
  }

  /** Events per second over the last 5 whole seconds. */
  rate(nowMs: number): number {
    return this.history(5, nowMs).reduce((sum, count) => sum + count, 0) / 5;
  }

  #forgetBefore(second: number): void {
    for (const key of this.#perSecond.keys()) if (key < second) this.#perSecond.delete(key);
  }
}
