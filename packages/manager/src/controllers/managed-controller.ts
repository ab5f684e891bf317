import type { Client, ResourceReference } from "@listwatch/client";
import {
  Controller,
  type ControllerOptions,
  type ControllerQueueOptions,
  type ControllerSource,
  type OwnerKind,
  type OwnerMapping,
  type PendingKey,
  type Reconcile,
  type SourceOptions,
} from "@listwatch/controller";
import {
  InvalidOptionsError,
  type Cached,
  type Clock,
  type Key,
  type KubernetesObject,
  type Log,
  type MetricsSink,
  type Scope,
  type TraceSink,
} from "@listwatch/core-fifo";
import { aBoolean, checkOptions, describeError, isRecord } from "@listwatch/core-fifo/base";
import type { Informer } from "@listwatch/shared-informer";
import type { IndexValues, NoIndexes } from "@listwatch/store-indexer";
import type { ManagedInformers } from "../informers/managed-informers.ts";
import { ReconcileHistory } from "./reconcile-history.ts";

/** A resource, whose informer the manager creates, or an informer. */
export type ManagedSource<T> = ControllerSource<T> | ResourceReference<T>;

/**
 * Options of a controller of a manager. Clock, log, metrics and elector are the manager's, and so
 * is `client` unless another one is given: the one in the context of `reconcile` shows its own
 * writes, and only writes while this replica leads.
 */
export interface ManagedControllerOptions<
  T extends KubernetesObject = never,
  I extends IndexValues = NoIndexes,
  S extends Scope = Scope,
> extends Omit<
  ControllerOptions<T, I, S>,
  "clock" | "elector" | "informer" | "name" | "queue" | "reconcile" | "telemetry"
> {
  /**
   * Resource whose objects are reconciled, or the informer that has them. The object is in the
   * context of `reconcile`.
   *
   * @default none; add sources with `watches`
   */
  readonly for?: Informer<T, I, S> | ResourceReference<T, S> | undefined;
  /** Called with each key to reconcile. */
  readonly reconcile: Reconcile<T, I, S>;
  /**
   * Name in logs and metrics, unique in the manager.
   *
   * @default the plural of the resource, otherwise "controller"
   */
  readonly name?: string | undefined;
  /**
   * Whether only the leader reconciles. Other replicas keep caches and queue filled. Without
   * `election` of the manager it has no effect.
   *
   * @default true
   */
  readonly needsLeader?: boolean | undefined;
  /**
   * Whether the definition of the resource may be absent. The controller then starts when it
   * appears and stops when it is deleted, and the manager is ready without it. It needs a resource
   * as `for`, not an informer.
   *
   * @default false; the manager ends if the resource is absent for `limits.syncTimeoutMs`
   */
  readonly optional?: boolean | undefined;
  /** Options of the queue of keys. @default {} */
  readonly queue?: ControllerQueueOptions<S> | undefined;
}

/** A controller that a manager starts and stops. */
export interface ManagedController<S extends Scope = Scope> {
  /** Name in logs and metrics. */
  readonly name: string;
  /**
   * Reconciles the owners of the objects of a source, by their owner references.
   *
   * @param options `owner` is the kind of the owners, by default the resource `for`
   * @throws {InvalidOptionsError} if the kind of the owners is unknown
   */
  owns<O extends KubernetesObject>(
    source: ManagedSource<O>,
    options?: SourceOptions<NoInfer<O>> & {
      /** Kind of the owners. @default the resource of the option `for` */
      readonly owner?: OwnerKind<S> | OwnerMapping<S> | undefined;
    },
  ): this;
  /** Reconciles the keys to which a function maps the objects of a source. */
  watches<O extends KubernetesObject>(
    source: ManagedSource<O>,
    mapping: (object: Cached<NoInfer<O>>) => readonly Key<S>[],
    options?: SourceOptions<NoInfer<O>>,
  ): this;
  /** Adds a key to the queue. Does nothing while the controller does not run. */
  add(
    key: Key<S>,
    options?: {
      /** Priority of the key; higher leaves the queue earlier. @default 0 */
      readonly priority?: number | undefined;
    },
  ): void;
}

