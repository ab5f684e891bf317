import { compareResourceVersions, metadataOf, type Timer, type Cached } from "@listwatch/core-fifo";
import {
  fieldOf,
  FieldSelector,
  LabelSelector,
  type IndexValues,
  type NoIndexes,
  type SelectionOptions,
} from "@listwatch/store-indexer";
import { InformerStoppedError } from "../delivery/errors.ts";
import { abortOf } from "../delivery/abort-of.ts";
import type { InformerOptions, WaitOptions } from "../informer/informer-options.ts";
import type { FreshOptions } from "../informer/informer-status.ts";
import { Informer } from "../informer/informer.ts";
import type { Notification } from "../cache/informer-event.ts";
import type { Listener } from "../delivery/shared-processor.ts";

/** What a view looks at: any {@link Informer}, another view included. */
export type ViewSource<T> = Pick<
  Informer<T, NoIndexes>,
  | "addListener"
  | "fresh"
  | "lastStoreSyncResourceVersion"
  | "removeListener"
  | "waitForResourceVersion"
>;

interface Connection {
  /** Resolves when the source has ended. */
  readonly ended: Promise<void>;
  leave(): Promise<void>;
}

/** Options of {@link InformerView}. */
export interface InformerViewOptions<T, I extends IndexValues>
  extends InformerOptions<T, I>, SelectionOptions {
  /**
   * Tells which objects are in the view, besides the selectors. Must depend on nothing but the
   * object.
   */
  readonly filter?: ((object: Cached<T>) => boolean) | undefined;
}

/**
 * An informer over other informers, without a list or watch of its own: a part of one, or several
 * as one.
 *
 * Of one informer it shows the objects that match: one that begins to match is an add, one that no
 * longer matches a delete of its last matching state, whatever changed it. Several informers, such
 * as one per namespace, it shows as one cache; no object may be in two of them. It changes in the
 * same turn as its sources. It ends when it is told to, or when all sources have ended.
 *
 * ```ts
 * import { createConnection } from "@listwatch/client";
 * import { InformerView, SharedInformerFactory } from "@listwatch/shared-informer";
 *
 * const connection = createConnection({ server: "http://127.0.0.1:8001" });
 * const factory = new SharedInformerFactory({ connection });
 * const pods = { group: "", version: "v1", resource: "pods" };
 * const shop = factory.informer(pods, { namespace: "shop" });
 * const test = factory.informer(pods, { namespace: "test" });
 * const web = new InformerView([shop, test], { labelSelector: "app=web" });
 * web.addEventHandler({ onAdd: (pod) => console.log(pod.metadata?.name) });
 * await web[Symbol.asyncDispose]();
 * ```
 */
export class InformerView<T, I extends IndexValues = NoIndexes> extends Informer<T, I> {
  readonly #sources: readonly ViewSource<T>[];
  readonly #matches: (object: Cached<T>) => boolean;
  #unsynced: number;
  #resyncTimer: Timer | undefined;

  /** @throws {InvalidSelectorError} if a selector's text is none */
  constructor(sources: readonly ViewSource<T>[], options: InformerViewOptions<T, I> = {}) {
    super({ name: "view", ...options });
    this.#sources = sources;
    this.#matches = matcherOf(options);
    this.#unsynced = sources.length;
  }

  /**
   * The oldest of the sources'; `""` until the view has synced, and while those of several cannot
   * be compared.
   */
  override get lastStoreSyncResourceVersion(): string {
    if (!this.hasSynced) return "";
    const versions = this.#sources.map((source) => source.lastStoreSyncResourceVersion);
    return versions.length === 0 ? "" : oldestOf(versions);
  }

  /**
   * Resolves when the view has synced and every source has reached it; a quiet one hears of it with
   * its next bookmark, within a minute or so.
   *
   * @throws {ResourceVersionError} if it is no resourceVersion
   * @throws {InformerStoppedError} if the view or a source has stopped, or stops before
   * @throws the signal's reason when it is aborted before
   */
  override async waitForResourceVersion(
    resourceVersion: string,
    options: WaitOptions = {},
  ): Promise<void> {
    const over = new AbortController();
    const signal =
      options.signal === undefined ? over.signal : AbortSignal.any([options.signal, over.signal]);
    try {
      // The view's own wait knows of its end.
      await Promise.race([
        super.waitForResourceVersion(resourceVersion, { signal }),
        this.#sourcesReach(resourceVersion, signal),
      ]);
    } finally {
      over.abort();
    }
  }

