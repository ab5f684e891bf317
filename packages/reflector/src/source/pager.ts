import {
  isStatusError,
  type ListContext,
  type ListMeta,
  type ListOptions,
} from "@listwatch/client";
import { listTable, translateError } from "@listwatch/client/base";
import {
  aBoolean,
  aFunction,
  aNumber,
  checkOptions,
  type OptionsOf,
} from "@listwatch/core-fifo/base";
import { itemsOf, type ListResult } from "./lister-watcher.ts";
import { PageTokens } from "./page-tokens.ts";
import { readAhead } from "./read-ahead.ts";

/** List function of a lister-watcher. */
export type ListFunction<T> = (
  options: ListOptions,
  context: ListContext<T>,
) => Promise<ListResult<T>>;

/** Options of a {@link Pager}. */
export interface PagerOptions<T> {
  /** Reads one page, such as the function of a {@link ListerWatcher}. */
  readonly list: ListFunction<T>;
  /**
   * Selects the items to keep. Others are dropped as they arrive, and count as items of their page.
   *
   * @default all
   */
  readonly keep?: ((item: T) => boolean) | undefined;
  /**
   * Number of items per page if the request has no limit; 0 means one page.
   *
   * @default 500 (client-go `defaultPageSize`, tools/pager/pager.go)
   */
  readonly pageSize?: number | undefined;
  /**
   * Whether to request the whole list in one page after a continue token has expired.
   *
   * @default true
   */
  readonly fullListIfExpired?: boolean | undefined;
  /**
   * Number of pages that {@link Pager.batches} reads ahead of its consumer; 0 means none.
   *
   * @default 10 (client-go `defaultPageBufferSize`, tools/pager/pager.go)
   */
  readonly pageBufferSize?: number | undefined;
}

const pagerTable: OptionsOf<PagerOptions<never>> = {
  list: aFunction,
  keep: aFunction,
  pageSize: aNumber(0),
  fullListIfExpired: aBoolean,
  pageBufferSize: aNumber(0),
};

/** A complete list, joined from its pages. */
export interface PagedList<T> {
  /** Group and version of the list, such as `v1`; `undefined` if it has none. */
  readonly apiVersion: string | undefined;
  /** Kind of the list, such as `PodList`; `undefined` if the list has none. */
  readonly kind: string | undefined;
  /**
   * Metadata of the first page, whose state all pages have. If there are several pages, without
   * token and remaining item count.
   */
  readonly metadata: ListMeta | undefined;
  /** Items of all pages, in the server's order. */
  readonly items: T[];
  /** Whether the server split the list into pages. */
  readonly paginated: boolean;
}

/** client-go `defaultPageSize`, tools/pager/pager.go. */
const defaultPageSize = 500;

/** client-go `defaultPageBufferSize`, tools/pager/pager.go. */
const defaultPageBufferSize = 10;

/**
 * Reads lists page by page. It keeps nothing between calls, does not wait, and only retries after
 * an expired token, see `fullListIfExpired`.
 */
export class Pager<T> {
  readonly #list: ListFunction<T>;
  readonly #keep: ((item: T) => boolean) | undefined;
  readonly #pageSize: number;
  readonly #fullListIfExpired: boolean;
  readonly #pageBufferSize: number;

  /** @throws {InvalidOptionsError} if `pageBufferSize` is negative or not a number */
  constructor(options: PagerOptions<T>) {
    checkOptions(options, pagerTable, ["list"]);
    this.#list = options.list;
    this.#keep = options.keep;
    this.#pageSize = options.pageSize ?? defaultPageSize;
    this.#fullListIfExpired = options.fullListIfExpired ?? true;
    this.#pageBufferSize = options.pageBufferSize ?? defaultPageBufferSize;
  }