/** Parts of the manager that its controllers share. */
export interface ControllerParts {
  readonly informers: ManagedInformers;
  readonly client: Client;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: MetricsSink;
  readonly traces: TraceSink | undefined;
  readonly stopTimeoutMs: number;
}

/** Time limit of a reconcile without the option, as in {@link Controller}. */
const defaultTimeoutMs = 300_000;

/**
 * Checks options at once: the controller itself is only created when the manager starts it.
 *
 * @throws {InvalidOptionsError} if an option cannot be used
 */
function checkControllerOptions<T extends KubernetesObject, I extends IndexValues, S extends Scope>(
  options: ManagedControllerOptions<T, I, S>,
): void {
  const all: unknown = options;
  if (!isRecord(all) || all instanceof AbortSignal) {
    const expected = "an object with options such as for and reconcile";
    throw new InvalidOptionsError(`Cannot create a controller: expected ${expected}`, "options");
  }
  const { for: source, needsLeader, optional, ...others } = options;
  checkOptions({ needsLeader, optional }, { needsLeader: aBoolean, optional: aBoolean });
  const given: unknown = source;
  const isSource = isRecord(given) && ("addEventHandler" in given || "resource" in given);
  if (source !== undefined && !isSource) {
    throw new InvalidOptionsError(
      "Cannot create a controller: expected a resource or an informer as for",
      "for",
    );
  }
  // Creating one has no effect: it neither starts nor connects anything.
  void new Controller<T, I, S>(others);
}

/** Options and sources of a controller, from which a run of it is created. */
export class ControllerRecipe<
  T extends KubernetesObject,
  I extends IndexValues,
  S extends Scope,
