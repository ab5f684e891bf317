import { sleep, type Clock, type Random } from "@listwatch/core-fifo";
import { isConflict } from "@listwatch/client";
import { describeDuration, linkAbort, onAborted, withTimeLimit } from "@listwatch/core-fifo/base";
import { DelaySequence } from "@listwatch/workqueue";
import { Contact } from "./contact.ts";
import type { LeaseLock } from "./lease-lock.ts";
import { jitterFactor, type ElectionTimes } from "./leader-elector-options.ts";
import { LeadershipLostError, Term } from "./term.ts";

/**
 * Phase of a candidate, with the data of that phase.
 *
 * ```
 *   idle ──▶ acquiring ──▶ leading ──▶ releasing ──▶ stopped
 *                ├─────────── stop ────────────────────▲
 *                └◀── loss, if it rejoins ─┘
 * ```
 */
export type ElectionState =
  | { readonly phase: "idle" }
  | { readonly phase: "acquiring" }
  | { readonly phase: "leading"; readonly term: Term }
  /** The term is over, its work may still be ending. `failure` is the reason if it was lost. */
  | {
      readonly phase: "releasing";
      readonly term: Term;
      readonly failure: LeadershipLostError | undefined;
    }
  | { readonly phase: "stopped"; readonly failure: LeadershipLostError | undefined };

/** Dependencies of an {@link Election}. */
export interface ElectionParts {
  readonly lock: LeaseLock;
  readonly identity: string;
  readonly times: ElectionTimes;
  readonly releaseOnCancel: boolean;
  /** Whether the candidate takes part again after a loss. */
  readonly rejoins: boolean;
  readonly clock: Clock;
  readonly random: Random;
  /** Called at the beginning of a term, before its time is watched. */
  readonly onTerm: (term: Term) => void;
  /** Called next, to begin the work of the term. */
  readonly onLeading: (term: Term) => void;
  /** Called when all work of a lost term has ended, before the candidate takes part again. */
  readonly onRejoin: (failure: LeadershipLostError) => void;
  /** Called when the lease has been reached, which ends an earlier failure. */
  readonly onReached: () => void;
  /** Called with each failed request for the lease, except normal conflicts between candidates. */
  readonly onFailure: (error: unknown, what: "hold" | "release") => void;
}

/**
 * Runs client-go's election algorithm (tools/leaderelection/leaderelection.go), one phase at a
 * time.
 */
export class Election {
  readonly #parts: ElectionParts;
  readonly #contact: Contact;

  constructor(parts: ElectionParts) {
    this.#parts = parts;
    this.#contact = new Contact(parts.clock);
  }

  /** Time since the lease was last reached, in milliseconds. */
  get unreachedMs(): number {
    return this.#contact.ageMs;
  }

  /** Runs one phase and returns the next one. */
  async step(state: ElectionState, stop: AbortSignal): Promise<ElectionState> {
    switch (state.phase) {
      case "idle":
        this.#contact.begin();
        return { phase: "acquiring" };
      case "acquiring":
        return this.#acquire(stop);
      case "leading":
        return this.#lead(state.term, stop);
      case "releasing": {
        const { term, failure } = state;
        if (failure === undefined && this.#parts.releaseOnCancel) await this.#release();
        if (failure === undefined || !this.#parts.rejoins || stop.aborted) {
          await term.worked();
          return { phase: "stopped", failure };
        }
        return this.#rejoin(term, failure);
      }
      case "stopped":
      default:
        return state;
    }
  }

  /** Work of a lost term must not go on in the term of another candidate, or in the next own one. */
  async #rejoin(term: Term, failure: LeadershipLostError): Promise<ElectionState> {
    const { clock, identity, onRejoin } = this.#parts;
    const limitMs = term.endWithinMs;
    try {
      await withTimeLimit({ clock, limitMs }, () => term.worked());
    } catch {
      const why = `work of the lost term did not end within ${describeDuration(limitMs)}`;
      const unended = new LeadershipLostError(identity, why, { cause: failure });
      term.abandon(unended);
      return { phase: "stopped", failure: unended };
    }
    onRejoin(failure);
    return { phase: "acquiring" };
  }

