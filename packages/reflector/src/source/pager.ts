import { atLeast } from "../internal/at-least.ts";
import { itemsOf } from "./checked-source.ts";
import { readAhead } from "./read-ahead.ts";
import {
  isStatusError,
  type ListMeta,
  type ListOptions,
  type ListContext,
} from "@listwatch/client";
import type { ListResult } from "./lister-watcher.ts";

/** The one function of a lister-watcher that a pager needs. */
export type ListFunction<T> = (
  options: ListOptions,
  context: ListContext<T>,
) => Promise<ListResult<T>>;

/** Options of a {@link Pager}. */
export interface PagerOptions<T> {
  readonly list: ListFunction<T>;
  /**
   * Items a page when the request names no limit; 0 = all in one.
   *
   * @default 500 (client-go `defaultPageSize`, tools/pager/pager.go)
   */
  readonly pageSize?: number | undefined;
  /**
   * Whether an expired continue token is answered by asking for the whole list in one page.
   *
   * @default true
   */
  readonly fullListIfExpired?: boolean | undefined;
  /**
   * How far {@link Pager.batches} reads ahead of its consumer, in pages; 0 = it asks only for what
   * is wanted.
   *
   * @default 10 (client-go `defaultPageBufferSize`, tools/pager/pager.go)
   */
  readonly pageBufferSize?: number | undefined;
}

/** A complete list, put together from its pages. */
export interface PagedList<T> {
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  /** Of the first page: the state that all pages show. */
  readonly metadata: ListMeta | undefined;
  readonly items: T[];
  /** Whether the server cut the list into pages. */
  readonly paginated: boolean;
}

/** client-go `defaultPageSize`, tools/pager/pager.go. */
const defaultPageSize = 500;

/**
 * Reads lists page by page. Stateless between calls; never waits and never retries, but see
 * `fullListIfExpired`.
 */
export class Pager<T> {
  readonly #list: ListFunction<T>;
  readonly #pageSize: number;
  readonly #fullListIfExpired: boolean;
  readonly #pageBufferSize: number;

  /** @throws {InvalidOptionsError} if `pageBufferSize` is negative or no number (PAG-5) */
  constructor(options: PagerOptions<T>) {
    this.#list = options.list;
    this.#pageSize = options.pageSize ?? defaultPageSize;
    this.#fullListIfExpired = options.fullListIfExpired ?? true;
    this.#pageBufferSize = atLeast("pageBufferSize", options.pageBufferSize ?? 10, 0);
  }

  /**
   * The whole list. Only the first page is asked for with the given resourceVersion and match; a
   * continue token names the state by itself (PAG-2).
   *
   * @throws {NotAListError} if what listing gives has no items
   * @throws what listing throws; an expired token only if there is no full list to fall back to
   *   (PAG-4)
   */
  async list(options: ListOptions, context: ListContext<T>): Promise<PagedList<T>> {
    const first = this.#firstPage(options);
    const list = await this.#page(first, context, []);
    if (list.next === "") return { ...list, paginated: false };
    let { next } = list;
    while (next !== "") {
      try {
        const page = await this.#page(nextPage(first, next), context, list.items);
        next = page.next;
      } catch (error) {
        if (!this.#fullListIfExpired || !isExpiredToken(error)) throw error;
        // The pages so far are of a state that is gone; the whole list is of one state again.
        list.items.length = 0;
        const { limit: _, continue: __, ...unlimited } = first;
        return { ...(await this.#page(unlimited, context, [])), paginated: true };
      }
    }
    return { ...list, paginated: true };
  }

  /**
   * Batches of items, none of them empty, from the first `next` on. While the consumer works at
   * one, the following are read, and so are the following pages, until `pageBufferSize` pages wait.
   * A failure comes behind the batches before it; an expired token is one: what was given already
   * cannot be taken back (PAG-5). An abort comes at once.
   *
   * Leaving the iteration aborts the request in progress and waits for its end; nothing runs
   * afterwards.
   *
   * @throws {NotAListError} if what listing gives has no items
   * @throws what listing throws, or the signal's reason
   */
  batches(
    options: ListOptions,
    context: ListContext<T>,
  ): AsyncGenerator<readonly T[], void, undefined> {
    const first = this.#firstPage(options);
    return readAhead((signal) => this.#pages(first, { ...context, signal }), {
      mostItems: this.#pageBufferSize * (first.limit ?? defaultPageSize),
      signal: context.signal,
    });
  }

  async *#pages(first: ListOptions, context: ListContext<T>): AsyncGenerator<readonly T[]> {
    let page = first;
    for (;;) {
      context.signal.throwIfAborted();
      const result = await this.#list(page, context);
      const items = itemsOf(result);
      if (isComplete(items)) yield items;
      else yield* items;
      const next = result.metadata?.continue ?? "";
      if (next === "") return;
      page = nextPage(page, next);
    }
  }

  #firstPage(options: ListOptions): ListOptions {
    const { limit = this.#pageSize, ...others } = options;
    return limit > 0 ? { ...others, limit } : others;
  }

  async #page(options: ListOptions, context: ListContext<T>, into: T[]): Promise<Page<T>> {
    context.signal.throwIfAborted();
    const result = await this.#list(options, context);
    const items = itemsOf(result);
    if (isComplete(items)) append(into, items);
    else for await (const batch of items) append(into, batch);
    // Only now are these complete: the list may say them after its items.
    const { apiVersion, kind, metadata } = result;
    return { apiVersion, kind, metadata, items: into, next: metadata?.continue ?? "" };
  }
}

interface Page<T> extends Omit<PagedList<T>, "paginated"> {
  /** Token of the next page, `""` after the last. */
  readonly next: string;
}

function nextPage({ limit }: ListOptions, token: string): ListOptions {
  return limit === undefined ? { continue: token } : { limit, continue: token };
}

/** client-go's pager knows the reason alone; a 410 of another reason is the caller's (REF-15). */
function isExpiredToken(error: unknown): boolean {
  return isStatusError(error) && error.reason === "Expired";
}

function isComplete<T>(items: ListResult<T>["items"]): items is readonly T[] {
  return Array.isArray(items);
}

function append<T>(into: T[], items: readonly T[]): void {
  for (const item of items) into.push(item);
}
