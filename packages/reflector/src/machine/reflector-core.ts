import {
  ResourceVersionWaiters,
  sleep,
  systemClock,
  systemRandom,
  type Clock,
  type Random,
} from "@listwatch/core-fifo";
import { Backoff } from "./backoff.ts";
import { ReflectorStoppedError } from "../errors.ts";
import type { ListerWatcher } from "../source/lister-watcher.ts";
import type { ReflectorMetrics } from "./metrics.ts";
import type {
  ReflectorErrorContext,
  ReflectorOperation,
  ReflectorOptions,
  ReflectorRecovery,
} from "./reflector-options.ts";
import { defaultBehaviour } from "./reflector-behaviour.ts";
import type { ReflectorFailure, ReflectorPhase, ReflectorStatus } from "./reflector-status.ts";
import type { ReflectorStore } from "./reflector-store.ts";
import { retryAfterMs } from "@listwatch/client";
import type { ReflectorTrace } from "./trace.ts";
import { atLeast } from "../internal/at-least.ts";
import { ImmediateRetries } from "./immediate-retries.ts";
import { TypeGuard } from "./type-guard.ts";

/** client-go `minWatchTimeout`, tools/cache/reflector.go. */
const minWatchTimeoutMs = 300_000;

/**
 * A watch that lasted this long, or delivered something, has worked (client-go
 * `VeryShortWatchError`).
 */
export const workingWatchMs = 1000;

/** What the phases of a reflector share: its options, what it knows, and how it reports and waits. */
export class ReflectorCore<T> {
  readonly listerWatcher: ListerWatcher<T>;
  readonly store: ReflectorStore<T>;
  readonly name: string;
  readonly clock: Clock;
  readonly guard: TypeGuard;
  readonly metrics: ReflectorMetrics;
  readonly options: ReflectorOptions<T>;
  readonly silenceMs: number;
  readonly watchListSilenceMs: number;
  readonly watchGraceMs: number;
  readonly maxInternalErrorRetryMs: number;
  readonly resyncMs: number;
  readonly storeFailure: "relist" | "skip";
  readonly pageSize: number;
  readonly immediateRetries: ImmediateRetries;
  readonly waiters: ResourceVersionWaiters = new ResourceVersionWaiters();

  /** The state the store was brought to (REF-21). */
  resourceVersion = "";
  /** The server said that this resourceVersion is too old or too new for it (REF-14). */
  unavailable = false;
  /** A list from the server's cache came in pages: it has no cache (REF-13). */
  serverPaginates = false;
  phase: ReflectorPhase = "idle";
  synced = false;
  lastListMs: number | undefined;
  lastEventMs: number | undefined;
  lastBookmarkMs: number | undefined;
  /** When the watch that is open was asked for; it counts as working once it is a second old. */
  watchSinceMs: number | undefined;

  readonly #random: Random;
  readonly #backoff: Backoff;
  readonly #maxRetryAfterMs: number;
  readonly #minWatchTimeoutMs: number;
  readonly #watchListRetryMs: number;
  #watchListRefusedUntilMs = -Infinity;
  #expiredAt: string | undefined;
  #attempts = 0;
  #failingSinceMs: number | undefined;
  #lastFailure: ReflectorFailure | undefined;
  #waitingUntilMs: number | undefined;
  #stop: ((reason: unknown) => void) | undefined;