  /** Tries to take the lease once. If that fails, waits for the retry period × [1, 2.2). */
  async #acquire(stop: AbortSignal): Promise<ElectionState> {
    if (stop.aborted) return { phase: "stopped", failure: undefined };
    const { clock, random, times, identity } = this.#parts;
    const untilMs = await this.#tryToHold(false, times.renewDeadlineMs, stop);
    if (untilMs !== undefined && clock.now() < untilMs) {
      const term: Term = new Term(clock, untilMs, () => {
        const why = `it was not renewed within ${describeDuration(times.renewDeadlineMs)}`;
        term.lose(new LeadershipLostError(identity, why, { cause: this.#contact.error }));
      });
      return { phase: "leading", term };
    }
    await this.#pause(times.retryPeriodMs * (1 + random() * jitterFactor), stop);
    return { phase: "acquiring" };
  }

  /** Leads until the term is lost, or until it is stopped and all its work has ended. */
  async #lead(term: Term, stop: AbortSignal): Promise<ElectionState> {
    const removeListener = onAborted(stop, () => term.end(stop.reason));
    this.#parts.onTerm(term);
    term.watchTime();
    this.#parts.onLeading(term);
    await this.#keepRenewing(term, stop);
    term.unwatchTime();
    removeListener();
    const { reason, aborted } = term.lost;
    const failure: LeadershipLostError | undefined = aborted ? reason : undefined;
    // All work has ended. Readers of the term must see its end before another candidate leads.
    if (failure === undefined) term.lose(stop.reason);
    return { phase: "releasing", term, failure };
  }

  async #keepRenewing(term: Term, stop: AbortSignal): Promise<void> {
    const { lock, identity } = this.#parts;
    while (!term.lost.aborted) {
      await this.#pauseBetweenRenewals(term, stop);
      if (term.lost.aborted || (stop.aborted && !term.hasWork)) return;
      const untilMs = await this.#tryToHold(true, this.#requestLimitMs, term.lost);
      if (untilMs !== undefined) {
        if (!term.lost.aborted) term.renew(untilMs);
      } else if (lock.holder !== "" && lock.holder !== identity) {
        term.lose(
          new LeadershipLostError(identity, `${JSON.stringify(lock.holder)} has the lease`),
        );
      }
    }
  }

  /** Waits for the retry period, at most until the stop; after the stop, until all work has ended. */
  async #pauseBetweenRenewals(term: Term, stop: AbortSignal): Promise<void> {
    if (stop.aborted && !term.hasWork) return;
    const wake = linkAbort(term.lost, stop.aborted ? undefined : stop);
    if (stop.aborted) void term.worked().then(() => wake.abort());
    await this.#pause(this.#parts.times.retryPeriodMs, wake.signal);
    wake.release();
  }

  /** Makes one attempt. Returns the end of the term, counted from the start of the attempt. */
  async #tryToHold(
    isLeading: boolean,
    limitMs: number,
    parent: AbortSignal,
  ): Promise<number | undefined> {
    const { clock, lock, times, onFailure, onReached } = this.#parts;
    const startMs = clock.now();
    try {
      const isHeld = await withTimeLimit({ clock, limitMs, signal: parent }, (signal) =>
        lock.hold(isLeading, signal),
      );
      this.#contact.reached();
      onReached();
      return isHeld ? startMs + times.renewDeadlineMs : undefined;
    } catch (error) {
      if (!parent.aborted && this.#contact.failed(error)) onFailure(error, "hold");
      return undefined;
    }
  }

  /** Half of the deadline leaves time for a second request (client-go `NewFromKubeconfig`). */
  get #requestLimitMs(): number {
    return Math.max(1000, this.#parts.times.renewDeadlineMs / 2);
  }

  async #release(): Promise<void> {
    const { clock, lock, times, onFailure } = this.#parts;
    let conflict: unknown;
    // 1 s, 2 s, 4 s with the default times. Without pauses, a server that answers each write with a
    // conflict would get hundreds of requests a second.
    const pauses = new DelaySequence({ durationMs: times.retryPeriodMs / 2, factor: 2 });
    const release = async (signal: AbortSignal): Promise<void> => {
      for (;;) {
        try {
          await lock.release(signal);
          return;
        } catch (error) {
          if (!isConflict(error)) throw error;
          conflict = error;
        }
        await this.#pause(pauses.next(), signal);
        signal.throwIfAborted();
      }
    };
    try {
      await withTimeLimit({ clock, limitMs: times.renewDeadlineMs }, release);
    } catch (error) {
      onFailure(conflict ?? error, "release");
    }
  }

  async #pause(delayMs: number, signal: AbortSignal): Promise<void> {
    try {
      await sleep(delayMs, { clock: this.#parts.clock, signal });
    } catch {
      // The caller checks its signals.
    }
  }
}
