import type { KubernetesObject } from "@listwatch/core-fifo";
import {
  type Clock,
  type Random,
  aFunction,
  aNumber,
  anInteger,
  aSignal,
  aString,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { createNotAListError } from "../errors/decode-errors.ts";
import { isExpired } from "../errors/status-error.ts";
import { makeAttempts, type AttemptsOptions } from "../http/attempts.ts";
import type { Connection } from "../http/connection.ts";
import { IdleLimit } from "../http/idle-limit.ts";
import type { ListProgress } from "../http/progress-limit.ts";
import type { Requester } from "../http/request.ts";
import type { Warning } from "../http/warnings.ts";
import type { ListOptions, WatchEvent } from "../resource/list-watch.ts";
import type { ResourceReference } from "../resource/resource.ts";
import { Collection, type ListStream } from "./collection.ts";
import { ListLimit } from "./list-limit.ts";
import type { NamespaceScope } from "./namespace-scope.ts";
import { selectionTable, type Selection } from "./request-options.ts";

/** Options of a list, in one piece or as a stream. */
export interface AnyListOptions extends Selection {
  /** Objects per page. @default 500 (client-go `defaultPageSize`) */
  readonly pageSize?: number | undefined;
  /**
   * `""` for the newest state, `"0"` for any state in the server's cache.
   *
   * @default ""
   */
  readonly resourceVersion?: string | undefined;
  /**
   * Maximum number of repetitions of a list after a failure. For a list that is streamed, the
   * repetitions of each page before it starts.
   *
   * @default the client's
   */
  readonly retries?: number | undefined;
  /** Aborts the list, which rejects with the reason of the signal. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** Options of a list. */
export interface ReadListOptions extends AnyListOptions {
  /**
   * Longest time without an object, repetitions and delays included, in milliseconds. The list then
   * fails with a {@link NetworkError} of kind `timeout`. Infinity for none.
   *
   * @default the client's
   */
  readonly timeoutMs?: number | undefined;
  /** Longest time of the whole list, in milliseconds. @default Infinity */
  readonly totalTimeoutMs?: number | undefined;
}

/** Options of a list whose objects are delivered as they arrive. */
export interface ReadItemsOptions extends AnyListOptions {
  /**
   * Called if the list expires in the middle (410). Discard the objects delivered so far: the whole
   * list follows in one response. Without this option the loop rejects with the error.
   *
   * @default none
   */
  readonly onRestart?: ((error: unknown) => void) | undefined;
}

const anyListTable: OptionsOf<AnyListOptions> = {
  ...selectionTable,
  pageSize: aNumber(0),
  resourceVersion: aString,
  retries: anInteger(0),
  signal: aSignal,
};

/** Checks of {@link ReadListOptions}. */
export const readListTable: OptionsOf<ReadListOptions> = {
  ...anyListTable,
  timeoutMs: aNumber(1),
  totalTimeoutMs: aNumber(1),
};

/** Checks of {@link ReadItemsOptions}. */
export const readItemsTable: OptionsOf<ReadItemsOptions> = {
  ...anyListTable,
  onRestart: aFunction,
};

/** A complete list. */
export interface ObjectList<T> {
  /** Objects in the server's order, which is that of their keys in its storage. */
  readonly items: T[];
  /** State of the list, from which a watch can continue. */
  readonly resourceVersion: string;
}

/** Options of a watch. */
export interface WatchObjectsOptions extends Selection {
  /** State after which changes are sent. @default the current objects, then changes */
  readonly resourceVersion?: string | undefined;
  /** Time after which the server ends the watch, in seconds. @default the server's, 30 to 60 min */
  readonly timeoutSeconds?: number | undefined;
  /**
   * Time without a byte, from the request on, after which the watch fails with a
   * {@link NetworkError} of kind `timeout`, in milliseconds: the connection may be half open.
   * Infinity for no limit, for servers that send no bookmarks. Others send one a minute.
   *
   * @default 300_000
   */
  readonly idleMs?: number | undefined;
  /** Maximum number of repetitions before the watch starts. @default the client's */
  readonly retries?: number | undefined;
  /** Ends the watch, whose loop rejects with the reason of the signal. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** Checks of {@link WatchObjectsOptions}. */
export const watchTable: OptionsOf<WatchObjectsOptions> = {
  ...selectionTable,
  resourceVersion: aString,
  timeoutSeconds: aNumber(0),
  idleMs: aNumber(1),
  retries: anInteger(0),
  signal: aSignal,
};

/** client-go `defaultPageSize`, tools/pager/pager.go. */
const defaultPageSize = 500;
/** In milliseconds: a few bookmarks, which kube-apiserver sends each minute. */
const defaultIdleMs = 5 * 60_000;

/** A {@link ListLimit} counts objects instead of bytes. */
const noProgress: ListProgress = { withinMs: Infinity };

/** Services of the client for a {@link ListReader}. */
export interface ListReaderContext {
  readonly connection: Connection;
  readonly requester: Requester;
  readonly onWarning: (warning: Warning) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly retries: number;
  readonly timeoutMs: number;
}

/** Reads collections of one resource for a client. */
export class ListReader<T extends KubernetesObject> {
  readonly #context: ListReaderContext;
  readonly #resource: ResourceReference<T>;
  readonly #scope: NamespaceScope;

  constructor(context: ListReaderContext, resource: ResourceReference<T>, scope: NamespaceScope) {
    this.#context = context;
    this.#resource = resource;
    this.#scope = scope;
  }

  /**
   * Reads all pages. If they expire, the whole list is requested at once. After a failure of the
   * network or the server it is read again.
   */
  async list(options: ReadListOptions): Promise<ObjectList<T>> {
    let { pageSize } = options;
    const { timeoutMs = this.#context.timeoutMs, totalTimeoutMs = Infinity } = options;
    const { clock } = this.#context;
    const attempted = this.#describe("list");
    const { signal: parent } = options;
    const limit = new ListLimit({ clock, timeoutMs, totalTimeoutMs, attempted, signal: parent });
    const attempts = this.#attempts("list", { ...options, signal: limit.signal });
    try {
      return await makeAttempts({ ...attempts, endMs: () => limit.endMs }, async (signal) => {
        try {
          return await this.#read({ ...options, pageSize, signal, retries: 0 }, limit);
        } catch (error) {
          if (!isExpired(error) || pageSize === 0) throw error;
          pageSize = 0;
          return this.#read({ ...options, pageSize, signal, retries: 0 }, limit);
        }
      });
    } finally {
      limit.end();
    }
  }

  async #read(options: AnyListOptions, limit: ListLimit): Promise<ObjectList<T>> {
    const items: T[] = [];
    let resourceVersion = "";
    for await (const page of this.#pages(options, noProgress)) {
      for await (const batch of page.items) {
        for (const item of batch) items.push(item);
        if (batch.length > 0) limit.noteObjects();
      }
      resourceVersion = page.metadata?.resourceVersion ?? "";
    }
    return { items, resourceVersion };
  }

  /** Yields the objects of a list as they arrive, page by page. */
  async *items(options: ReadItemsOptions): AsyncGenerator<T, void, undefined> {
    const { onRestart, pageSize } = options;
    try {
      yield* this.#itemsOnce(options);
    } catch (error) {
      if (!isExpired(error) || onRestart === undefined || pageSize === 0) throw error;
      onRestart(error);
      yield* this.#itemsOnce({ ...options, pageSize: 0 });
    }
  }

  async *#itemsOnce(options: AnyListOptions): AsyncGenerator<T, void, undefined> {
    for await (const page of this.#pages(options)) {
      for await (const batch of page.items) yield* batch;
    }
  }

  /** Yields the pages of a list. Read each one before requesting the next. */
  async *#pages(
    options: AnyListOptions,
    listProgress?: ListProgress,
  ): AsyncGenerator<ListStream<T>, void, undefined> {
    const { pageSize = defaultPageSize, resourceVersion, signal = never } = options;
    const collection = this.#collection(options, listProgress);
    const attempts = this.#attempts("list", options);
    let query: ListOptions = { limit: pageSize, resourceVersion };
    for (;;) {
      const asked = query;
      // The page outlives the attempts, so it has the signal of the whole list.
      const page = await makeAttempts(attempts, () => collection.list(asked, { signal }));
      yield page;
      const { continue: token = "" } = page.metadata ?? {};
      if (token === "") return;
      if (token === query.continue) {
        throw createNotAListError("a page whose continue token is that of the page before");
      }
      query = { limit: pageSize, continue: token };
    }
  }

  /** Yields the events of one watch, until the server ends it. */
  async *watch(options: WatchObjectsOptions): AsyncGenerator<WatchEvent<T>, void, undefined> {
    const { resourceVersion, timeoutSeconds, idleMs = defaultIdleMs } = options;
    const { clock } = this.#context;
    const attempted = this.#describe("watch");
    const idle = new IdleLimit({ clock, idleMs, attempted, signal: options.signal });
    const { signal } = idle;
    const query = { resourceVersion, timeoutSeconds, allowWatchBookmarks: true };
    try {
      const collection = this.#collection(options);
      const attempts = this.#attempts("watch", { ...options, signal });
      const batches = await makeAttempts(attempts, () =>
        idle.wait(collection.watch(query, { signal })),
      );
      const reading = batches[Symbol.asyncIterator]();
      try {
        // An empty batch shows that a byte has arrived.
        for (;;) {
          const { done = false, value } = await idle.wait(reading.next());
          if (done) return;
          yield* value;
        }
      } finally {
        await reading.return?.();
      }
    } finally {
      idle.end();
    }
  }

  #attempts(
    verb: "list" | "watch",
    { retries, signal }: Pick<AnyListOptions, "retries" | "signal">,
  ): AttemptsOptions {
    const { clock, random, retries: usual } = this.#context;
    const attempted = this.#describe(verb);
    const limits = { timeoutMs: Infinity, retries: retries ?? usual, isRead: true };
    return { clock, random, attempted, ...limits, signal };
  }

  #describe(verb: "list" | "watch"): string {
    return `Cannot ${verb} ${this.#resource.resource}`;
  }

  #collection(
    { namespace, labelSelector, fieldSelector }: Selection,
    listProgress?: ListProgress,
  ): Collection<T> {
    const { connection, clock, onWarning } = this.#context;
    const resource = this.#resource;
    return new Collection<T>({
      connection,
      resource,
      namespace: this.#scope.narrow(namespace),
      labelSelector,
      fieldSelector,
      listProgress,
      onWarning,
      clock,
      // The caller may change and write back these objects, so they have all fields.
      encoding: "json",
      lazy: false,
    });
  }
}

/** For reads that only end by themselves. */
const never = new AbortController().signal;
