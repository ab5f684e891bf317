import type { Connection, FieldPath, Kept, ResourceReference } from "@listwatch/client";
import {
  InvalidOptionsError,
  type Clock,
  type KubernetesObject,
  type Log,
  type MetricsSink,
  type Random,
  type Scope,
  type TraceSink,
} from "@listwatch/core-fifo";
import { describeDuration, isRecord, untilAborted } from "@listwatch/core-fifo/base";
import {
  InformerView,
  SharedInformerFactory,
  type FactoryInformerOptions,
  type Informer,
  type InformerDefaults,
  type KeptForm,
  type NamespaceIndex,
  type SharedInformer,
  type Unsynced,
} from "@listwatch/shared-informer";
import {
  namespaceIndex,
  type IndexValues,
  type Lister,
  type NoIndexes,
} from "@listwatch/store-indexer";
import { Stage } from "../lifecycle/stage.ts";
import { ManagerSyncError } from "./sync-error.ts";

/** Times after which informers that have not synced are logged. */
const firstLineMs = 10_000;
const nextLineMs = 30_000;

/** An informer or a view of any type, as far as its state is concerned. */
export type AnyInformer = Pick<
  Informer<unknown>,
  "explainUnsynced" | "hasSynced" | "name" | "phase" | "run" | "status" | "synced"
> & { readonly store: { listKeys(): readonly string[] } };

/** Dependencies of {@link ManagedInformers}. */
interface ManagedInformersParts {
  readonly manager: string;
  readonly connection: Connection;
  /** Namespaces to read; all without one. */
  readonly namespaces: readonly string[] | undefined;
  readonly informers: InformerDefaults | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random | undefined;
  readonly metrics: MetricsSink;
  readonly traces: TraceSink | undefined;
  /** Called when an informer ends while the manager runs. */
  readonly onEnd: (informer: string, failure: { readonly error: unknown } | undefined) => void;
}

/** An informer that was requested, with those that read the server for it. */
interface Entry {
  readonly informer: AnyInformer;
  /** The informers below a view; otherwise the informer itself. */
  readonly sources: readonly AnyInformer[];
  /** Ends this informer alone. */
  readonly stop: AbortController;
  /** Number of optional controllers that use it. */
  users: number;
  /** Whether the manager starts, and is ready, without it. */
  isOptional: boolean;
  /** Ends of the runs. */
  readonly ends: Promise<void>[];
}

/**
 * The informers of a manager: one for each resource and selection, whatever the number of its
 * users. With several `namespaces` it is a view over one informer for each of them.
 */
export class ManagedInformers {
  readonly #parts: ManagedInformersParts;
  readonly #factory: SharedInformerFactory;
  readonly #entries = new Map<string, Entry>();
  readonly #stage: Stage;
  /** Informers that were started; each runs once. */
  readonly #started = new WeakSet<AnyInformer>();
  #isRunning = false;

