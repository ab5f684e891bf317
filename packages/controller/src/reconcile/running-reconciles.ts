import type { Client } from "@listwatch/client";
import type { Cached, Clock, Key, Scope, Timer } from "@listwatch/core-fifo";
import type { Informer } from "@listwatch/shared-informer";
import type { IndexValues } from "@listwatch/store-indexer";
import { ReconcileTimeoutError } from "./errors.ts";
import type { KeyTenure } from "./key-shards.ts";
import type { ReconcileContext } from "./reconcile.ts";

/** Services of the controller for a {@link RunningReconcile}. */
export interface ReconcileHost<T, I extends IndexValues, S extends Scope> {
  /** @throws {ListwatchError} with the code `LW_CONTROLLER_STATE` if the controller has none */
  readonly informer: Informer<T, I, S>;
  objectOf(key: Key<S>): Cached<T> | undefined;
  retriesOf(key: Key<S>): number;
  /** @throws {ListwatchError} with the code `LW_CONTROLLER_STATE` if the controller has none */
  clientOf(running: RunningReconcile<T, I, S>): Client;
}

/**
 * A reconcile in progress, and its context. A class, because an object literal with getters costs
 * more than everything else here. The signal is created on first access, since most reconciles
 * never read it. All members are accessors of the class, so that a request accepts the context as
 * options: it would refuse `key` as the name of an unknown one.
 */
export class RunningReconcile<
  T,
  I extends IndexValues,
  S extends Scope,
> implements ReconcileContext<T, I, S> {
  readonly #key: Key<S>;
  readonly #tenure: KeyTenure | undefined;
  readonly #startMs: number;
  readonly #host: ReconcileHost<T, I, S>;
  #client: Client | undefined;
  #controller: AbortController | undefined;
  #reason: { readonly value: unknown } | undefined;

  constructor(
    key: Key<S>,
    tenure: KeyTenure | undefined,
    startMs: number,
    host: ReconcileHost<T, I, S>,
  ) {
    this.#key = key;
    this.#tenure = tenure;
    this.#startMs = startMs;
    this.#host = host;
  }

  get key(): Key<S> {
    return this.#key;
  }

  /** Ownership of the key's slot from the start on; `undefined` if keys are not divided. */
  get tenure(): KeyTenure | undefined {
    return this.#tenure;
  }

  get startMs(): number {
    return this.#startMs;
  }

  get retries(): number {
    return this.#host.retriesOf(this.#key);
  }

  get object(): Cached<T> | undefined {
    return this.#host.objectOf(this.#key);
  }

  get informer(): Informer<T, I, S> {
    return this.#host.informer;
  }

  get client(): Client {
    this.#client ??= this.#host.clientOf(this);
    return this.#client;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason.value);
    }
    return this.#controller.signal;
  }

  get isAborted(): boolean {
    return this.#reason !== undefined;
  }

  abort(reason: unknown): void {
    if (this.#reason !== undefined) return;
    this.#reason = { value: reason };
    this.#controller?.abort(reason);
  }
}

/** The reconciles in progress, with one timer for all time limits. */
export class RunningReconciles<T, I extends IndexValues, S extends Scope> {
  /** Ordered by start, hence also by deadline. */
  readonly #running = new Set<RunningReconcile<T, I, S>>();
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #host: ReconcileHost<T, I, S>;
  readonly #onTimeout: (error: ReconcileTimeoutError, key: Key<S>) => void;
  /** Called when a reconcile has ended. */
  readonly #drains = new Set<() => void>();
  #timer: Timer | undefined;

  constructor(
    host: ReconcileHost<T, I, S>,
    clock: Clock,
    timeoutMs: number,
    onTimeout: (error: ReconcileTimeoutError, key: Key<S>) => void,
  ) {
    this.#host = host;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    this.#onTimeout = onTimeout;
  }

  get size(): number {
    return this.#running.size;
  }

  get keys(): readonly Key<S>[] {
    return Array.from(this.#running, ({ key }) => key);
  }

  /** Returns the reconcile of a key. */
  find(key: string): RunningReconcile<T, I, S> | undefined {
    for (const running of this.#running) if (running.key === key) return running;
    return undefined;
  }

  begin(key: Key<S>, tenure?: KeyTenure): RunningReconcile<T, I, S> {
    const running = new RunningReconcile<T, I, S>(key, tenure, this.#clock.now(), this.#host);
    this.#running.add(running);
    if (this.#timer === undefined && this.#timeoutMs < Infinity) this.#wakeAfter(this.#timeoutMs);
    return running;
  }

  end(running: RunningReconcile<T, I, S>): void {
    this.#running.delete(running);
    for (const check of this.#drains) check();
  }

  /**
   * Waits for the reconciles of some slots, and aborts them after a time. Resolves when they have
   * ended, or in the turn after the abort.
   */
  async drain(slots: ReadonlySet<number>, afterMs: number, reason: unknown): Promise<void> {
    // Reconciles that start later belong to a later time of ownership.
    const ending = [...this.#running].filter(({ tenure }) => tenure && slots.has(tenure.slot));
    if (ending.length === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = (): void => {
      if (!ending.some((running) => this.#running.has(running))) resolve();
    };
    this.#drains.add(check);
    let timer: Timer | undefined;
    const abort = (): void => {
      for (const running of ending) running.abort(reason);
      // Reconciles that pass their signal to requests and waits end before the next turn.
      timer = this.#clock.setTimeout(resolve, 0);
    };
    if (afterMs === 0) abort();
    else timer = this.#clock.setTimeout(abort, afterMs);
    await promise;
    timer?.cancel();
    this.#drains.delete(check);
  }

  abortAll(reason: unknown): void {
    for (const running of this.#running) running.abort(reason);
  }

  /** Cancels the timer. Call it when no reconcile runs or will run. */
  close(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #wakeAfter(delayMs: number): void {
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = undefined;
      this.#abortOverdue();
    }, delayMs);
  }

  // One timer per time limit, not per reconcile. When it fires, it also checks reconciles that
  // started later.
  #abortOverdue(): void {
    const now = this.#clock.now();
    for (const running of this.#running) {
      const leftMs = running.startMs + this.#timeoutMs - now;
      if (leftMs > 0) {
        this.#wakeAfter(leftMs);
        return;
      }
      if (running.isAborted) continue;
      const error = new ReconcileTimeoutError(running.key, this.#timeoutMs);
      running.abort(error);
      this.#onTimeout(error, running.key);
    }
  }
}
