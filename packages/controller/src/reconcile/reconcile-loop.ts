import type { Client, CompletedWrite } from "@listwatch/client";
import { observeWrites } from "@listwatch/client/base";
import { systemClock, type Clock, type Key, type Scope } from "@listwatch/core-fifo";
import { isPromiseLike, onAborted, TimeBudget, trace, isInstance } from "@listwatch/core-fifo/base";
import type { IndexValues } from "@listwatch/store-indexer";
import type { WorkItem, WorkQueue } from "@listwatch/workqueue";
import { isAbortOf, type Failures } from "../lifecycle/failures.ts";
import type { ReconcileOutcome } from "./controller-metrics.ts";
import { defaultStopTimeoutMs, type ControllerOptions } from "./controller-options.ts";
import type { ControllerSources } from "./controller-sources.ts";
import { createStateError, createStoppedError, TerminalError } from "./errors.ts";
import { HeldKeys, writesSubject } from "./held-keys.ts";
import { ReconcileFailures } from "./reconcile-failures.ts";
import { ReconcileRecorder } from "./reconcile-recorder.ts";
import { NotSlotOwnerError } from "../sharding/ring-errors.ts";
import type { KeyShards } from "./key-shards.ts";
import type { PendingKey } from "./pending-key.ts";
import type { Reconcile, ReconcileResult } from "./reconcile.ts";
import { RunningReconciles, type RunningReconcile } from "./running-reconciles.ts";
import { StopLimit } from "./stop-limit.ts";

/** Shortest delay before a key is reconciled again. It lets the event loop turn. */
const leastRequeueMs = 1;

/** The signals of a term of leadership. */
interface Term {
  /** Aborted when the work should end. */
  readonly signal: AbortSignal;
  /** Aborted when the work must not write any more. */
  readonly lost: AbortSignal;
}

/** Identifies the reconciles of one key as the writers of an object. */
class Writer {
  readonly loop: object;
  readonly key: string;

  constructor(loop: object, key: string) {
    this.loop = loop;
    this.key = key;
  }
}

/** Takes keys from a queue, reconciles them, and requeues or forgets them. */
export class ReconcileLoop<T, I extends IndexValues, S extends Scope> {
  readonly #queue: WorkQueue<Key<S>>;
  readonly #options: ControllerOptions<T, I, S>;
  readonly #clock: Clock;
  readonly #running: RunningReconciles<T, I, S>;
  readonly #recorder: ReconcileRecorder;
  readonly #failures: ReconcileFailures;
  readonly #log: Failures;
  readonly #sources: ControllerSources;
  readonly #client: Client | undefined;
  readonly #shards: KeyShards | undefined;
  readonly #held: HeldKeys<Key<S>>;
  /** Whether workers take keys: not before the sync, and not while another replica leads. */
  #isWorking = false;
  /** Whether `run` was called. The end of a loop by hand is unknown. */
  #hasWorkers = false;
  /** Aborted when no further key may be taken. */
  readonly #stop = new AbortController();
  /** Aborted when no further key may be taken in this term; `undefined` without terms. */
  #pause: AbortController | undefined;

