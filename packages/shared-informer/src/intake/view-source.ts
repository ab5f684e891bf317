import {
  compareResourceVersions,
  DeletedFinalStateUnknown,
  InvalidOptionsError,
  type Cached,
  type Clock,
  type Deltas,
  type Scope,
} from "@listwatch/core-fifo";
import { asPlain, untilAborted, metadataOf } from "@listwatch/core-fifo/base";
import {
  fieldOf,
  FieldSelector,
  LabelSelector,
  type Lister,
  type SelectionOptions,
} from "@listwatch/store-indexer";
import type { InformerEvent, MissedDeletion } from "../cache/informer-event.ts";
import { applyFilter } from "../delivery/resource-event-handler.ts";
import type { Listener } from "../delivery/shared-processor.ts";
import type { WaitOptions } from "../delivery/wait-for-cache-sync.ts";
import type { InformerSink, InformerSource, SourceProgress } from "../informer/informer-source.ts";
import type { InformerProblem, SourceStatus } from "../informer/informer-status.ts";
import type { Informer } from "../informer/informer.ts";
import type { InformerWrites } from "../informer/informer-writes.ts";
import type { OwnWritesCache } from "../informer/own-writes.ts";
import { viewedCaches, type ViewedCache } from "../informer/viewed-cache.ts";
import { UnusableObjects } from "./unusable-objects.ts";
import { ViewWrites } from "./view-writes.ts";

/** Source of a view: any {@link Informer}, including another view. */
export type ViewedInformer<T, S extends Scope = Scope> = Pick<
  Informer<T>,
  "addListener" | "lastStoreSyncResourceVersion" | "removeListener" | "waitForResourceVersion"
> &
  Partial<Pick<Informer<T>, "explainUnsynced" | "hasSynced" | "name">> & {
    /** The current state. */
    status(): SourceStatus;
    /** Lister of the informer, which only determines the type of the keys. */
    readonly lister?: Lister<T, S>;
  };

/** Selects the objects of a view. */
export interface ViewSelection<T> extends SelectionOptions {
  /**
   * Selects objects in addition to the selectors. It must only depend on the object.
   *
   * @default none, all objects
   */
  readonly filter?: ((object: Cached<T>) => boolean) | undefined;
}

/** Options of a {@link ViewSource}. */
export interface ViewSourceOptions<T> {
  readonly clock: Clock;
  readonly name: string;
  readonly selection: ViewSelection<T>;
  /** Begin of the keys of each informer. @default the informers' keys */
  readonly prefixes?: readonly string[] | undefined;
}

/** One viewed informer during a run of the view. */
interface Connection {
  /** Resolves when the informer has ended. */
  readonly ended: Promise<void>;
  leave(): Promise<void>;
}

/** The source of a view: the changes of other informers, reduced to a selection. */
export class ViewSource<T> implements InformerSource<T>, SourceProgress {
  readonly #informers: readonly ViewedInformer<T>[];
  readonly #matches: (object: Cached<T>) => boolean;
  readonly #options: ViewSourceOptions<T>;
  /** Objects whose filter throws. */
  readonly #unusable = new UnusableObjects("unusableObject");
  /** Keys that several informers have, of which the view contains one state or none. */
  readonly #twins = new UnusableObjects("unusableObject");
  /** Number of informers that have a key, for keys that several of them have or had. */
  readonly #holders = new Map<string, number>();
  #hasReportedTwins = false;
  /** Keys that an earlier run left in the cache, until an informer delivers them again. */
  #unconfirmed = new Set<string>();
  /** Number of informers that have not synced in this run. */
  #unsynced = 0;
  /** Caches whose own writes the view shows while it runs. */
  #caches: ViewedCache<T>[] = [];

  /** @throws {InvalidSelectorError} if a selector cannot be parsed */
  constructor(informers: readonly ViewedInformer<T>[], options: ViewSourceOptions<T>) {
    this.#informers = informers;
    this.#matches = createMatcher(options.selection);
    this.#options = options;
  }

  get progress(): SourceProgress {
    return this;
  }

