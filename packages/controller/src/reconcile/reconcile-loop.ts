import { systemClock, type Clock, type Timer } from "@listwatch/core-fifo";
import { isPromiseLike, onAborted } from "@listwatch/core-fifo/base";
import type { WorkItem, WorkQueue } from "@listwatch/workqueue";
import { report } from "../lifecycle/callbacks.ts";
import type { ReconcileOutcome } from "./controller-metrics.ts";
import type { ControllerOptions } from "./controller-options.ts";
import type { VersionSource } from "./controller-source.ts";
import { ControllerStoppedError, TerminalError } from "./errors.ts";
import { Expectations, waitForCaches, type Expectation } from "./expectations.ts";
import { ReconcileRecorder } from "./reconcile-recorder.ts";
import type { ReconcileResult } from "./reconcile.ts";
import { RunningReconciles } from "./running-reconciles.ts";

/** The signals of a term of leadership. */
interface Term {
  /** Aborted when the work is to end. */
  readonly signal: AbortSignal;
  /** Aborted when the work has lost its right to write. */
  readonly lost: AbortSignal;
}

/** Takes keys from a queue, reconciles them, and decides what becomes of them. */
export class ReconcileLoop<T> {
  readonly #queue: WorkQueue<string>;
  readonly #options: ControllerOptions<T>;
  readonly #clock: Clock;
  readonly #running: RunningReconciles<T>;
  readonly #recorder: ReconcileRecorder | undefined;
  readonly #expectations = new Expectations();
  /** Keys that wait for the caches. */
  readonly #held = new Set<Promise<void>>();
  /** Aborted when no further key is to be taken. */
  readonly #stop = new AbortController();

  /** @param primary called for the cache of writes that are recorded without one */
  constructor(
    queue: WorkQueue<string>,
    options: ControllerOptions<T>,
    primary: () => VersionSource | undefined,
  ) {
    const { clock = systemClock, metrics, limits } = options;
    this.#queue = queue;
    this.#options = options;
    this.#clock = clock;
    this.#recorder = metrics && new ReconcileRecorder(metrics, options.onMetricsError);
    this.#running = new RunningReconciles<T>(
      {
        objectOf: (key) => options.informer?.store.getByKey(key),
        retriesOf: (key) => queue.numRequeues(key),
        recordWrite: (key, object, source = primary()) => {
          if (options.readYourWrites === true && source !== undefined) {
            this.#expectations.add(key, object, source);
          }
        },
      },
      clock,
      limits?.timeoutMs ?? 300_000,
      (error) => {
        this.#recorder?.timedOut();
        this.#report(error, error.key, true);
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
    let timer: Timer | undefined;
    const onEnd = (): void => {
      this.stop();
      timer ??= this.#clock.setTimeout(
        () => this.#running.abortAll(new ControllerStoppedError()),
        limits?.stopTimeoutMs ?? 30_000,
      );
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
    try {
      await Promise.all(
        Array.from({ length: workers }, async () => {
          while (!this.isStopped && (await this.processNextItem()));
        }),
      );
      await Promise.all(this.#held);
    } finally {
      timer?.cancel();
      for (const remove of removeListeners) remove();
    }
    term?.lost.throwIfAborted();
  }

  async #process(work: WorkItem<string>): Promise<void> {
    const key = work.item;
    // A key that was taken while the controller stopped stays undone, as those that still wait do.
    if (this.isStopped) {
      work.done();
      return;
    }
    const running = this.#running.begin(key);
    this.#recorder?.active(this.#running.size);
    let outcome: ReconcileOutcome = "error";
    try {
      const pending = this.#options.reconcile(key, running);
      const result = isPromiseLike(pending) ? await pending : pending;
      outcome = this.#succeed(key, result ?? undefined);
    } catch (error) {
      this.#fail(key, error);
    } finally {
      this.#running.end(running);
      work.done();
      this.#recorder?.ended(outcome, this.#clock.now() - running.startMs);
      this.#recorder?.active(this.#running.size);
    }
  }

  #succeed(key: string, result: ReconcileResult | undefined): ReconcileOutcome {
    this.#queue.forget(key);
    if (result?.requeueAfterMs === undefined) return "success";
    this.#queue.addAfter(key, result.requeueAfterMs);
    return "requeue_after";
  }

  #fail(key: string, error: unknown): void {
    const queue = this.#queue;
    const isTerminal = error instanceof TerminalError;
    if (isTerminal) this.#recorder?.terminal();
    const willRetry = !isTerminal && !this.isStopped;
    const failures = queue.numRequeues(key) + 1;
    if (willRetry) queue.addRateLimited(key, { priority: queue.priorityOf(key) });
    else queue.forget(key);
    this.#report(error, key, willRetry, failures);
  }

  #report(
    error: unknown,
    key: string,
    willRetry: boolean,
    failures: number = this.#queue.numRequeues(key),
  ): void {
    const { onError } = this.#options;
    report(error, onError && ((cause) => onError(cause, { key, failures, willRetry })));
  }

  /** Keeps the key from other workers, without a worker, until the caches show what was written. */
  #holdBack(work: WorkItem<string>, expectation: Expectation): void {
    const timeoutMs = this.#options.limits?.readYourWritesTimeoutMs ?? 90_000;
    const { signal } = this.#stop;
    const hold = async (): Promise<void> => {
      await waitForCaches(expectation, { timeoutMs, clock: this.#clock, signal });
      this.#held.delete(held);
      this.#queue.add(work.item);
      work.done();
    };
    const held = hold();
    this.#held.add(held);
  }
}
