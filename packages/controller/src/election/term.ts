import { ListwatchError, type Clock, type Timer } from "@listwatch/core-fifo";

/** The lease could not be renewed in time, or another candidate has it. Code `LW_LEADERSHIP_LOST`. */
export class LeadershipLostError extends ListwatchError {
  override readonly name: string = "LeadershipLostError";
  /** The candidate that lost it. */
  readonly identity: string;

  /** @param why what happened; an error that led to it is the `cause` */
  constructor(identity: string, why: string, options?: ErrorOptions) {
    const text = `Cannot keep the leadership of ${JSON.stringify(identity)}: ${why}`;
    super("LW_LEADERSHIP_LOST", text, options);
    this.identity = identity;
  }
}

/** The time during which a candidate leads, as its work sees it. */
export interface Leadership {
  /** Aborted when the work is to come to its end: the elector was stopped, or leadership is lost. */
  readonly signal: AbortSignal;
  /**
   * Aborted when leadership is gone: from now on another candidate may lead, and nothing may be
   * written any more.
   */
  readonly lost: AbortSignal;
}

/** A term of leadership, with its works, the time until which it is held, and the means to end it. */
export class Term implements Leadership {
  readonly #clock: Clock;
  readonly #ending = new AbortController();
  readonly #lost = new AbortController();
  readonly #onTimeout: () => void;
  /** Work in progress. The term is over only when it has ended. */
  readonly #works = new Set<Promise<unknown>>();
  #untilMs: number;
  #timer: Timer | undefined;

  /** @param onTimeout called when the time has passed without a renewal */
  constructor(clock: Clock, untilMs: number, onTimeout: () => void) {
    this.#clock = clock;
    this.#untilMs = untilMs;
    this.#onTimeout = onTimeout;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Looks at the clock, so it is right also after the process slept. */
  get isHeld(): boolean {
    return !this.lost.aborted && this.#clock.now() < this.#untilMs;
  }

  get hasWork(): boolean {
    return this.#works.size > 0;
  }

  /** Resolves when the works that are in progress now have ended. */
  async worked(): Promise<void> {
    await Promise.all(this.#works);
  }

  track(working: Promise<unknown>): void {
    const tracked = working
      .catch(() => {
        // The caller of the work gets the error; only the end counts here.
      })
      .finally(() => this.#works.delete(tracked));
    this.#works.add(tracked);
  }

  renew(untilMs: number): void {
    this.#untilMs = untilMs;
  }

  /**
   * Ends the term when its time is over, whatever requests are in progress. One timer: a renewal
   * moves the time, which the timer finds out when it fires.
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