  constructor(parts: ManagedInformersParts) {
    this.#parts = parts;
    const { clock, connection, informers, log, metrics, random, traces } = parts;
    this.#factory = new SharedInformerFactory({
      connection,
      clock,
      log,
      informers: { ...informers, random: informers?.random ?? random },
      metrics,
      traces,
    });
    this.#stage = new Stage(parts.onEnd);
  }

  /**
   * Returns the informer of a resource; see {@link SharedInformerFactory.informer}. The manager
   * starts it, also if it is requested while the manager runs. `namespace` takes precedence over
   * the namespaces of the manager.
   *
   * @throws {InvalidOptionsError} if the resource or an option is not usable
   */
  informer<
    T extends KubernetesObject = KubernetesObject,
    S extends Scope = Scope,
    I extends IndexValues = NoIndexes,
    const Fields extends readonly FieldPath[] | undefined = undefined,
    MetadataOnly extends boolean | undefined = boolean | undefined,
  >(
    resource: ResourceReference<T, S>,
    options: FactoryInformerOptions<Kept<T, Fields, MetadataOnly>, I> &
      KeptForm<Fields, MetadataOnly> = {},
  ): Informer<Kept<T, Fields, MetadataOnly>, NamespaceIndex & I, S> {
    // The factory checks them, too, but for each namespace, and not in place of a spread.
    const given: unknown = options;
    if (!isRecord(given) || given instanceof AbortSignal) {
      const expected = "an object with options such as namespace";
      throw new InvalidOptionsError(`Cannot use the options: expected ${expected}`, "options");
    }
    const asked = this.#namespacesOf(resource, options.namespace);
    const sources = asked.map((namespace) =>
      this.#factory.informer(resource, { ...options, namespace }),
    );
    const informer = this.#combine(sources, asked, options);
    const entry = this.#entries.get(informer.name);
    // A plain request makes it one that the manager waits for; acquire() restores the mark.
    if (entry !== undefined) entry.isOptional = false;
    if (this.#isRunning) this.#start(entry);
    return informer;
  }

  /** Returns the lister of the informer of a resource. */
  lister<
    T extends KubernetesObject = KubernetesObject,
    S extends Scope = Scope,
    const Fields extends readonly FieldPath[] | undefined = undefined,
    MetadataOnly extends boolean | undefined = boolean | undefined,
  >(
    resource: ResourceReference<T, S>,
    options?: FactoryInformerOptions<Kept<T, Fields, MetadataOnly>, NoIndexes> &
      KeptForm<Fields, MetadataOnly>,
  ): Lister<Kept<T, Fields, MetadataOnly>, S> {
    return this.informer(resource, options).lister;
  }

  /** All informers and views that were requested. */
  get all(): readonly AnyInformer[] {
    return Array.from(this.#entries.values(), ({ informer }) => informer);
  }

  /** Informers without which the manager is not ready. */
  get required(): readonly AnyInformer[] {
    const entries = [...this.#entries.values()].filter(({ isOptional }) => !isOptional);
    return entries.map(({ informer }) => informer);
  }

  /** Names of the informers whose run has not ended. */
  get running(): readonly string[] {
    return this.#stage.running;
  }

  /**
   * Returns the informer of a resource for an optional controller: unless it was requested in
   * another way, the manager is ready without it, and it ends with its last user.
   */
  acquire<T extends KubernetesObject, S extends Scope>(
    resource: ResourceReference<T, S>,
  ): AnyInformer {
    const optional = [...this.#entries.values()].filter(({ isOptional }) => isOptional);
    const known = new Set(this.#entries.values());
    const informer = this.informer(resource);
    const entry = this.#entries.get(informer.name);
    if (entry === undefined) return informer;
    if (!known.has(entry) || optional.includes(entry)) entry.isOptional = true;
    entry.users += 1;
    return entry.informer;
  }

  /** Starts all informers, and from then on each new one. */
  start(): void {
    this.#isRunning = true;
    for (const entry of this.#entries.values()) this.#start(entry);
  }

  /** Stops all informers and waits for their ends. */
  async stop(): Promise<void> {
    await this.#stage.stop();
  }

  /** Releases an acquired informer. Resolves when it has ended, if this was its last user. */
  async release(informer: AnyInformer): Promise<void> {
    const entry = this.#entries.get(informer.name);
    if (entry?.informer !== informer) return;
    entry.users -= 1;
    if (!entry.isOptional || entry.users > 0) return;
    entry.stop.abort();
    await Promise.all(entry.ends);
    this.#entries.delete(informer.name);
  }

  /**
   * Resolves when all required informers have synced. Logs those that have not after 10 s, and then
   * each 30 s.
   *
   * @throws {ManagerSyncError} after the limit, or when an informer ends before it has synced
   */
  async waitForSync(limitMs: number, stop: AbortSignal): Promise<void> {
    const { clock, log, manager } = this.#parts;
    const missing = this.required.filter(({ hasSynced }) => !hasSynced);
    const late = Promise.withResolvers<never>();
    const fail = (afterMs: number): void =>
      late.reject(new ManagerSyncError(manager, explain(this.#unsyncedSources()), afterMs));
    const limit = limitMs === Infinity ? undefined : clock.setTimeout(() => fail(limitMs), limitMs);
    const beganMs = clock.now();
    const logMissing = (): void => {
      const waitedMs = clock.now() - beganMs;
      for (const { name, reason } of explain(this.#unsyncedSources())) {
        const fields = { informer: name, reason, waited: describeDuration(waitedMs) };
        log.warn("Informer has not synced", fields);
      }
      line = clock.setTimeout(logMissing, nextLineMs);
    };
    let line = clock.setTimeout(logMissing, firstLineMs);
    const synced = Promise.all(missing.map((informer) => informer.synced));
    try {
      await untilAborted(Promise.race([synced, late.promise]), stop);
    } catch (error) {
      if (stop.aborted || error instanceof ManagerSyncError) throw error;
      throw new ManagerSyncError(manager, explain(this.#unsyncedSources()), 0);
    } finally {
      limit?.cancel();
      line.cancel();
    }
  }

  #unsyncedSources(): readonly AnyInformer[] {
    const entries = [...this.#entries.values()].filter(({ isOptional }) => !isOptional);
    const sources = entries.flatMap((entry) => entry.sources);
    return [...new Set(sources)].filter(({ hasSynced }) => !hasSynced);
  }

  #namespacesOf(
    resource: ResourceReference<unknown>,
    namespace: string | undefined,
  ): readonly (string | undefined)[] {
    const { namespaces = [] } = this.#parts;
    if (namespace !== undefined || resource.scope === "Cluster") return [namespace];
    return namespaces.length === 0 ? [undefined] : namespaces;
  }

  #combine<T extends KubernetesObject, I extends IndexValues, S extends Scope>(
    sources: readonly SharedInformer<T, NamespaceIndex & I, S>[],
    namespaces: readonly (string | undefined)[],
    { indexers, onError }: Pick<FactoryInformerOptions<T, I>, "indexers" | "onError">,
  ): Informer<T, NamespaceIndex & I, S> {
    const [first] = sources;
    if (first !== undefined && sources.length === 1) {
      this.#add(first, sources);
      return first;
    }
    const name = (first?.name ?? "").replace(
      `namespace=${namespaces[0]}`,
      `namespace=${namespaces.join(",")}`,
    );
    const known = this.#entries.get(name)?.informer;
    if (known instanceof InformerView) {
      // The name identifies the resource, whose handle determines the type of its objects.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return known as InformerView<T, NamespaceIndex & I, S>;
    }
    const view = new InformerView<T, NamespaceIndex, S>(sources, {
      name,
      clock: this.#parts.clock,
      indexers: namespaceIndex,
      cache: { resource: first?.resource },
      telemetry: { log: this.#parts.log },
      onError,
    });
    if (indexers !== undefined) view.addIndexers(indexers);
    this.#add(view, sources);
    // The indexes were added above.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return view as unknown as InformerView<T, NamespaceIndex & I, S>;
  }

  #add(informer: AnyInformer, sources: readonly AnyInformer[]): void {
    const known = this.#entries.get(informer.name);
    if (known?.informer === informer) return;
    const stop = new AbortController();
    const entry = { informer, sources, stop, users: 0, isOptional: false, ends: [] };
    this.#entries.set(informer.name, entry);
  }

  #start(entry: Entry | undefined): void {
    if (entry === undefined) return;
    const { signal } = entry.stop;
    for (const informer of new Set([entry.informer, ...entry.sources])) {
      if (this.#started.has(informer)) continue;
      this.#started.add(informer);
      const end = this.#stage.start(informer.name, (stop) => informer.run(stop), { signal });
      entry.ends.push(end);
    }
  }
}

function explain(informers: readonly AnyInformer[]): readonly Unsynced[] {
  return informers.map((informer) => ({ name: informer.name, ...informer.explainUnsynced() }));
}
