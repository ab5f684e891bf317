import { provideDispose, aFunction, having, checkOption } from "@listwatch/core-fifo/base";
import {
  metaNamespaceKey,
  systemClock,
  type Cached,
  type Clock,
  type Key,
  type KubernetesObject,
  type Scope,
  type Timer,
} from "@listwatch/core-fifo";
import type { HandlerRegistration, ResourceEventHandler } from "@listwatch/shared-informer";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import { lowPriority, PriorityOrdering, WorkQueue } from "@listwatch/workqueue";
import { Failures } from "../lifecycle/failures.ts";
import { SingleRun } from "../lifecycle/single-run.ts";
import { watchStart } from "../lifecycle/unstarted.ts";
import {
  checkControllerOptions,
  defaultStopTimeoutMs,
  type ControllerOptions,
} from "./controller-options.ts";
import type { ControllerSource } from "./controller-source.ts";
import { ControllerSources } from "./controller-sources.ts";
import { Debounce } from "./debounce.ts";
import { KeyShards } from "./key-shards.ts";
import { createStateError, createStoppedError } from "./errors.ts";
import {
  checkSourceOptions,
  createMappingHandler,
  ownKey,
  type KeysOf,
  type SourceOptions,
} from "./mapping-handler.ts";
import type { ShardRing } from "../sharding/shard-ring.ts";
import { mappingOf, type OwnerKind, type OwnerMapping } from "../writes/owner.ts";
import type { PendingKey } from "./pending-key.ts";
import { ReconcileLoop } from "./reconcile-loop.ts";
import { waitForSources } from "./wait-for-sources.ts";

provideDispose();

const aSource = /* @__PURE__ */ having("addEventHandler");

interface Connection {
  /** Adds the handler of a source. */
  readonly connect: () => HandlerRegistration;
  /** Calls it with all objects in the cache, as with those of an initial list. */
  readonly replay: () => void;
}

/**
 * The loop of an operator: calls `reconcile` with the key of every object that changes.
 *
 * Guarantees: a key is never reconciled twice at a time. After every change of an object, a
 * reconcile of its key starts that sees this change in the cache. The first reconcile starts when
 * all initial lists are in the caches. A failed reconcile is retried with growing delays and does
 * not delay others. When {@link Controller.run} settles, no timer, handler or request of the
 * controller is left.
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
 *   informer: pods,
 *   workers: 4,
 *   reconcile: async (key, { object, signal }) => {
 *     console.log(key, object === undefined ? "is gone" : "is there", signal.aborted);
 *     return { requeueAfterMs: 600_000 };
 *   },
 * });
 * if (controller.name !== "controller") throw new Error("unreachable");
 * // factory.start(); await controller.run(signal);
 * ```
 */
export class Controller<
  T extends KubernetesObject = never,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