  /** The oldest version of the informers, `""` if those of several cannot be compared. */
  get resourceVersion(): string {
    return oldestOf(this.#informers.map((informer) => informer.lastStoreSyncResourceVersion));
  }

  async waitForResourceVersion(resourceVersion: string, options: WaitOptions): Promise<void> {
    await Promise.all(
      this.#informers.map((informer) => informer.waitForResourceVersion(resourceVersion, options)),
    );
  }

  status(): SourceStatus {
    const statuses = this.#informers.map((informer) => informer.status());
    const nowMs = this.#options.clock.now();
    const oldest = (times: readonly (number | undefined)[]): number | undefined =>
      this.#unusable.isEmpty && this.#twins.isEmpty ? oldestTime(times, nowMs) : undefined;
    return {
      source: undefined,
      problem: findProblem(statuses) ?? this.#unusable.problem ?? this.#twins.problem,
      queuedDeltas: statuses.reduce((sum, { queuedDeltas }) => sum + queuedDeltas, 0),
      freshAsOfMs: oldest(statuses.map(({ freshAsOfMs }) => freshAsOfMs)),
      liveAsOfMs: oldest(statuses.map(({ liveAsOfMs }) => liveAsOfMs)),
    };
  }

  createWrites({ cached }: OwnWritesCache<T>): InformerWrites<T> {
    return new ViewWrites({ cached, caches: () => this.#caches, selects: this.#matches });
  }

  describeActivity(): string | undefined {
    const waiting = this.#informers
      .filter(({ hasSynced }) => hasSynced === false)
      .map((informer, index) => {
        const { name = `informer ${index + 1}` } = informer;
        return `${name} (${informer.explainUnsynced?.().reason ?? "not synced"})`;
      });
    return waiting.length === 0 ? undefined : `waiting for ${waiting.join(", ")}`;
  }

  /**
   * The viewed informers only deliver changes. The view delivers unchanged objects to a handler
   * that wants a resync.
   */
  isSameState(old: Cached<T>, object: Cached<T>): boolean {
    return old === object;
  }

  /** @throws {ListwatchError} with the code `LW_INFORMER_STOPPED` if an informer has stopped */
  async run(sink: InformerSink<T>, signal: AbortSignal): Promise<void> {
    const stopResync = this.#startResync(sink);
    this.#begin(sink);
    const connections: Connection[] = [];
    try {
      for (const [index, informer] of this.#informers.entries()) {
        connections.push(this.#connect(informer, this.#options.prefixes?.[index] ?? "", sink));
        this.#addCache(informer);
      }
      if (connections.length === 0) sink.markSynced();
      const ended = Promise.all(connections.map((connection) => connection.ended));
      // Only the abort rejects it.
      await untilAborted(ended, signal).catch(() => {});
    } finally {
      this.#caches = [];
      stopResync();
      await Promise.all(connections.map((connection) => connection.leave()));
    }
  }

  /** Forgets the last run: the informers deliver all objects again. */
  #begin(sink: InformerSink<T>): void {
    this.#unusable.replace([], 0);
    this.#twins.replace([], 0);
    this.#holders.clear();
    this.#hasReportedTwins = false;
    this.#unconfirmed = new Set(sink.store.listKeys());
    this.#unsynced = this.#informers.length;
  }

  #addCache(informer: ViewedInformer<T>): void {
    const cache = viewedCaches.get(informer);
    // A write does not show the cluster, and so not the prefix of its key.
    if (cache === undefined || this.#options.prefixes !== undefined) return;
    // The informer of the view has objects of this type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    this.#caches.push(cache as ViewedCache<T>);
  }

  #connect(informer: ViewedInformer<T>, prefix: string, sink: InformerSink<T>): Connection {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const listener: Listener<T> = {
      name: this.#options.name,
      backlog: 0,
      push: (event) =>
        this.#apply(prefix === "" ? event : { ...event, key: prefix + event.key }, sink),
      sourceSynced: () => this.#noteSynced(sink),
      waitForRoom: () => sink.waitForRoom(),
      start: () => {},
      stop: () => {
        resolve();
        return Promise.resolve();
      },
    };
    informer.addListener(listener, { changesOnly: true });
    return { ended, leave: () => informer.removeListener(listener) };
  }

  #apply(event: InformerEvent<T>, sink: InformerSink<T>): void {
    const { key } = event;
    const isConfirmed = !this.#unconfirmed.delete(key);
    const old = sink.store.getByKey(key);
    const holders = this.#holders.get(key);
    if (holders !== undefined) this.#countHolders(event, holders, sink);
    else if (old !== undefined && event.type === "add" && isConfirmed) this.#noteTwin(key, 2, sink);
    const deltas = this.#deltasOf(event, old, sink);
    if (deltas === undefined) return;
    const isInInitialList = event.type === "add" && event.isInInitialList;
    // Deltas of one object are applied at once.
    void sink.apply(deltas, isInInitialList);
  }

