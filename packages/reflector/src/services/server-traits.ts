import type { Settings } from "../options/settings.ts";

/** client-go `defaultPageSize`, tools/pager/pager.go. */
const defaultPageSize = 500;

/** Form in which the server delivers lists, as far as it has shown. */
export class ServerTraits {
  readonly #settings: Pick<Settings<never>, "clock" | "list">;
  /** A list from the server's cache arrived in pages: the server has no cache. */
  #paginates = false;
  /** Until then no streamed list is requested, because the server has refused one. */
  #refusedUntilMs = -Infinity;

  constructor(settings: Pick<Settings<never>, "clock" | "list">) {
    this.#settings = settings;
  }

  /** Whether lists are to be streamed: it is wanted, and the server has not refused it lately. */
  get streamsLists(): boolean {
    const { clock, list } = this.#settings;
    return list.watchList && clock.now() >= this.#refusedUntilMs;
  }

  /** Whether lists from a certain state have pages. */
  get hasPages(): boolean {
    return this.#settings.list.pageSize > 0 || this.#paginates;
  }

  /**
   * Page size of a list from this version. A limit makes the server read around its watch cache,
   * except for "0", where it is ignored (client-go `list`, tools/cache/reflector.go).
   */
  pageSizeFor(resourceVersion: string): number {
    const { pageSize } = this.#settings.list;
    if (pageSize !== 0) return pageSize;
    const isFree = this.#paginates || resourceVersion === "" || resourceVersion === "0";
    return isFree ? defaultPageSize : 0;
  }

  notePages(): void {
    this.#paginates = true;
  }

  noteStreamRefused(): void {
    const { clock, list } = this.#settings;
    this.#refusedUntilMs = clock.now() + list.watchListRetryMs;
  }
}
