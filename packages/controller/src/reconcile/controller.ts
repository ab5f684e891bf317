import {
  sleep,
  systemClock,
  type Clock,
  type KubernetesObject,
  type Timer,
  type Cached,
} from "@listwatch/core-fifo";
import { isPromiseLike } from "@listwatch/core-fifo/base";
import { waitForCacheSync, type HandlerRegistration } from "@listwatch/shared-informer";
import { lowPriority, PriorityOrdering, WorkQueue, type WorkItem } from "@listwatch/workqueue";
import type { ReconcileOutcome } from "./controller-metrics.ts";
import type { ControllerOptions } from "./controller-options.ts";
import type { ControllerSource, VersionSource } from "./controller-source.ts";
import { ControllerStateError, ControllerStoppedError, TerminalError } from "./errors.ts";
import { mappingHandler, ownKey, type KeysOf } from "./mapping-handler.ts";
import { report } from "../writes/attempt.ts";
import { ReconcileRecorder } from "./reconcile-recorder.ts";
import { RunningReconciles } from "./running-reconciles.ts";
import { WrittenVersions, type Versions } from "./expectations.ts";
import type { Predicate } from "./predicates.ts";
import type { ReconcileResult } from "./reconcile.ts";

/** Options of a source of a {@link Controller}. */
export interface SourceOptions<T> {
  /** Which changes count. @default all */
  readonly predicate?: Predicate<T> | undefined;
}

interface Source {
  readonly name: string;
  connect(enqueue: (key: string, isUrgent: boolean) => void): HandlerRegistration;
}

/**
 * Calls `reconcile` for every object that changes, until the world is as it should be: the loop of
 * every operator.
 *
 * Guarantees: no key is reconciled twice at a time; after every change of an object, a reconcile of
 * its key begins that sees that change in the cache; the first one begins when all initial lists
 * are in the caches. A reconcile that fails is tried again with growing delays and holds up no
 * other. When {@link Controller.run} settles, nothing of the controller is left.
 *
 * ```ts
 * import { createConnection } from "@listwatch/client";
 * import { Controller } from "@listwatch/controller";
 * import { SharedInformerFactory } from "@listwatch/shared-informer";
 *
 * const connection = createConnection({ server: "http://127.0.0.1:8001" });
 * const factory = new SharedInformerFactory({ connection });
 * const pods = factory.informer({ group: "", version: "v1", resource: "pods" });
 * const controller = new Controller({
 *   workers: 4,
 *   reconcile: async (key, { signal }) => {
 *     console.log(
 *       pods.store.getByKey(key) === undefined ? "gone" : "there",
 *       key,
 *       signal.aborted,
 *     );
 *     return { requeueAfterMs: 600_000 };
 *   },
 * }).for(pods);
 * if (controller.name !== "controller") throw new Error("unreachable");
 * // factory.start(); await controller.run(signal);
 * ```
 */
export class Controller {
  readonly name: string;
  /** The keys that wait. Adding one by hand is allowed. */
  readonly queue: WorkQueue<string>;
  readonly #options: ControllerOptions;
  readonly #clock: Clock;
  readonly #sources: Source[] = [];
  #primary: VersionSource | undefined;
  readonly #running: RunningReconciles;
  readonly #recorder: ReconcileRecorder | undefined;
  readonly #written = new WrittenVersions();
  /** Keys that wait for the caches. */
  readonly #held = new Set<Promise<void>>();
  readonly #synced = Promise.withResolvers<void>();
  /** Aborted when no further key is to be taken. */
  readonly #stop = new AbortController();
  #hasStarted = false;

