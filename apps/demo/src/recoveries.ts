import type { InformerStatus } from "@listwatch/shared-informer";

/** A time without a working connection that is over. */
export interface Recovery {
  /** Whether the connection had worked before. */
  readonly hadWorked: boolean;
  /** Events that the screen had shown when the first failure was seen. */
  readonly eventsBefore: number;
  /** From the first failure until the server accepted a watch again, in milliseconds. */
  readonly tookMs: number;
}

interface Outage {
  readonly sinceMs: number;
  readonly lastFailureMs: number;
  readonly eventsBefore: number;
  /** Why it does not work: one line. */
  readonly problem: string;
}

/**
 * How long a watch has to stay open, in milliseconds: one that begins at a compacted version is
 * accepted, and then refused in its first event.
 */
const settledMs = 100;

/** Follows one connection from failure to recovery, of failures and of looks at the status. */
export class Recoveries {
  #outage: Outage | undefined;
  #hasWorked = false;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Why it does not work at the moment. */
  get problem(): string | undefined {
    return this.#outage?.problem;
  }

  /** Whether the server has ever accepted a watch. */
  get hasWorked(): boolean {
    return this.#hasWorked;
  }

  /** Whether a watch is open that the server has accepted. */
  get isWorking(): boolean {
    return this.#hasWorked && this.#outage === undefined;
  }

  /** Notes a failure; returns whether the problem is another one than before. */
  noteFailure(problem: string, eventsBefore: number): boolean {
    const nowMs = Date.now();
    const before = this.#outage;
    const first = before ?? { sinceMs: nowMs, eventsBefore };
    this.#outage = { ...first, lastFailureMs: nowMs, problem };
    return problem !== before?.problem;
  }

  /** Looks whether it works, which no hook tells; returns each recovery once. */
  look({ problem, source }: Pick<InformerStatus, "problem" | "source">): Recovery | undefined {
    if (source?.phase !== "watching" || problem !== undefined) return undefined;
    const failedMs = this.#outage?.lastFailureMs ?? 0;
    // An event after the failure shows, too, that the watch is open.
    const signs = [source.lastWatchMs, source.lastEventMs];
    const openMs = signs.find((atMs) => atMs !== undefined && atMs >= failedMs);
    if (openMs === undefined || Date.now() - openMs < settledMs) return undefined;
    const hadWorked = this.#hasWorked;
    const outage = this.#outage;
    this.#hasWorked = true;
    this.#outage = undefined;
    if (outage === undefined) return undefined;
    this.#count++;
    const { eventsBefore, sinceMs } = outage;
    return { hadWorked, eventsBefore, tookMs: openMs - sinceMs };
  }
}
