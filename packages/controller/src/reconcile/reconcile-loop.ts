import { systemClock, type Clock, type Key, type Scope } from "@listwatch/core-fifo";
import { isPromiseLike, onAborted, TimeBudget, isInstance } from "@listwatch/core-fifo/base";
import type { IndexValues } from "@listwatch/store-indexer";
import type { WorkItem, WorkQueue } from "@listwatch/workqueue";
import { isAbortOf, type Failures } from "../lifecycle/failures.ts";
import type { ReconcileOutcome } from "./controller-metrics.ts";
import { defaultStopTimeoutMs, type ControllerOptions } from "./controller-options.ts";
import type { ControllerSources } from "./controller-sources.ts";
import { createStateError, createStoppedError, TerminalError } from "./errors.ts";
import { Expectations, waitForCaches, type Expectation } from "./expectations.ts";
import { ReconcileFailures } from "./reconcile-failures.ts";
import { ReconcileRecorder } from "./reconcile-recorder.ts";
import type { ReconcileResult } from "./reconcile.ts";
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

/** Takes keys from a queue, reconciles them, and requeues or forgets them. */
export class ReconcileLoop<T, I extends IndexValues, S extends Scope> {
  readonly #queue: WorkQueue<Key<S>>;
  readonly #options: ControllerOptions<T, I, S>;
  readonly #clock: Clock;
  readonly #running: RunningReconciles<T, I, S>;
  readonly #recorder: ReconcileRecorder | undefined;
  readonly #failures: ReconcileFailures;
  readonly #expectations = new Expectations();
  /** Keys that wait for the caches. */
  readonly #held = new Set<Promise<void>>();
  /** Whether `run` was called. The end of a loop by hand is unknown. */
  #hasWorkers = false;
  /** Aborted when no further key may be taken. */
  readonly #stop = new AbortController();

  /**
   * @param sources whose caches will contain written objects
   * @param failures receives failures
   */
  constructor(
    queue: WorkQueue<Key<S>>,
    options: ControllerOptions<T, I, S>,
    sources: ControllerSources,
    failures: Failures,
  ) {
    const { clock = systemClock, limits, telemetry } = options;
    const { metrics, onMetricsError } = telemetry ?? {};
    this.#queue = queue;
    this.#options = options;
    this.#clock = clock;
    this.#failures = new ReconcileFailures(failures, options.onError);
    this.#recorder =
      metrics &&
      new ReconcileRecorder(metrics, (error) =>
        failures.report({ subject: "A metric of reconciles", error }, onMetricsError),
      );
    const { informer } = options;
    this.#running = new RunningReconciles<T, I, S>(
      {
        get informer() {
          if (informer !== undefined) return informer;
          throw createStateError("Cannot read the informer: the controller has none");
        },
        objectOf: (key) => informer?.store.getByKey(key),
        retriesOf: (key) => queue.numRequeues(key),
        recordWrite: (key, object, source) => {
          if (options.readYourWrites === true) {
            this.#expectations.add(key, object, sources.sourceOf(object, source));
          }
        },
      },
      clock,
      limits?.timeoutMs ?? 300_000,
      (error, key) => {
        this.#recorder?.timedOut();
        this.#report(error, key, true);
      },
    );
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
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
    const next = this.#queue.get();
    const work = isPromiseLike(next) ? await next : next;
    if (work === undefined) return false;
    const expectation = this.isStopped ? undefined : this.#expectations.take(work.item);
    if (expectation === undefined) await this.#process(work);
    else this.#holdBack(work, expectation);
    return true;
  }

  /**
   * Runs the workers until the stop, the end of a term, or its loss.
   *
   * @throws the reason of a loss
   */
  async run(stop: AbortSignal, term?: Term): Promise<void> {
    const { workers = 1, limits } = this.#options;
    const limit = new StopLimit({
      clock: this.#clock,
      timeoutMs: limits?.stopTimeoutMs ?? defaultStopTimeoutMs,
      abort: () => this.#running.abortAll(createStoppedError()),
      report: () => this.#reportUnended(),
    });
    const onEnd = (): void => {
      this.stop();
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
    this.#recorder?.started(workers);
    this.#hasWorkers = true;
    const budget = new TimeBudget({ clock: this.#clock });
    try {
      await Promise.all(
        Array.from({ length: workers }, async () => {
          while (!this.isStopped && (await this.processNextItem())) {
            // Synchronous reconciles would block the event loop until the queue is empty.
            if (budget.count()) await budget.nextTurn();
          }
        }),
      );
      await Promise.all(this.#held);
    } finally {
      limit.end();
      this.#failures.ended();
      for (const remove of removeListeners) remove();
    }
    term?.lost.throwIfAborted();
  }

  async #process(work: WorkItem<Key<S>>): Promise<void> {
    const key = work.item;
    // A key that was taken during the stop is not reconciled, like those that still wait.
    if (this.isStopped) {
      work[Symbol.dispose]();
      return;
    }
    // Read now: once the key is added again, this is the priority of its next round.
    const { priority } = work;
    const running = this.#running.begin(key);
    this.#recorder?.active(this.#running.size);
    let outcome: ReconcileOutcome = "error";
    try {
      const pending = this.#options.reconcile(key, running);
      const result = isPromiseLike(pending) ? await pending : pending;
      outcome = this.#succeed(key, priority, result ?? undefined);
    } catch (error) {
      this.#fail(running, priority, error);
    } finally {
      this.#running.end(running);
      work[Symbol.dispose]();
      this.#recorder?.ended(outcome, this.#clock.now() - running.startMs);
      this.#recorder?.active(this.#running.size);
    }
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
    const isTerminal = isInstance(error, TerminalError);
    if (isTerminal) this.#recorder?.terminal();
    const willRetry = !isTerminal && !this.isStopped;
    const failures = queue.numRequeues(key) + 1;
    if (willRetry) queue.addRateLimited(key, { priority });
    else queue.forget(key);
    // A reconcile that ends because of the stop has not failed.
    if (this.isStopped && running.isAborted && isAbortOf(running.signal, error)) return;
    this.#report(error, key, willRetry, failures);
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

  /** Keeps the key taken, without blocking a worker, until the caches contain its writes. */
  #holdBack(work: WorkItem<Key<S>>, expectation: Expectation): void {
    const timeoutMs = this.#options.limits?.readYourWritesTimeoutMs ?? 90_000;
    const { signal } = this.#stop;
    const { item, priority } = work;
    const hold = async (): Promise<void> => {
      await waitForCaches(expectation, { timeoutMs, clock: this.#clock, signal });
      this.#held.delete(held);
      this.#queue.add(item, { priority });
      work[Symbol.dispose]();
    };
    const held = hold();
    this.#held.add(held);
  }
}
