import { ListwatchError, type Clock, type Timer } from "@listwatch/core-fifo";

/** The lease was not renewed in time, or another candidate has it. Code `LW_LEADERSHIP_LOST`. */
export class LeadershipLostError extends ListwatchError {
  /** Always `"LeadershipLostError"`, also in minified programs. */
  override readonly name: string = "LeadershipLostError";
  /** Identity of the candidate that lost leadership. */
  readonly identity: string;

  /** @param why the reason; an error that led to it is the `cause` */
  constructor(identity: string, why: string, options?: ErrorOptions) {
    const text = `Cannot keep the leadership of ${JSON.stringify(identity)}: ${why}`;
    super("LW_LEADERSHIP_LOST", text, options);
    this.identity = identity;
  }
}

/**
 * A write was refused, because this candidate does not lead: another one does, or the elector does
 * not run. Nothing was sent. Code `LW_NOT_LEADING`.
 */
export class NotLeadingError extends ListwatchError {
  /** Always `"NotLeadingError"`, also in minified programs. */
  override readonly name: string = "NotLeadingError";
  /** Identity of this candidate. */
  readonly identity: string;
  /** Identity of the last known leader; `""` if none is known. */
  readonly leader: string;

  constructor(identity: string, leader: string) {
    const who = leader === "" ? "none" : JSON.stringify(leader);
    const expected = `expected ${JSON.stringify(identity)} to lead, got the leader ${who}`;
    super("LW_NOT_LEADING", `Cannot write: ${expected}`);
    this.identity = identity;
    this.leader = leader;
  }
}

/** A term of leadership, as passed to its work. */
export interface Leadership {
  /** Aborted when the work should end: the elector was stopped, or leadership is lost. */
  readonly signal: AbortSignal;
  /**
   * Aborted when leadership is lost. Another candidate may lead from that moment, so the work must
   * not write any more.
   */
  readonly lost: AbortSignal;
}

/** A term of leadership: its work in progress, its end, and ways to end it early. */
export class Term implements Leadership {
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  readonly #lost = new AbortController();
  readonly #onTimeout: () => void;
  readonly #abandoned = Promise.withResolvers<never>();
  /** Longest time for which work may go on after a loss, in milliseconds. */
  #endWithinMs = 0;
  /** Work in progress. The term ends only after it. */
  readonly #works = new Set<Promise<unknown>>();
  #untilMs: number;
  #timer: Timer | undefined;

  /** @param onTimeout called when the term expires without a renewal */
  constructor(clock: Clock, untilMs: number, onTimeout: () => void) {
    this.#clock = clock;
    this.#untilMs = untilMs;
    this.#onTimeout = onTimeout;
    this.#abandoned.promise.catch(() => {});
  }

  get endWithinMs(): number {
    return this.#endWithinMs;
  }

  /** Rejects if the elector gives up because work goes on after the loss of the term. */
  get abandoned(): Promise<never> {
    return this.#abandoned.promise;
  }

  abandon(reason: unknown): void {
    this.#abandoned.reject(reason);
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Reads the clock, so it is correct even after the process slept. */
  get isHeld(): boolean {
    return !this.lost.aborted && this.#clock.now() < this.#untilMs;
  }

  get hasWork(): boolean {
    return this.#works.size > 0;
  }

  /** Resolves when the work in progress has ended. */
  async worked(): Promise<void> {
    await Promise.all(this.#works);
  }

  track(working: Promise<unknown>, endWithinMs: number): void {
    this.#endWithinMs = Math.max(this.#endWithinMs, endWithinMs);
    const tracked = working
      .catch(() => {
        // The caller gets the error; only the end counts here.
      })
      .finally(() => this.#works.delete(tracked));
    this.#works.add(tracked);
  }

  renew(untilMs: number): void {
    this.#untilMs = untilMs;
  }

  /**
   * Ends the term when it expires, even while a request is in progress. One timer is enough: a
   * renewal moves the end, and the timer checks it when it fires.
   */
  watchTime(): void {
    const leftMs = this.#untilMs - this.#clock.now();
    if (leftMs <= 0) this.#onTimeout();
    else this.#timer = this.#clock.setTimeout(() => this.watchTime(), leftMs);
  }

  unwatchTime(): void {
    this.#timer?.cancel();
  }

  end(reason: unknown): void {
    this.#ending.abort(reason);
  }

  lose(reason: unknown): void {
    this.#lost.abort(reason);
    this.#ending.abort(reason);
  }
}