> implements ManagedController<S> {
  readonly name: string;
  readonly needsLeader: boolean;
  readonly isOptional: boolean;
  readonly timeoutMs: number;
  readonly history: ReconcileHistory;
  readonly #parts: ControllerParts;
  readonly #options: ManagedControllerOptions<T, I, S>;
  /** The informer of `for`; `undefined` without one, and for an optional controller. */
  readonly #informer: Informer<T, I, S> | undefined;
  readonly #connects: ((controller: Controller<T, I, S>) => void)[] = [];
  #current: Controller<T, I, S> | undefined;

  constructor(parts: ControllerParts, options: ManagedControllerOptions<T, I, S>) {
    checkControllerOptions(options);
    const { for: source, limits, needsLeader = true, optional = false } = options;
    this.#parts = parts;
    this.#options = options;
    this.name = options.name ?? resourceOf(source)?.resource ?? "controller";
    this.needsLeader = needsLeader;
    this.isOptional = optional;
    this.timeoutMs = limits?.timeoutMs ?? defaultTimeoutMs;
    this.history = new ReconcileHistory(parts.clock);
    if (optional && !isReference(source)) {
      throw new InvalidOptionsError(
        `Cannot create the controller ${this.name}: expected a resource as "for" of an optional controller`,
        "for",
      );
    }
    if (!optional && source !== undefined) this.#informer = this.#informerOf(source);
  }

  /** Resource of the option `for`, if there is one. */
  get resource(): ResourceReference<unknown> | undefined {
    return resourceOf(this.#options.for);
  }

  /** Number of keys that wait. */
  get depth(): number {
    return this.#current?.queue.length ?? 0;
  }

  /** Keys that wait, each with the reason. */
  get pending(): readonly PendingKey[] {
    return this.#current?.pendingKeys() ?? [];
  }

  /** Whether a run is in progress. */
  get isRunning(): boolean {
    return this.#current !== undefined;
  }

  owns<O extends KubernetesObject>(
    source: ManagedSource<O>,
    options: SourceOptions<NoInfer<O>> & {
      readonly owner?: OwnerKind<S> | OwnerMapping<S> | undefined;
    } = {},
  ): this {
    const { owner = this.#ownKind(), ...rest } = options;
    const informer = this.#sourceOf(source);
    this.#connects.push((controller) => void controller.owns(informer, owner, rest));
    return this;
  }

  watches<O extends KubernetesObject>(
    source: ManagedSource<O>,
    mapping: (object: Cached<NoInfer<O>>) => readonly Key<S>[],
    options: SourceOptions<NoInfer<O>> = {},
  ): this {
    const informer = this.#sourceOf(source);
    this.#connects.push((controller) => void controller.watches(informer, mapping, options));
    return this;
  }

  add(key: Key<S>, options?: { readonly priority?: number | undefined }): void {
    this.#current?.queue.add(key, options);
  }

  /** Runs until the signal is aborted. An optional controller creates its informer for the run. */
  async run(signal: AbortSignal, elector: ControllerOptions["elector"]): Promise<void> {
    const { for: source } = this.#options;
    const { informers } = this.#parts;
    const own =
      this.isOptional && isReference(source)
        ? // The handle determines the type of its objects.
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion
          (informers.acquire(source) as unknown as Informer<T, I, S>)
        : undefined;
    try {
      const controller = this.#create(own ?? this.#informer, elector);
      this.#current = controller;
      await controller.run(signal);
    } finally {
      this.#current = undefined;
      if (own !== undefined) await informers.release(own);
    }
  }

  #create(
    informer: Informer<T, I, S> | undefined,
    elector: ControllerOptions["elector"],
  ): Controller<T, I, S> {
    const { client, clock, log, metrics, stopTimeoutMs, traces } = this.#parts;
    const {
      for: _for,
      limits,
      needsLeader: _needsLeader,
      optional: _optional,
      queue,
      reconcile,
      ...rest
    } = this.#options;
    const controller = new Controller<T, I, S>({
      ...rest,
      name: this.name,
      client: rest.client ?? client,
      informer,
      clock,
      elector: this.needsLeader ? elector : undefined,
      limits: { ...limits, stopTimeoutMs: limits?.stopTimeoutMs ?? stopTimeoutMs },
      queue,
      reconcile: this.#record(reconcile),
      telemetry: { log, metrics, traces },
    });
    for (const connect of this.#connects) connect(controller);
    return controller;
  }

  #record(reconcile: Reconcile<T, I, S>): Reconcile<T, I, S> {
    const { history } = this;
    return async (key, context) => {
      history.begin(key);
      try {
        const result = await reconcile(key, context);
        const isRequeued = isRecord(result) && result["requeueAfterMs"] !== undefined;
        history.end(key, { outcome: isRequeued ? "requeue_after" : "success" });
        return result;
      } catch (error) {
        history.end(key, { outcome: "error", error: describeError(error) });
        throw error;
      }
    };
  }

  #sourceOf<O extends KubernetesObject>(source: ManagedSource<O>): ControllerSource<O> {
    if (!isReference(source)) return source;
    return this.#parts.informers.informer(source);
  }

  #informerOf(source: Informer<T, I, S> | ResourceReference<T, S>): Informer<T, I, S> {
    if (!isReference(source)) return source;
    // The handle determines the type of its objects.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return this.#parts.informers.informer(source) as unknown as Informer<T, I, S>;
  }

  #ownKind(): OwnerKind<S> {
    const { for: source } = this.#options;
    const reference = resourceOf(source);
    if (reference?.kind === undefined) {
      throw new InvalidOptionsError(
        `Cannot add an owned source to ${this.name}: expected the option owner, or "for" with a kind`,
        "owner",
      );
    }
    const { group, kind, scope } = reference;
    // The scope is that of the resource of `for`, whose type has it.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { group, kind, scope: scope as S | undefined };
  }
}

/** A controller of any type. */
export type AnyRecipe = Pick<
  ControllerRecipe<never, NoIndexes, Scope>,
  | "depth"
  | "history"
  | "isOptional"
  | "isRunning"
  | "name"
  | "needsLeader"
  | "pending"
  | "resource"
  | "run"
  | "timeoutMs"
>;

/** A handle is plain data; an informer has methods. */
function isReference<R extends ResourceReference<unknown>>(
  source: R | object | undefined,
): source is R {
  return source !== undefined && !("addEventHandler" in source);
}

function resourceOf(source: object | undefined): ResourceReference<unknown> | undefined {
  return isReference<ResourceReference<unknown>>(source) ? source : undefined;
}