  /** Finds out whether a key that several informers had is again in one of them, and shown. */
  #countHolders({ key, type }: InformerEvent<T>, holders: number, sink: InformerSink<T>): void {
    if (type === "add") this.#noteTwin(key, holders + 1, sink);
    else if (type === "delete" && holders > 1) this.#holders.set(key, holders - 1);
    else if (holders < 2) {
      this.#holders.delete(key);
      this.#twins.forget(key);
    }
  }

  /**
   * Notes that several informers have a key; the first one is reported. The view contains the last
   * state, and none after a deletion by one of them.
   */
  #noteTwin(key: string, holders: number, sink: InformerSink<T>): void {
    this.#holders.set(key, holders);
    const what = `Cannot show ${JSON.stringify(key)} of two informers`;
    const error = new InvalidOptionsError(`${what}: expected each key in one of them`, "informers");
    this.#twins.note({ id: key, key, error }, this.#options.clock.now());
    if (this.#hasReportedTwins) return;
    this.#hasReportedTwins = true;
    sink.report(error, { kind: "cache" });
  }

  /** Returns the deltas of an event in the view, whose state of the object is `old`. */
  #deltasOf(
    event: InformerEvent<T>,
    old: Cached<T> | undefined,
    sink: InformerSink<T>,
  ): Deltas<T> | undefined {
    const { key } = event;
    if (event.type === "delete") this.#unusable.forget(key);
    else if (this.#isMember(key, event.object, sink)) {
      // Delivered again to a view in its second run.
      if (event.object === old) return undefined;
      return [{ type: "Updated", key, object: asPlain<T>(event.object) }];
    }
    if (old === undefined) return undefined;
    if (event.type !== "delete") return [{ type: "Deleted", key, object: asPlain<T>(old) }];
    return [
      { type: "Deleted", key, object: event.stale ? tombstoneOf(event) : asPlain(event.object) },
    ];
  }

  #noteSynced(sink: InformerSink<T>): void {
    if (--this.#unsynced > 0) return;
    for (const key of this.#unconfirmed) {
      const object = tombstoneOf<T>({ key, object: sink.store.getByKey(key) });
      void sink.apply([{ type: "Deleted", key, object }], false);
    }
    this.#unconfirmed.clear();
    sink.markSynced();
  }

  /**
   * An object whose filter throws is not in the view, which reports a problem until the filter
   * works.
   */
  #isMember(key: string, object: Cached<T>, sink: InformerSink<T>): boolean {
    const { clock } = this.#options;
    try {
      const isMember = this.#matches(object);
      if (!this.#unusable.isEmpty) this.#unusable.forget(key);
      return isMember;
    } catch (error) {
      const isNew = this.#unusable.note({ id: key, key, error }, clock.now());
      if (isNew) sink.report(error, { kind: "cache" });
      return false;
    }
  }

  /** Delivers all objects again when a resync is due. Returns a function that ends that. */
  #startResync(sink: InformerSink<T>): () => void {
    const { resyncCheckPeriodMs } = sink;
    if (resyncCheckPeriodMs === 0) return () => {};
    const { clock } = this.#options;
    const check = (): void => {
      timer = clock.setTimeout(check, resyncCheckPeriodMs);
      if (sink.shouldResync()) void sink.apply([{ type: "SyncAll" }], false);
    };
    let timer = clock.setTimeout(check, resyncCheckPeriodMs);
    return () => timer.cancel();
  }
}

/** Finds the problem of a viewed informer. Its indexes are not those of the view. */
function findProblem(statuses: readonly SourceStatus[]): InformerProblem | undefined {
  return statuses
    .map(({ problem }) => problem)
    .find((problem) => problem !== undefined && problem.reason !== "indexFunction");
}

function tombstoneOf<T>({
  key,
  object,
}: Pick<MissedDeletion<T>, "key" | "object">): DeletedFinalStateUnknown<T> {
  return new DeletedFinalStateUnknown<T>(
    key,
    object === undefined ? undefined : asPlain<T>(object),
  );
}

/** Returns `""` if they cannot be compared, for example while one of several is `""`. */
function oldestOf(versions: readonly string[]): string {
  if (versions.length === 0) return "";
  try {
    return versions.reduce((oldest, version) =>
      compareResourceVersions(version, oldest) < 0 ? version : oldest,
    );
  } catch {
    return "";
  }
}

function createMatcher<T>(selection: ViewSelection<T>): (object: Cached<T>) => boolean {
  const { fieldSelector = "", filter, labelSelector = "" } = selection;
  const labels =
    typeof labelSelector === "string" ? LabelSelector.parse(labelSelector) : labelSelector;
  const fields =
    typeof fieldSelector === "string" ? FieldSelector.parse(fieldSelector) : fieldSelector;
  return (object) =>
    labels.matches(metadataOf(object)?.labels) &&
    fields.matches((field) => fieldOf(object, field)) &&
    (filter === undefined || applyFilter(filter, object));
}

/** Returns the oldest of these times, at most the current one; `undefined` if one is unknown. */
function oldestTime(times: readonly (number | undefined)[], nowMs: number): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length < times.length ? undefined : Math.min(nowMs, ...known);
}
