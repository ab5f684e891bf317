import type { Clock } from "@listwatch/core-fifo";

/** A reconcile that has ended. */
export interface PastReconcile {
  /** Start, in milliseconds since 1970. */
  readonly startMs: number;
  /** Duration, in milliseconds. */
  readonly durationMs: number;
  /** `success`, `requeue_after`, or `error`. */
  readonly outcome: "error" | "requeue_after" | "success";
  /** Message of the error; absent without one. */
  readonly error?: string | undefined;
}

/** A reconcile in progress. */
export interface RunningKey {
  /** The key that is reconciled. */
  readonly key: string;
  /** Start, in milliseconds since 1970. */
  readonly startMs: number;
}

/** Limits of the memory of a history: about 1 MB in all. */
const maxKeys = 1000;
const maxPerKey = 5;

/** Reconciles of a controller: those in progress, and the last ones of the last keys. */
export class ReconcileHistory {
  readonly #clock: Clock;
  readonly #running = new Map<string, number>();
  /** By key, the key whose reconcile ended last at the end. */
  readonly #past = new Map<string, readonly PastReconcile[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get running(): readonly RunningKey[] {
    return Array.from(this.#running, ([key, startMs]) => ({ key, startMs }));
  }

  /** The last reconciles by key, the latest key first and for each key the latest first. */
  get past(): readonly (readonly [key: string, reconciles: readonly PastReconcile[]])[] {
    return [...this.#past].toReversed();
  }

  begin(key: string): void {
    this.#running.set(key, this.#clock.now());
  }

  end(key: string, { error, outcome }: Pick<PastReconcile, "error" | "outcome">): void {
    const now = this.#clock.now();
    const startMs = this.#running.get(key) ?? now;
    this.#running.delete(key);
    const earlier = this.#past.get(key) ?? [];
    this.#past.delete(key);
    const latest = { startMs, durationMs: now - startMs, outcome, error };
    this.#past.set(key, [latest, ...earlier].slice(0, maxPerKey));
    const [oldest] = this.#past.keys();
    if (this.#past.size > maxKeys && oldest !== undefined) this.#past.delete(oldest);
  }
}