  /** Whether all sources are. */
  fresh(options: FreshOptions): boolean {
    return this.hasSynced && this.#sources.every((source) => source.fresh(options));
  }

  /** @throws {InformerStoppedError} if a source has stopped already */
  protected async runSource(signal: AbortSignal): Promise<void> {
    const connections: Connection[] = [];
    try {
      for (const source of this.#sources) connections.push(this.#listenTo(source));
      if (connections.length === 0) this.markSynced();
      this.#scheduleResync();
      await Promise.race([abortOf(signal), Promise.all(connections.map(({ ended }) => ended))]);
    } finally {
      this.#resyncTimer?.cancel();
      await Promise.all(connections.map((connection) => connection.leave()));
    }
  }

  /**
   * The sources pass on changes only; those who asked for a resync have their unchanged objects
   * from here.
   */
  protected override isResync(old: Cached<T>, object: Cached<T>): boolean {
    return old === object;
  }

  async #sourcesReach(resourceVersion: string, signal: AbortSignal): Promise<void> {
    try {
      await this.synced;
    } catch {
      throw new InformerStoppedError(`wait for ${resourceVersion}`);
    }
    await Promise.all(
      this.#sources.map((source) => source.waitForResourceVersion(resourceVersion, { signal })),
    );
  }

  #listenTo(source: ViewSource<T>): Connection {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const listener: Listener<T> = {
      name: this.name,
      backlog: 0,
      push: (notification) => {
        // What goes wrong here must not take the source along.
        try {
          this.#apply(notification);
        } catch (error) {
          this.report(error, { kind: "cache" });
        }
      },
      sourceSynced: () => {
        if (--this.#unsynced === 0) this.markSynced();
      },
      waitForRoom: () => this.processor.waitForRoom(),
      start: () => {},
      stop: () => {
        resolve();
        return Promise.resolve();
      },
    };
    source.addListener(listener, { changesOnly: true });
    return { ended, leave: () => source.removeListener(listener) };
  }

  #apply(notification: Notification<T>): void {
    const { key, type } = notification;
    const { keyed } = this.indexer;
    const old = keyed.get(key);
    if (type !== "delete" && this.#isMember(notification.object)) {
      const { object } = notification;
      keyed.add(key, object);
      const isInInitialList = type === "add" && notification.isInInitialList;
      this.publish(
        old === undefined
          ? { type: "add", key, object, isInInitialList }
          : { type: "update", key, old, object },
      );
    } else if (old !== undefined) {
      keyed.delete(key);
      this.publish(
        type === "delete" ? notification : { type: "delete", key, stale: false, object: old },
      );
    }
  }

  /** An object whose filter fails is not in the view. */
  #isMember(object: Cached<T>): boolean {
    try {
      return this.#matches(object);
    } catch (error) {
      this.report(error, { kind: "cache" });
      return false;
    }
  }

  #scheduleResync(): void {
    if (this.resyncCheckPeriodMs === 0) return;
    this.#resyncTimer = this.clock.setTimeout(() => {
      if (this.shouldResync()) {
        for (const key of this.indexer.listKeys()) {
          const object = this.indexer.getByKey(key);
          if (object !== undefined) this.publish({ type: "update", key, old: object, object });
        }
      }
      this.#scheduleResync();
    }, this.resyncCheckPeriodMs);
  }
}

/** `""` if they cannot be compared, as long as one of several is `""`, for instance. */
function oldestOf(versions: readonly string[]): string {
  try {
    return versions.reduce((oldest, version) =>
      compareResourceVersions(version, oldest) < 0 ? version : oldest,
    );
  } catch {
    return "";
  }
}

function matcherOf<T, I extends IndexValues>(
  options: InformerViewOptions<T, I>,
): (object: Cached<T>) => boolean {
  const { fieldSelector = "", filter, labelSelector = "" } = options;
  const labels =
    typeof labelSelector === "string" ? LabelSelector.parse(labelSelector) : labelSelector;
  const fields =
    typeof fieldSelector === "string" ? FieldSelector.parse(fieldSelector) : fieldSelector;
  return (object) =>
    labels.matches(metadataOf(object)?.labels) &&
    fields.matches((field) => fieldOf(object, field)) &&
    (filter === undefined || filter(object));
}