> implements AsyncDisposable {
  /** Name of the controller in reports and event handlers. */
  readonly name: string;
  /** The queue of keys. Users may add keys. */
  readonly queue: WorkQueue<Key<S>>;
  readonly #clock: Clock;
  readonly #elector: ControllerOptions["elector"];
  readonly #ring: ShardRing | undefined;
  readonly #shards: KeyShards | undefined;
  /** The slots whose keys are queued; `undefined` if those of all owned slots are. */
  #onlySlots: ReadonlySet<number> | undefined;
  readonly #endWithinMs: number;
  readonly #ignoreOwnEvents: boolean;
  readonly #loop: ReconcileLoop<T, I, S>;
  readonly #connections: Connection[] = [];
  readonly #debounces: Debounce[] = [];
  readonly #sources: ControllerSources;
  readonly #failures: Failures;
  readonly #run: SingleRun;
  readonly #synced = Promise.withResolvers<void>();

  /** @throws {InvalidOptionsError} if an option cannot be used, or `reconcile` is missing */
  constructor(options: ControllerOptions<T, I, S>) {
    checkControllerOptions(options);
    const { name = "controller", informer, clock = systemClock, telemetry } = options;
    this.name = name;
    this.queue = createQueue(options);
    this.#clock = clock;
    this.#elector = options.elector;
    this.#sources = new ControllerSources();
    this.#ignoreOwnEvents = options.ignoreOwnEvents ?? false;
    this.#endWithinMs = options.limits?.stopTimeoutMs ?? defaultStopTimeoutMs;
    this.#failures = new Failures({ log: telemetry?.log, clock, fields: { controller: name } });
    this.#shards = options.shards && new KeyShards(options.shards, clock, this.#endWithinMs);
    const { queue } = this;
    this.#loop = new ReconcileLoop(queue, options, this.#sources, this.#failures, this.#shards);
    this.#run = new SingleRun(name);
    // An early end must not be an unhandled rejection if no caller waits for it.
    this.#synced.promise.catch(() => {});
    this.#ring = options.shards;
    if (options.shards !== undefined) this.#useSlots(options.shards);
    if (informer !== undefined) this.for(informer);
  }

  /** Returns the keys that wait, each with the reason. O(n); for tools that show a controller. */
  pendingKeys(): readonly PendingKey[] {
    return this.#loop.pendingKeys();
  }

  /**
   * Resolves when all initial lists are in the caches and their keys in the queue. Rejects if the
   * controller ends before.
   */
  get synced(): Promise<void> {
    return this.#synced.promise;
  }

  /**
   * Reconciles the objects of an informer. The caller runs the informer and may share it.
   *
   * @throws {ListwatchError} with the code `LW_CONTROLLER_STATE` once the controller runs
   */
  for<O extends KubernetesObject>(
    informer: ControllerSource<O>,
    options: SourceOptions<NoInfer<O>> = {},
  ): this {
    return this.#add(informer, ownKey, true, options);
  }

  /**
   * Reconciles the owners of the objects of an informer, according to their owner references. If an
   * object changes its owner, both are reconciled (`Owns` of controller-runtime).
   *
   * ```ts
   * import { Controller, type ControllerSource } from "@listwatch/controller";
   *
   * const controller = new Controller({ reconcile: (key) => console.log("reconcile", key) });
   * const followPods = (pods: ControllerSource<{ metadata?: { name?: string } }>) =>
   *   controller.owns(pods, { group: "apps", kind: "ReplicaSet" });
   * ```
   *
   * @param owner handle of the owners' resource, or a kind; `ownerOf` of one also works
   * @throws {ListwatchError} with the code `LW_CONTROLLER_STATE` once the controller runs
   */
  owns<O extends KubernetesObject>(
    informer: ControllerSource<O>,
    owner: OwnerKind<S> | OwnerMapping<S>,
    options: SourceOptions<NoInfer<O>> = {},
  ): this {
    return this.#add(informer, mappingOf(owner), false, options);
  }

  /**
   * Reconciles the keys to which a function maps the objects of an informer. An update maps both
   * states, so a key that only the former one has is reconciled, too (`Watches` of
   * controller-runtime with `EnqueueRequestsFromMapFunc`).
   *
   * @param mapping called with an object; returns the keys to reconcile. It must be synchronous
   * @throws {ListwatchError} with the code `LW_CONTROLLER_STATE` once the controller runs
   */
  watches<O extends KubernetesObject>(
    informer: ControllerSource<O>,
    mapping: (object: Cached<NoInfer<O>>) => readonly Key<S>[],
    options: SourceOptions<NoInfer<O>> = {},
  ): this {
    return this.#add(informer, mapping, false, options);
  }

  /**
   * Reconciles until `signal` is aborted. Waits for the initial lists and, with an `elector`, for
   * leadership, then takes keys. After the abort it takes no more keys, and waits for running
   * reconciles, whose signals are aborted after `stopTimeoutMs`.
   *
   * Informers and a ring that were not started are logged after 10 s.
   *
   * @throws {NotSyncedError} if an informer ends before it has synced
   * @throws {LeadershipLostError} if the elector loses leadership; running reconciles are aborted
   *   at once and awaited. If the elector rejoins, only if one goes on beyond `stopTimeoutMs`
   * @throws {AlreadyRunningError} if it was called before
   */
  run(signal?: AbortSignal): Promise<void> {
    return this.#run.run(signal, (stop) => this.#reconcile(stop));
  }

  /** Stops the controller and waits until {@link Controller.run} ends. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#run.stop();
  }

  /**
   * Waits for a key and reconciles it: the body of a worker's loop, for loops written by hand.
   *
   * @returns `false` once the controller has been stopped, otherwise `true`
   */
  processNextItem(): Promise<boolean> {
    return this.#loop.processNextItem();
  }

  async #reconcile(stop: AbortSignal): Promise<void> {
    const registrations: HandlerRegistration[] = [];
    const timer = this.#watchRing();
    try {
      for (const { connect } of this.#connections) registrations.push(connect());
      await this.#waitForSync(stop, registrations);
      if (stop.aborted) return;
      if (this.#elector === undefined) await this.#loop.run(stop);
      else await this.#lead(this.#elector, stop);
    } finally {
      timer?.cancel();
      this.#loop.stop();
      // Has no effect if it has resolved.
      this.#synced.reject(createStoppedError());
      await Promise.all(registrations.map((registration) => registration.remove()));
      for (const debounce of this.#debounces) debounce.close();
      this.#loop.close();
      this.#failures.close();
    }
  }

  /** Reconciles in each term, until the stop or the end of the elector. */
  async #lead(
    elector: NonNullable<ControllerOptions["elector"]>,
    stop: AbortSignal,
  ): Promise<void> {
    const rejoins = elector.onLost === "rejoin";
    let terms = 0;
    let goesOn: boolean;
    do {
      goesOn = false;
      await elector.lead(
        async (term) => {
          // Changes since the last term may have been reconciled by another leader.
          if (terms++ > 0) for (const { replay } of this.#connections) replay();
          await this.#loop.run(stop, term, rejoins);
          goesOn = rejoins && !this.#loop.isStopped;
        },
        { signal: stop, endWithinMs: this.#endWithinMs },
      );
    } while (goesOn && !stop.aborted);
  }

  /** Reports a ring that was not started: this controller would reconcile nothing. */
  #watchRing(): Timer | undefined {
    const ring = this.#ring;
    if (ring === undefined) return undefined;
    return watchStart({
      clock: this.#clock,
      action: "reconcile",
      subject: "Shard ring",
      unstarted: () => (ring.hasStarted ? undefined : "the ring"),
      report: (failure) => this.#failures.report(failure, undefined),
    });
  }

  /** Follows the slots of this process. */
  #useSlots(ring: ShardRing): void {
    ring.use({
      name: `the controller ${this.name}`,
      hasStarted: () => this.#run.hasStarted,
      ready: this.#synced.promise,
      activated: (slots) => this.#replaySlots(slots),
      drain: (slots, reason) => this.#loop.drain(slots, this.#endWithinMs, reason),
      abort: (slots, reason) => this.#loop.drain(slots, 0, reason),
    });
  }

  /** Queues all keys of slots, also of objects that were deleted while these had no owner. */
  #replaySlots(slots: ReadonlySet<number>): void {
    this.#onlySlots = slots;
    try {
      for (const { replay } of this.#connections) replay();
      for (const key of this.#shards?.deletedKeys ?? []) {
        if (this.#isQueued(key)) this.#enqueue(key, lowPriority);
      }
    } finally {
      this.#onlySlots = undefined;
    }
  }

  #isQueued(key: string): boolean {
    const shards = this.#shards;
    if (shards === undefined) return true;
    return shards.owns(key) && (this.#onlySlots?.has(shards.slotOf(key) ?? -1) ?? true);
  }

  #add<O extends KubernetesObject>(
    informer: ControllerSource<O>,
    keysOf: KeysOf<O>,
    isSame: boolean,
    options: SourceOptions<O>,
  ): this {
    if (this.#run.hasStarted) {
      throw createStateError(
        `Cannot add the source ${informer.name} to ${this.name}: the controller has started`,
      );
    }
    checkOption("informer", informer, aSource);
    checkOption("mapping", keysOf, aFunction);
    checkSourceOptions(options);
    this.#sources.add(informer);
    const debounce = new Debounce(this.#clock, options.debounceMs ?? 0, this.#enqueue);
    this.#debounces.push(debounce);
    const add = (key: string, priority: number): void => {
      if (this.#isQueued(key)) debounce.add(key, priority);
    };
    const isOwn = (object: unknown, key: string): boolean =>
      this.#loop.isWriter(informer.writerOf?.(object), key);
    const args = [keysOf, isSame, options, add] as const;
    const mapped = createMappingHandler(...args, this.#ignoreOwnEvents ? isOwn : undefined);
    const handler = isSame ? this.#followDeletions(informer, mapped) : mapped;
    this.#connections.push({
      connect: () => informer.addEventHandler(handler, { name: this.name }),
      replay: () => this.#replay(informer, handler),
    });
    return this;
  }

  /**
   * The slot of a deleted object is known by its last state. One that was created again may have
   * another slot.
   */
  #followDeletions<O extends KubernetesObject>(
    informer: ControllerSource<O>,
    handler: ResourceEventHandler<O>,
  ): ResourceEventHandler<O> {
    const shards = this.#shards;
    if (shards === undefined) return handler;
    shards.addCache(informer.store);
    return {
      ...handler,
      onAdd: (object, isInInitialList) => {
        this.#loop.abortReplaced(metaNamespaceKey(object));
        return handler.onAdd?.(object, isInInitialList);
      },
      onUpdate: (old, object) => {
        this.#loop.abortReplaced(metaNamespaceKey(object));
        return handler.onUpdate?.(old, object);
      },
      onDelete: (deleted) => {
        shards.noteDeletion(deleted.key, deleted.object);
        return handler.onDelete?.(deleted);
      },
    };
  }

  #replay<O>(informer: ControllerSource<O>, handler: ResourceEventHandler<O>): void {
    for (const object of informer.store?.list() ?? []) {
      this.#failures.call("The mapping of an object", () =>
        // The store has the objects of the informer.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        handler.onAdd?.(object as Cached<O>, true),
      );
    }
  }

  readonly #enqueue = (key: string, priority: number): void => {
    // The key comes from an object of the source, but its type does not contain the scope.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    this.queue.add(key as Key<S>, { priority });
  };

  async #waitForSync(
    stop: AbortSignal,
    registrations: readonly HandlerRegistration[],
  ): Promise<void> {
    try {
      const { name: controller } = this;
      const sources = this.#sources.all;
      const failures = this.#failures;
      const clock = this.#clock;
      await waitForSources({ clock, controller, failures, registrations, sources }, stop);
      this.#synced.resolve();
    } catch (error) {
      this.#synced.reject(error);
      if (!stop.aborted) throw error;
    }
  }
}

function createQueue<S extends Scope>({
  clock,
  name = "controller",
  queue,
  telemetry,
}: Pick<
  ControllerOptions<never, NoIndexes, S>,
  "clock" | "name" | "queue" | "telemetry"
>): WorkQueue<Key<S>> {
  if (queue instanceof WorkQueue) {
    // The controller owns the queue and only adds keys of its scope.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return queue as WorkQueue<Key<S>>;
  }
  const ordering = queue?.ordering ?? new PriorityOrdering();
  const { metrics, onMetricsError } = telemetry ?? {};
  const observed = { name, metrics, onMetricsError };
  return new WorkQueue({ ...queue, ...observed, ordering, delays: "merged", clock });
}