  constructor(options: ReflectorOptions<T>) {
    this.options = options;
    this.listerWatcher = options.listerWatcher;
    this.store = options.store;
    this.name = options.name ?? "reflector";
    this.clock = options.clock ?? systemClock;
    this.#random = options.random ?? systemRandom;
    const { list = {}, watch = {}, retry = {}, behaviour = defaultBehaviour } = options;
    this.guard = new TypeGuard(watch.expectedType);
    this.metrics = options.metrics ?? {};
    this.silenceMs = atLeast("watch.silenceMs", watch.silenceMs ?? behaviour.silenceMs, 1);
    this.watchListSilenceMs = atLeast(
      "list.watchListSilenceMs",
      list.watchListSilenceMs ?? behaviour.watchListSilenceMs,
      1,
    );
    this.watchGraceMs = atLeast(
      "watch.watchGraceMs",
      watch.watchGraceMs ?? behaviour.watchGraceMs,
      0,
    );
    this.maxInternalErrorRetryMs = atLeast(
      "retry.maxInternalErrorRetryMs",
      retry.maxInternalErrorRetryMs ?? 0,
      0,
    );
    this.resyncMs = atLeast("watch.resyncMs", watch.resyncMs ?? 0, 0);
    this.storeFailure = watch.storeFailure ?? behaviour.storeFailure;
    this.pageSize = atLeast("list.pageSize", list.pageSize ?? 0, 0);
    this.#maxRetryAfterMs = atLeast(
      "retry.maxRetryAfterMs",
      retry.maxRetryAfterMs ?? behaviour.maxRetryAfterMs,
      0,
    );
    this.#watchListRetryMs = atLeast(
      "list.watchListRetryMs",
      list.watchListRetryMs ?? behaviour.watchListRetryMs,
      0,
    );
    this.#minWatchTimeoutMs = Math.max(
      minWatchTimeoutMs,
      atLeast("watch.minWatchTimeoutMs", watch.minWatchTimeoutMs ?? minWatchTimeoutMs, 0),
    );
    this.immediateRetries = new ImmediateRetries(behaviour.maxImmediateRetries, 10_000, this.clock);
    this.#backoff = new Backoff({
      ...retry.backoff,
      resetRule: behaviour.backoffReset,
      clock: this.clock,
      random: this.#random,
    });
  }

  /** Begins a run; `stop` ends it when the error handler says so. */
  begin(stop: (reason: unknown) => void): void {
    this.#stop = stop;
  }

  end(): void {
    this.#stop = undefined;
    this.phase = "stopped";
    this.waiters.end(new ReflectorStoppedError(this.name));
    this.watchSinceMs = undefined;
  }

  /** Whether to ask for a streamed initial list. */
  get wantsWatchList(): boolean {
    return (
      this.options.list?.watchList !== false &&
      this.listerWatcher.watchListSupported !== false &&
      this.clock.now() >= this.#watchListRefusedUntilMs
    );
  }

  /** The server has no streamed initial lists. */
  rememberRefusal(): void {
    this.#watchListRefusedUntilMs = this.clock.now() + this.#watchListRetryMs;
  }

  /** Random, so that the watches of a restarted server do not all end together again (REF-37). */
  watchTimeoutSeconds(): number {
    return Math.floor((this.#minWatchTimeoutMs / 1000) * (1 + this.#random()));
  }

  reached(resourceVersion: string): void {
    this.resourceVersion = resourceVersion;
    // A gauge of NaN would spoil the sums over it.
    const number = Number(resourceVersion);
    if (!Number.isNaN(number)) this.metrics.lastResourceVersion?.set(number);
    this.waiters.reach(resourceVersion);
  }

  /** The store holds a whole list of this resourceVersion. */
  replaced(resourceVersion: string): void {
    this.synced = true;
    this.lastListMs = this.clock.now();
    this.noteWorking();
    this.reached(resourceVersion);
  }

  /**
   * The server has no history from here on. A list with a limit shows exactly the state it is asked
   * for, as long as the storage has it, and not a newer one; when it led to this very state again,
   * the next one must be the newest.
   */
  noteExpired(): void {
    const pages = this.pageSize > 0 || this.serverPaginates;
    if (pages && this.#expiredAt === this.resourceVersion) this.unavailable = true;
    this.#expiredAt = this.resourceVersion;
  }

  /** From timers too, where nobody could catch what the hook throws. */
  trace(trace: ReflectorTrace): void {
    try {
      this.options.onTrace?.(trace);
    } catch (error) {
      this.report(error, "trace", "skip");
    }
  }

  /** Tells the user about a failure; the run may be aborted when it returns. */
  report(error: unknown, operation: ReflectorOperation, recovery: ReflectorRecovery): void {
    const now = this.clock.now();
    this.#lastFailure = { error, operation, atMs: now };
    if (recovery !== "skip") {
      this.noteWatchAge();
      this.#attempts++;
      this.#failingSinceMs ??= now;
    }
    const context: ReflectorErrorContext = {
      reflector: this.name,
      operation,
      recovery,
      attempts: this.#attempts,
    };
    let reason = error;
    try {
      if (this.options.onError?.(error, context) !== "stop") return;
    } catch (thrown) {
      reason = thrown;
    }
    this.#stop?.(reason);
  }

  /** It works: what failed before is over. */
  noteWorking(): void {
    this.#attempts = 0;
    this.#failingSinceMs = undefined;
  }

  /** A watch that has been open for long enough shows that it works. */
  noteWatchAge(): void {
    const since = this.watchSinceMs;
    if (since !== undefined && this.clock.now() - since >= workingWatchMs) this.noteWorking();
  }

  /** Length of the next delay; a Retry-After in the error makes it longer, if need be. */
  nextDelayMs(error: unknown): number {
    return this.#backoff.next(Math.min(retryAfterMs(error) ?? 0, this.#maxRetryAfterMs));
  }

  /** Waits; ends early, without failing, when the signal is aborted. */
  async pause(delayMs: number, signal: AbortSignal): Promise<void> {
    const { phase } = this;
    this.phase = "waiting";
    this.#waitingUntilMs = this.clock.now() + delayMs;
    try {
      await sleep(delayMs, { clock: this.clock, signal });
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.phase = phase;
      this.#waitingUntilMs = undefined;
    }
  }

  status(): ReflectorStatus {
    this.noteWatchAge();
    return {
      name: this.name,
      phase: this.phase,
      synced: this.synced,
      resourceVersion: this.resourceVersion,
      lastListMs: this.lastListMs,
      lastEventMs: this.lastEventMs,
      lastBookmarkMs: this.lastBookmarkMs,
      waitingUntilMs: this.#waitingUntilMs,
      attempts: this.#attempts,
      failingSinceMs: this.#failingSinceMs,
      lastFailure: this.#lastFailure,
    };
  }
}