  /**
   * @param sources whose caches show written objects
   * @param failures receives failures
   * @param shards slots of the keys; `undefined` if all keys are reconciled
   */
  constructor(
    queue: WorkQueue<Key<S>>,
    options: ControllerOptions<T, I, S>,
    sources: ControllerSources,
    failures: Failures,
    shards: KeyShards | undefined,
  ) {
    this.#shards = shards;
    const { clock = systemClock, limits, telemetry } = options;
    const { metrics, onMetricsError } = telemetry ?? {};
    this.#queue = queue;
    this.#options = options;
    this.#clock = clock;
    this.#log = failures;
    this.#sources = sources;
    const { client, elector } = options;
    this.#client = client && (elector?.guard === undefined ? client : elector.guard(client));
    this.#failures = new ReconcileFailures(failures, options.onError);
    this.#recorder = new ReconcileRecorder(metrics, options.name ?? "controller", (error) =>
      failures.report({ subject: "A metric of reconciles", error }, onMetricsError),
    );
    this.#held = new HeldKeys({
      queue,
      clock,
      timeoutMs: limits?.readYourWritesTimeoutMs ?? 90_000,
      log: failures,
      signal: this.#stop.signal,
    });
    const { informer } = options;
    this.#running = new RunningReconciles<T, I, S>(
      {
        get informer() {
          if (informer !== undefined) return informer;
          throw createStateError("Cannot read the informer: the controller has none");
        },
        objectOf: (key) => informer?.store.getByKey(key),
        retriesOf: (key) => queue.numRequeues(key),
        clientOf: (running) => this.#clientOf(running),
      },
      clock,
      limits?.timeoutMs ?? 300_000,
      (error, key) => {
        this.#recorder.timedOut();
        this.#report(error, key, true);
      },
    );
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Returns the keys that wait, each with the reason. */
  pendingKeys(): readonly PendingKey[] {
    const contents = this.#queue.contents();
    let highest = -Infinity;
    for (const { priority, state } of contents) {
      if (state === "waiting") highest = Math.max(highest, priority);
    }
    return contents.flatMap(({ dueMs, item, priority, state }): readonly PendingKey[] => {
      const failures = this.#queue.numRequeues(item);
      const pending = { key: item, priority, failures, dueMs };
      if (state === "delayed") return [{ ...pending, reason: "delay" }];
      if (this.#held.has(item)) return [{ ...pending, reason: "own write" }];
      if (state === "again") return [{ ...pending, reason: "its reconcile" }];
      if (state === "processing") return [];
      if (!this.#isWorking) return [{ ...pending, reason: "start" }];
      return [{ ...pending, reason: priority < highest ? "priority" : "worker" }];
    });
  }

  /** Whether the reconciles of a key are this writer. */
  isWriter(writer: object | undefined, key: string): boolean {
    return writer instanceof Writer && writer.loop === this && writer.key === key;
  }

  /** Prevents that further keys are taken. */
  stop(): void {
    this.#stop.abort();
    this.#queue.shutDown();
  }

  /** Cancels timers. Call it when all workers have ended. */
  close(): void {
    this.#running.close();
  }

  /** Waits for a key and reconciles it. Returns `false` after the stop. */
  async processNextItem(): Promise<boolean> {
    const next = this.#queue.get(this.#pause && { signal: this.#pause.signal });
    const work = isPromiseLike(next) ? await next : next;
    if (work === undefined) return false;
    if (this.isStopped || !this.#held.hold(work)) await this.#process(work);
    return true;
  }

  /** Ends the reconciles of some slots, see {@link RunningReconciles.drain}. */
  drain(slots: ReadonlySet<number>, afterMs: number, reason: unknown): Promise<void> {
    return this.#running.drain(slots, afterMs, reason);
  }

  /** Aborts the reconcile of a key that has got another object, of another slot. */
  abortReplaced(key: string): void {
    const running = this.#running.find(key);
    const reason = running?.tenure && this.#shards?.endIfReplaced(key, running.tenure);
    if (reason !== undefined) running?.abort(reason);
  }

  get #isPaused(): boolean {
    return this.#pause?.signal.aborted === true;
  }

  #clientOf({ key, tenure }: RunningReconcile<T, I, S>): Client {
    const client = this.#client && (this.#shards?.guard(this.#client, key, tenure) ?? this.#client);
    if (client === undefined) {
      throw createStateError(
        "Cannot read the client of a reconcile: expected the option client of the controller, got none",
      );
    }
    const writer = this.#options.ignoreOwnEvents === true ? new Writer(this, key) : undefined;
    return observeWrites(client, (write) => this.#note(key, write, writer));
  }

  #note(key: Key<S>, write: CompletedWrite, writer: Writer | undefined): void {
    this.#log.call(writesSubject, () => {
      const notes = this.#sources.noteWrite(write, writer);
      for (const note of notes) this.#held.add(key, note);
    });
  }

  /**
   * Runs the workers until the stop, the end of a term, or its loss.
   *
   * @param rejoins whether the loop can run again after a loss, so that the queue is kept
   * @throws the reason of a loss, unless the loop can run again
   */
  async run(stop: AbortSignal, term?: Term, rejoins = false): Promise<void> {
    const { workers = 1, limits } = this.#options;
    const limit = new StopLimit({
      clock: this.#clock,
      timeoutMs: limits?.stopTimeoutMs ?? defaultStopTimeoutMs,
      abort: () => this.#running.abortAll(createStoppedError()),
      report: () => this.#reportUnended(),
    });
    const pause = new AbortController();
    if (rejoins) this.#pause = pause;
    const onEnd = (): void => {
      // A lost term ends, too.
      if (rejoins && term?.lost.aborted === true && !stop.aborted) pause.abort();
      else {
        this.stop();
        pause.abort();
      }
      limit.start();
    };
    const onLost = (): void => {
      onEnd();
      this.#running.abortAll(term?.lost.reason);
    };
    const removeListeners = [
      onAborted(stop, onEnd),
      onAborted(term?.signal, onEnd),
      onAborted(term?.lost, onLost),
    ];
    this.#recorder.started(workers);
    this.#hasWorkers = true;
    this.#isWorking = true;
    const budget = new TimeBudget({ clock: this.#clock });
    try {
      await Promise.all(
        Array.from({ length: workers }, async () => {
          while (!this.isStopped && !pause.signal.aborted && (await this.#processNext(pause))) {
            // Synchronous reconciles would block the event loop until the queue is empty.
            if (budget.count()) await budget.nextTurn();
          }
        }),
      );
      // Keys of a lost term go on to wait for the next one.
      if (this.isStopped) await this.#held.ended();
    } finally {
      this.#isWorking = false;
      limit.end();
      this.#failures.ended();
      for (const remove of removeListeners) remove();
    }
    if (!rejoins) term?.lost.throwIfAborted();
  }

  /** Returns `false` after the stop and the end of the term. */
  async #processNext(pause: AbortController): Promise<boolean> {
    try {
      return await this.processNextItem();
    } catch (error) {
      if (pause.signal.aborted) return false;
      throw error;
    }
  }

  async #process(work: WorkItem<Key<S>>): Promise<void> {
    const key = work.item;
    // A key that was taken during the stop is not reconciled, like those that still wait.
    if (this.isStopped) {
      work[Symbol.dispose]();
      return;
    }
    // Read at each key: a process that was frozen may have lost its slots.
    const tenure = this.#shards?.begin(key);
    if (this.#shards !== undefined && tenure === undefined) {
      this.#queue.forget(key);
      work[Symbol.dispose]();
      return;
    }
    // A term ended while the key was taken. It waits for the next one.
    if (this.#isPaused) {
      this.#queue.add(key, { priority: work.priority });
      work[Symbol.dispose]();
      return;
    }
    // Read now: once the key is added again, this is the priority of its next round.
    const { priority } = work;
    const running = this.#running.begin(key, tenure);
    this.#recorder.active(this.#running.size);
    let outcome: ReconcileOutcome = "error";
    try {
      const pending = this.#call(key, running);
      const result = isPromiseLike(pending) ? await pending : pending;
      outcome = this.#succeed(key, priority, result ?? undefined);
    } catch (error) {
      this.#fail(running, priority, error);
    } finally {
      this.#running.end(running);
      work[Symbol.dispose]();
      this.#recorder.ended(outcome, this.#clock.now() - running.startMs);
      this.#recorder.active(this.#running.size);
    }
  }

  #call(key: Key<S>, running: RunningReconcile<T, I, S>): ReturnType<Reconcile<T, I, S>> {
    const { name = "controller", reconcile, telemetry } = this.#options;
    const { traces } = telemetry ?? {};
    if (traces === undefined) return reconcile(key, running);
    const attributes = { "listwatch.controller": name, "listwatch.key": key };
    return trace(traces, `reconcile ${name}`, attributes, async () => reconcile(key, running));
  }

  /** @throws {InvalidOptionsError} if a member of the result is not a number */
  #succeed(key: Key<S>, priority: number, result: ReconcileResult | undefined): ReconcileOutcome {
    const afterMs = result?.requeueAfterMs;
    if (afterMs !== undefined) {
      // A time in the past, often the rest of a deadline, must not starve other work.
      const delayMs = afterMs <= 0 ? leastRequeueMs : afterMs;
      this.#queue.addAfter(key, delayMs, { priority: result?.priority ?? priority });
    }
    this.#queue.forget(key);
    this.#failures.succeeded(key);
    return afterMs === undefined ? "success" : "requeue_after";
  }

  #fail(running: RunningReconcile<T, I, S>, priority: number, error: unknown): void {
    const queue = this.#queue;
    const { key } = running;
    // The loss of a term has aborted it, and it starts again in the next one.
    if (this.#isPaused && !this.isStopped && running.isAborted) {
      queue.add(key, { priority });
      if (isAbortOf(running.signal, error)) return;
      this.#report(error, key, true, queue.numRequeues(key) + 1);
      return;
    }
    if (this.#failAsFormerOwner(running, priority, error)) return;
    const isTerminal = isInstance(error, TerminalError);
    if (isTerminal) this.#recorder.terminal();
    const willRetry = !isTerminal && !this.isStopped;
    const failures = queue.numRequeues(key) + 1;
    if (willRetry) queue.addRateLimited(key, { priority });
    else queue.forget(key);
    // A reconcile that ends because of the stop has not failed.
    if (this.isStopped && running.isAborted && isAbortOf(running.signal, error)) return;
    this.#report(error, key, willRetry, failures);
  }

  /**
   * Handles the failure of a reconcile whose process has lost the slot, or whose key has got
   * another object: the current owner of the key reconciles it. Returns `false` for other
   * reconciles.
   */
  #failAsFormerOwner(
    { isAborted, key, signal, tenure }: RunningReconcile<T, I, S>,
    priority: number,
    error: unknown,
  ): boolean {
    const shards = this.#shards;
    if (shards === undefined || tenure === undefined) return false;
    const isOwn = shards.owns(key);
    const isRefused = isInstance(error, NotSlotOwnerError);
    if (!shards.hasEnded(key, tenure) && (isOwn || !(isAborted || isRefused))) return false;
    this.#queue.forget(key);
    if (isOwn) this.#queue.add(key, { priority });
    if (!isRefused && !isAbortOf(signal, error)) this.#report(error, key, isOwn);
    return true;
  }

  #report(
    error: unknown,
    key: Key<S>,
    willRetry: boolean,
    failures: number = this.#queue.numRequeues(key),
  ): void {
    this.#failures.report(error, { key, failures, willRetry }, this.#hasWorkers);
  }

  #reportUnended(): void {
    const unended = this.#running.keys.map((key) => {
      return { key, failures: this.#queue.numRequeues(key), willRetry: false };
    });
    this.#failures.reportUnended(unended, this.#options);
  }
}
