import { UnsupportedTableError } from "../errors.ts";
import { type ListOptions, isExpired, isTooLargeResourceVersion } from "@listwatch/client";
import type { ListContext, ListResult } from "../source/lister-watcher.ts";
import { Pager, type PagedList } from "../source/pager.ts";
import { itemsOf } from "../source/checked-source.ts";
import { leave } from "../internal/leave.ts";
import type { PhaseEnd } from "./phase-end.ts";
import type { ReflectorCore } from "./reflector-core.ts";
import { RequestScope } from "./request-scope.ts";
import { isTable } from "./type-guard.ts";

/** client-go `defaultPageSize`, tools/pager/pager.go. */
const defaultPageSize = 500;

/** Longer than this and client-go logs a trace (REF-20). */
export const slowListMs = 10_000;

/** Lists the collection and hands it to the store. */
export class ListPhase<T> {
  readonly #core: ReflectorCore<T>;

  constructor(core: ReflectorCore<T>) {
    this.#core = core;
  }

  async run(signal: AbortSignal): Promise<PhaseEnd> {
    const core = this.#core;
    core.phase = "listing";
    core.metrics.lists?.inc();
    const startMs = core.clock.now();
    let list: PagedList<T>;
    try {
      list = await this.#list(signal);
      if (isTable(list.apiVersion, list.kind)) {
        throw new UnsupportedTableError(list.apiVersion ?? "no version");
      }
    } catch (error) {
      if (signal.aborted) return { kind: "stopped" };
      core.report(error, "list", "relist");
      return { kind: "failed", error };
    }
    if (signal.aborted) return { kind: "stopped" };
    core.unavailable = false;
    return this.#replace(list, startMs);
  }

  #replace(list: PagedList<T>, startMs: number): PhaseEnd {
    const core = this.#core;
    const { items, paginated } = list;
    const resourceVersion = list.metadata?.resourceVersion ?? "";
    const listMs = core.clock.now() - startMs;
    try {
      core.store.replace(items, resourceVersion);
    } catch (error) {
      core.report(error, "replace", "relist");
      return { kind: "failed", error };
    }
    core.replaced(resourceVersion);
    core.metrics.listDuration?.observe(listMs / 1000);
    core.metrics.itemsPerList?.observe(items.length);
    const replaceMs = core.clock.now() - startMs - listMs;
    core.trace({
      kind: "list",
      reflector: core.name,
      items: items.length,
      resourceVersion,
      listMs,
      replaceMs,
      paginated,
      streamed: false,
      slow: listMs + replaceMs > slowListMs,
    });
    return { kind: "done" };
  }

  async #list(signal: AbortSignal): Promise<PagedList<T>> {
    const core = this.#core;
    const resourceVersion = this.#resourceVersion();
    const scope = new RequestScope({
      clock: core.clock,
      parent: signal,
      silenceMs: core.silenceMs,
      what: `Couldn't list for ${core.name}`,
    });
    const pager = new Pager<T>({
      list: (options, context) => this.#page(options, context, scope),
      pageSize: this.#pageSize(resourceVersion),
    });
    // Before the first list there is nothing to find, and looking for it costs a scan of every item.
    const reuse = core.resourceVersion === "" ? undefined : core.store.reuse?.bind(core.store);
    const context = { signal: scope.signal, ...(reuse === undefined ? {} : { reuse }) };
    try {
      const list = await this.#listOrNewest(pager, resourceVersion, context);
      if (resourceVersion === "0" && list.paginated) core.serverPaginates = true;
      return list;
    } finally {
      scope.close();
    }
  }

  async #listOrNewest(
    pager: Pager<T>,
    resourceVersion: string,
    context: ListContext<T>,
  ): Promise<PagedList<T>> {
    try {
      return await pager.list({ resourceVersion }, context);
    } catch (error) {
      if (!isExpired(error) && !isTooLargeResourceVersion(error)) throw error;
      // At once, in the same attempt and with the same page size (REF-14).
      this.#core.report(error, "list", "newest");
      this.#core.unavailable = true;
      return pager.list({ resourceVersion: this.#resourceVersion() }, context);
    }
  }

  /** Never back in time, and from the server's cache if there is nothing to go back from (REF-11). */
  #resourceVersion(): string {
    const { unavailable, resourceVersion } = this.#core;
    if (unavailable) return "";
    return resourceVersion === "" ? "0" : resourceVersion;
  }

  /**
   * A limit makes the server read around its watch cache, except for "0", where it is ignored
   * (REF-12).
   */
  #pageSize(resourceVersion: string): number {
    const { pageSize, serverPaginates } = this.#core;
    if (pageSize !== 0) return pageSize;
    if (serverPaginates) return defaultPageSize;
    return resourceVersion === "" || resourceVersion === "0" ? defaultPageSize : 0;
  }

  /** One page, of which every piece must arrive before the watchdog loses patience. */
  async #page(
    options: ListOptions,
    context: ListContext<T>,
    scope: RequestScope,
  ): Promise<ListResult<T>> {
    const result = await scope.wait(this.#core.listerWatcher.list(options, context));
    const items = itemsOf(result);
    if (!(Symbol.asyncIterator in items)) return result;
    return {
      get apiVersion() {
        return result.apiVersion;
      },
      get kind() {
        return result.kind;
      },
      get metadata() {
        return result.metadata;
      },
      items: guarded(items, scope),
    };
  }
}

async function* guarded<T>(
  batches: AsyncIterable<readonly T[]>,
  scope: RequestScope,
): AsyncGenerator<readonly T[]> {
  const iterator = batches[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await scope.wait(iterator.next());
      if (done === true) return;
      yield value;
    }
  } finally {
    leave(iterator);
  }
}
