import {
  compareResourceVersions,
  DeletedFinalStateUnknown,
  type Cached,
  type Clock,
  type Deltas,
} from "@listwatch/core-fifo";
import { asPlain, untilAborted, metadataOf } from "@listwatch/core-fifo/base";
import {
  fieldOf,
  FieldSelector,
  LabelSelector,
  type NoIndexes,
  type SelectionOptions,
} from "@listwatch/store-indexer";
import type { InformerEvent, MissedDeletion } from "../cache/informer-event.ts";
import type { Listener } from "../delivery/shared-processor.ts";
import type { WaitOptions } from "../delivery/wait-for-cache-sync.ts";
import type { Report } from "../informer/informer-options.ts";
import type { InformerSink, InformerSource, SourceProgress } from "../informer/informer-source.ts";
import type { SourceStatus } from "../informer/informer-status.ts";
import type { Informer } from "../informer/informer.ts";

/** What a view shows a part of: any {@link Informer}, another view included. */
export type ViewedInformer<T> = Pick<
  Informer<T, NoIndexes>,
  "addListener" | "lastStoreSyncResourceVersion" | "removeListener" | "waitForResourceVersion"
> & {
  /** The present state. */
  status(): SourceStatus;
};

/** Which objects are in a view. */
export interface ViewSelection<T> extends SelectionOptions {
  /** Selects objects, besides the selectors. Must depend on nothing but the object. */
  readonly filter?: ((object: Cached<T>) => boolean) | undefined;
}

/** Options of a {@link ViewSource}. */
export interface ViewSourceOptions<T> {
  readonly clock: Clock;
  readonly name: string;
  readonly report: Report<T>;
  readonly selection: ViewSelection<T>;
}

/** The source of a view: the changes of other informers, reduced to those of a selection. */
export class ViewSource<T> implements InformerSource<T>, SourceProgress {
  readonly #informers: readonly ViewedInformer<T>[];
  readonly #matches: (object: Cached<T>) => boolean;
  readonly #options: ViewSourceOptions<T>;

  /** @throws {InvalidSelectorError} if a selector's text is none */
  constructor(informers: readonly ViewedInformer<T>[], options: ViewSourceOptions<T>) {
    this.#informers = informers;
    this.#matches = createMatcher(options.selection);
    this.#options = options;
  }

  get progress(): SourceProgress {
    return this;
  }

  /** The oldest of the informers'; `""` while those of several cannot be compared. */
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
    const times = statuses.map(({ freshAsOfMs }) => freshAsOfMs);
    const known = times.filter((time) => time !== undefined);
    const { clock } = this.#options;
    return {
      source: undefined,
      problem: statuses.find(({ problem }) => problem !== undefined)?.problem,
      queuedDeltas: statuses.reduce((sum, { queuedDeltas }) => sum + queuedDeltas, 0),
      freshAsOfMs: known.length < times.length ? undefined : Math.min(clock.now(), ...known),
    };
  }

  /**
   * The viewed informers deliver changes only; a handler that wants a resync gets its unchanged
   * objects from the view.
   */
  isSameState(old: Cached<T>, object: Cached<T>): boolean {
    return old === object;
  }

  /** @throws {InformerStoppedError} if an informer has stopped already */
  async run(sink: InformerSink<T>, signal: AbortSignal): Promise<void> {
    const stopResync = this.#startResync(sink);
    const run = new ViewRun(sink, this.#informers.length, this.#matches, this.#options);
    const connections: Connection[] = [];
    try {
      for (const informer of this.#informers) connections.push(run.connect(informer));
      if (connections.length === 0) sink.markSynced();
      const ended = Promise.all(connections.map((connection) => connection.ended));
      await untilAborted(ended, signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    } finally {
      stopResync();
      await Promise.all(connections.map((connection) => connection.leave()));
    }
  }

  /** Delivers everything again when a resync is due; returns what ends that. */
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

/** One viewed informer, as long as the view runs. */
interface Connection {
  /** Resolves when the informer has ended. */
  readonly ended: Promise<void>;
  leave(): Promise<void>;
}

/** One run of a view, which ends with all of its connections. */
class ViewRun<T> {
  readonly #sink: InformerSink<T>;
  readonly #matches: (object: Cached<T>) => boolean;
  readonly #options: ViewSourceOptions<T>;
  /** What an earlier run left in the cache and no informer has delivered again yet. */
  readonly #unconfirmed: Set<string>;
  #unsynced: number;

  constructor(
    sink: InformerSink<T>,
    informers: number,
    matches: (object: Cached<T>) => boolean,
    options: ViewSourceOptions<T>,
  ) {
    this.#sink = sink;
    this.#unsynced = informers;
    this.#matches = matches;
    this.#options = options;
    this.#unconfirmed = new Set(sink.store.listKeys());
  }

  connect(informer: ViewedInformer<T>): Connection {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const listener: Listener<T> = {
      name: this.#options.name,
      backlog: 0,
      push: (event) => this.#apply(event),
      sourceSynced: () => this.#noteSynced(),
      waitForRoom: () => this.#sink.waitForRoom(),
      start: () => {},
      stop: () => {
        resolve();
        return Promise.resolve();
      },
    };
    informer.addListener(listener, { changesOnly: true });
    return { ended, leave: () => informer.removeListener(listener) };
  }

  #apply(event: InformerEvent<T>): void {
    const { key } = event;
    this.#unconfirmed.delete(key);
    const old = this.#sink.store.getByKey(key);
    const deltas = this.#deltasOf(event, old);
    if (deltas === undefined) return;
    const isInInitialList = event.type === "add" && event.isInInitialList;
    // Deltas of one object are applied at once.
    void this.#sink.apply(deltas, isInInitialList);
  }

  /** What an event changes in the view, whose state of the object is `old`. */
  #deltasOf(event: InformerEvent<T>, old: Cached<T> | undefined): Deltas<T> | undefined {
    const { key } = event;
    if (event.type !== "delete" && this.#isMember(event.object)) {
      // Delivered again to a view that was run again.
      if (event.object === old) return undefined;
      return [{ type: "Updated", key, object: asPlain<T>(event.object) }];
    }
    if (old === undefined) return undefined;
    if (event.type !== "delete") return [{ type: "Deleted", key, object: asPlain<T>(old) }];
    return [
      { type: "Deleted", key, object: event.stale ? tombstoneOf(event) : asPlain(event.object) },
    ];
  }

  /** An object whose filter throws is not in the view. */
  #isMember(object: Cached<T>): boolean {
    try {
      return this.#matches(object);
    } catch (error) {
      this.#options.report(error, { kind: "cache" });
      return false;
    }
  }

  #noteSynced(): void {
    if (--this.#unsynced > 0) return;
    for (const key of this.#unconfirmed) {
      const object = tombstoneOf<T>({ key, object: this.#sink.store.getByKey(key) });
      void this.#sink.apply([{ type: "Deleted", key, object }], false);
    }
    this.#unconfirmed.clear();
    this.#sink.markSynced();
  }
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

/** `""` if they cannot be compared, as long as one of several is `""`, for instance. */
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
    (filter === undefined || filter(object));
}