  constructor(options: ControllerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.name = options.name ?? "controller";
    this.queue =
      options.queue ??
      new WorkQueue<string>({
        ordering: new PriorityOrdering(),
        delays: "merged",
        rateLimiter: options.rateLimiter,
        clock: this.#clock,
      });
    this.#recorder =
      options.metrics && new ReconcileRecorder(options.metrics, options.onMetricsError);
    this.#running = new RunningReconciles(
      {
        retries: (key) => this.queue.numRequeues(key),
        wrote: (key, object, source = this.#primary) => {
          if (options.readYourWrites === true && source !== undefined) {
            this.#written.add(key, object, source);
          }
        },
      },
      this.#clock,
      options.timeoutMs ?? 300_000,
      (error) => {
        this.#recorder?.timedOut();
        this.#report(error, error.key, true);
      },
    );
    // Nobody may be waiting when a controller ends early; that alone is no reason for an unhandled rejection.
    this.#synced.promise.catch(() => {});
  }

  /**
   * Resolves when all initial lists are in the caches and their keys in the queue; rejects if that
   * cannot happen any more.
   */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /**
   * Reconciles the objects of an informer, which others may use as well; running it is up to the
   * caller.
   *
   * @throws {ControllerStateError} once the controller runs
   */
  for<T extends KubernetesObject>(
    informer: ControllerSource<T>,
    options: SourceOptions<NoInfer<T>> = {},
  ): this {
    this.#primary ??= informer;
    return this.#add(informer, ownKey, true, options);
  }

  /**
   * Reconciles the owners of the objects of an informer. An object that changes owners concerns
   * both.
   *
   * @param ownerKeys the keys of the owners of an object, see {@link ownerOf}
   * @throws {ControllerStateError} once the controller runs
   */
  owns<T extends KubernetesObject>(
    informer: ControllerSource<T>,
    ownerKeys: (object: Cached<NoInfer<T>>) => readonly string[],
    options: SourceOptions<NoInfer<T>> = {},
  ): this {
    return this.#add(informer, ownerKeys, false, options);
  }

  /**
   * Reconciles until `signal` is aborted: waits for the initial lists and, with an `elector`, for
   * leadership, then takes keys. After the abort no key is taken; running reconciles are waited
   * for, and aborted after `stopTimeoutMs`.
   *
   * @throws {NotSyncedError} if an informer ends before it has synced
   * @throws {LeadershipLostError} if the elector loses; running reconciles are aborted at once and
   *   waited for
   * @throws {ControllerStateError} if it has run before
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (this.#hasStarted) {
      throw new ControllerStateError(`Couldn't run ${this.name}: a controller runs once`);
    }
    this.#hasStarted = true;
    const onAbort = (): void => this.#stop.abort(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    const registrations: HandlerRegistration[] = [];
    const { elector } = this.#options;
    try {
      for (const source of this.#sources) registrations.push(source.connect(this.#enqueue));
      await this.#waitForSync(registrations);
      if (this.#stop.signal.aborted) return;
      if (elector === undefined) await this.#work();
      else {
        await elector.lead(({ signal: ending, lost }) => this.#work(ending, lost), {
          signal: this.#stop.signal,
        });
      }
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#stop.abort();
      this.queue.shutDown();
      // Without effect if it has resolved before.
      this.#synced.reject(new ControllerStoppedError());
      await Promise.all(registrations.map((registration) => registration.remove()));
      this.#running.close();
    }
  }

  /**
   * Takes one key, waiting for it if need be, and reconciles it: the body of a worker's loop, for
   * those who write it by hand.
   *
   * @returns whether there may be more; `false` once the controller has been stopped
   */
  async processNextItem(): Promise<boolean> {
    const next = this.queue.get();
    const work = isPromiseLike(next) ? await next : next;
    if (work === undefined) return false;
    const versions = this.#stop.signal.aborted ? undefined : this.#written.take(work.item);
    if (versions === undefined) await this.#process(work);
    else this.#holdBack(work, versions);
    return true;
  }

  #add<T extends KubernetesObject>(
    informer: ControllerSource<T>,
    keysOf: KeysOf<T>,
    isSame: boolean,
    { predicate = {} }: SourceOptions<T>,
  ): this {
    if (this.#hasStarted) {
      throw new ControllerStateError(`Couldn't add a source to ${this.name}: it has started`);
    }
    this.#sources.push({
      name: informer.name,
      connect: (enqueue) =>
        informer.addEventHandler(mappingHandler(keysOf, isSame, predicate, enqueue), {
          name: this.name,
        }),
    });
    return this;
  }

  readonly #enqueue = (key: string, isUrgent: boolean): void => {
    this.queue.add(key, { priority: isUrgent ? 0 : lowPriority });
  };

  async #waitForSync(registrations: readonly HandlerRegistration[]): Promise<void> {
    try {
      await waitForCacheSync(registrations, { signal: this.#stop.signal });
      this.#synced.resolve();
    } catch (error) {
      this.#synced.reject(error);
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  /** Runs the workers until the stop, the end of a term, or its loss. */
  async #work(ending?: AbortSignal, lost?: AbortSignal): Promise<void> {
    let timer: Timer | undefined;
    const stopWorkers = (): void => {
      this.#stop.abort();
      this.queue.shutDown();
      timer ??= this.#clock.setTimeout(
        () => this.#running.abortAll(new ControllerStoppedError()),
        this.#options.stopTimeoutMs ?? 30_000,
      );
    };
    const onLost = (): void => {
      stopWorkers();
      this.#running.abortAll(lost?.reason);
    };
    const ends = [this.#stop.signal, ...(ending === undefined ? [] : [ending])];
    for (const end of ends) end.addEventListener("abort", stopWorkers, { once: true });
    lost?.addEventListener("abort", onLost, { once: true });
    if (ends.some(({ aborted }) => aborted)) stopWorkers();
    if (lost?.aborted === true) onLost();
    const { workers = 1 } = this.#options;
    this.#recorder?.started(workers);
    try {
      await Promise.all(
        Array.from({ length: workers }, async () => {
          while (!this.#stop.signal.aborted && (await this.processNextItem()));
        }),
      );
      await Promise.all(this.#held);
    } finally {
      timer?.cancel();
      for (const end of ends) end.removeEventListener("abort", stopWorkers);
      lost?.removeEventListener("abort", onLost);
    }
    lost?.throwIfAborted();
  }

  async #process(work: WorkItem<string>): Promise<void> {
    const key = work.item;
    // A key that was taken while the controller stopped stays undone, as those that still wait do.
    if (this.#stop.signal.aborted) {
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
    this.queue.forget(key);
    if (result?.requeueAfterMs === undefined) return "success";
    this.queue.addAfter(key, result.requeueAfterMs);
    return "requeue_after";
  }

  #fail(key: string, error: unknown): void {
    const isTerminal = error instanceof TerminalError;
    if (isTerminal) this.#recorder?.terminal();
    const willRetry = !isTerminal && !this.#stop.signal.aborted;
    const failures = this.queue.numRequeues(key) + 1;
    if (!willRetry) this.queue.forget(key);
    else this.queue.addRateLimited(key, { priority: this.queue.priorityOf(key) });
    this.#report(error, key, willRetry, failures);
  }

  #report(
    error: unknown,
    key: string,
    willRetry: boolean,
    failures: number = this.queue.numRequeues(key),
  ): void {
    const { onError } = this.#options;
    report(error, onError && ((cause) => onError(cause, { key, failures, willRetry })));
  }

  /**
   * Keeps the lease, so that nobody else takes the key, but no worker, until the caches have seen
   * what was written.
   */
  #holdBack(work: WorkItem<string>, versions: Versions): void {
    const timeoutMs = this.#options.readYourWritesTimeoutMs ?? 90_000;
    const hold = async (): Promise<void> => {
      await this.#waitForCaches(versions, timeoutMs);
      this.#held.delete(held);
      this.queue.add(work.item);
      work.done();
    };
    const held = hold();
    this.#held.add(held);
  }

  /** Never rejects: when the caches do not follow in time, late is better than never. */
  async #waitForCaches(versions: Versions, timeoutMs: number): Promise<void> {
    const enough = new AbortController();
    const signal = AbortSignal.any([enough.signal, this.#stop.signal]);
    const seen = Array.from(versions, ([source, version]) =>
      source.waitForResourceVersion(version, { signal }),
    );
    const patience = sleep(timeoutMs, { clock: this.#clock, signal });
    await Promise.race([patience, Promise.allSettled(seen)]).catch(() => {});
    enough.abort();
    await Promise.allSettled([patience, ...seen]);
  }
}
