import { systemClock, type Clock, type Key, type Scope } from "@listwatch/core-fifo";
import { isPromiseLike, onAborted, TimeBudget } from "@listwatch/core-fifo/base";
import type { IndexValues } from "@listwatch/store-indexer";
import type { WorkItem, WorkQueue } from "@listwatch/workqueue";
import { isAbortOf, type Failures } from "../lifecycle/failures.ts";
import type { ReconcileOutcome } from "./controller-metrics.ts";
import { defaultStopTimeoutMs, type ControllerOptions } from "./controller-options.ts";
import type { ControllerSources } from "./controller-sources.ts";
import { ControllerStateError, ControllerStoppedError, TerminalError } from "./errors.ts";
import { Expectations, waitForCaches, type Expectation } from "./expectations.ts";
import { ReconcileFailures } from "./reconcile-failures.ts";
import { ReconcileRecorder } from "./reconcile-recorder.ts";
import type { ReconcileResult } from "./reconcile.ts";
import { RunningReconciles, type RunningReconcile } from "./running-reconciles.ts";
import { StopLimit } from "./stop-limit.ts";

/** The least delay of a key that is to be reconciled again: the event loop turns before. */
const leastRequeueMs = 1;

/** The signals of a term of leadership. */
interface Term {
  /** Aborted when the work is to end. */
  readonly signal: AbortSignal;
  /** Aborted when the work has lost its right to write. */
  readonly lost: AbortSignal;
}

/** Takes keys from a queue, reconciles them, and decides what becomes of them. */
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
  /** Whether workers run, which end; a loop by hand does not say when it ends. */
  #hasWorkers = false;
  /** Aborted when no further key is to be taken. */
  readonly #stop = new AbortController();

  /**
   * @param sources where objects that are written will be seen
   * @param failures takes what fails
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
          throw new ControllerStateError("Cannot read the informer: the controller has none");
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

  /** Takes no further key from now on. */
  stop(): void {
    this.#stop.abort();
    this.#queue.shutDown();
  }

  /** To be called when all workers have ended: no timer is left. */
  close(): void {
    this.#running.close();
  }

  /** Takes one key, waiting for it if need be, and reconciles it; `false` after the stop. */
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
      abort: () => this.#running.abortAll(new ControllerStoppedError()),
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
            // Reconciles that wait for nothing would keep the event loop as long as keys are there.
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
    // A key that was taken while the controller stopped stays undone, as those that still wait do.
    if (this.isStopped) {
      work[Symbol.dispose]();
      return;
    }
    // Read now: once the key is added again, it is that of its next round.
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

  /** @throws {InvalidOptionsError} if the result has no number where one belongs */
  #succeed(key: Key<S>, priority: number, result: ReconcileResult | undefined): ReconcileOutcome {
    const afterMs = result?.requeueAfterMs;
    if (afterMs !== undefined) {
      // A time that is over, as the rest of one often is, must not keep everything else waiting.
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
    const isTerminal = error instanceof TerminalError;
    if (isTerminal) this.#recorder?.terminal();
    const willRetry = !isTerminal && !this.isStopped;
    const failures = queue.numRequeues(key) + 1;
    if (willRetry) queue.addRateLimited(key, { priority });
    else queue.forget(key);
    // A reconcile that ends because it was stopped has not failed.
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

  /** Keeps the key from other workers, without a worker, until the caches show what was written. */
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