  /**
   * Reads the whole list. Only the first page is requested with the given resourceVersion and
   * match, because a continue token implies the state.
   *
   * @throws {ListwatchError} with the code `LW_NOT_A_LIST` if the response has no items,
   *   `LW_ENDLESS_LIST` if the pages never end
   * @throws the error of the list function; an expired token only with `fullListIfExpired: false`
   */
  async list(options: ListOptions, context: ListContext<T>): Promise<PagedList<T>> {
    const first = this.#firstPage(options);
    const tokens = new PageTokens();
    const { received, ...list } = await this.#page(first, context, []);
    let next = tokens.next(list.metadata?.continue, received);
    if (next === "") return { ...list, paginated: false };
    while (next !== "") {
      try {
        const page = await this.#page(nextPage(first, next), context, list.items);
        next = tokens.next(page.metadata?.continue, page.received);
      } catch (error) {
        // Only the reason counts, as in client-go `ListPager`: a 410 with another one is for the
        // caller.
        const isExpired = isStatusError(translateError(error, "Cannot list", 0), "Expired");
        if (!this.#fullListIfExpired || !isExpired) throw error;
        // The pages so far belong to an expired state; the whole list belongs to one state again.
        list.items.length = 0;
        const { limit: _, continue: __, ...unlimited } = first;
        const { received: ___, ...whole } = await this.#page(unlimited, context, []);
        return { ...whole, paginated: true };
      }
    }
    const { continue: _, remainingItemCount: __, ...metadata } = list.metadata ?? {};
    return { ...list, metadata, paginated: true };
  }

  /**
   * Reads the list in batches of at least one item, from the first `next` on. While the consumer
   * processes one, the following batches and pages are read, until `pageBufferSize` pages wait.
   * Batches before an error are delivered first, even if a token has expired, because they cannot
   * be taken back. An abort takes effect at once.
   *
   * Leaving the loop aborts the current request and waits for its end; nothing runs after that.
   *
   * @throws {ListwatchError} with the code `LW_NOT_A_LIST` if the response has no items,
   *   `LW_ENDLESS_LIST` if the pages never end
   * @throws the error of the list function, or the reason of the signal
   */
  batches(
    options: ListOptions,
    context: ListContext<T>,
  ): AsyncGenerator<readonly T[], void, undefined> {
    const first = this.#firstPage(options);
    return readAhead((signal) => this.#pages(first, { ...context, signal }), {
      capacity: this.#pageBufferSize * (first.limit ?? defaultPageSize),
      signal: context.signal,
    });
  }

  async *#pages(first: ListOptions, context: ListContext<T>): AsyncGenerator<readonly T[]> {
    const tokens = new PageTokens();
    let page = first;
    for (;;) {
      let count = 0;
      context.signal.throwIfAborted();
      const result = await this.#list(page, context);
      const items = itemsOf(result);
      for await (const batch of isComplete(items) ? [items] : items) {
        count += batch.length;
        const kept = this.#select(batch);
        if (kept.length > 0 || batch.length === 0) yield kept;
      }
      const next = tokens.next(result.metadata?.continue, count);
      if (next === "") return;
      page = nextPage(page, next);
    }
  }

  #firstPage(options: ListOptions): ListOptions {
    checkOptions(options, listTable);
    const { limit = this.#pageSize, ...others } = options;
    return limit > 0 ? { ...others, limit } : others;
  }

  async #page(options: ListOptions, context: ListContext<T>, into: T[]): Promise<Page<T>> {
    context.signal.throwIfAborted();
    const result = await this.#list(options, context);
    const items = itemsOf(result);
    let received = 0;
    for await (const batch of isComplete(items) ? [items] : items) {
      received += batch.length;
      append(into, this.#select(batch));
    }
    // Complete only now: the list may contain them after its items.
    const { apiVersion, kind, metadata } = result;
    return { apiVersion, kind, metadata, items: into, received };
  }

  #select(items: readonly T[]): readonly T[] {
    return this.#keep === undefined ? items : items.filter(this.#keep);
  }
}

interface Page<T> extends Omit<PagedList<T>, "paginated"> {
  /** Number of items that arrived. */
  readonly received: number;
}

function nextPage({ limit }: ListOptions, token: string): ListOptions {
  return limit === undefined ? { continue: token } : { limit, continue: token };
}

function isComplete<T>(items: ListResult<T>["items"]): items is readonly T[] {
  return Array.isArray(items);
}

function append<T>(into: T[], items: readonly T[]): void {
  for (const item of items) into.push(item);
}
