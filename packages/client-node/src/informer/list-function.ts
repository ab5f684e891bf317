import type { ListMeta } from "@listwatch/client";
import { type KubernetesObject } from "@listwatch/core-fifo";
import {
  describeObjectName,
  describeValue,
  isRecord,
  metadataOf,
  TimeBudget,
  type Clock,
  type JsonObject,
  isBelow,
} from "@listwatch/core-fifo/base";
import type { ListerWatcher, ListResult } from "@listwatch/reflector";
import { LabelSelector } from "@listwatch/store-indexer";
import { itemToWire, toWire } from "../wire/to-wire.ts";
import { errorOfList } from "./refused-error.ts";
import type { ListPromise } from "./verbs.ts";

export interface ListFunctionParts {
  readonly list: ListPromise<unknown>;
  /** The selector of the watches, which lists are compared with. */
  readonly labelSelector: string | undefined;
  readonly clock: Clock;
  /** The resourceVersion of the cache; `""` if it is empty. */
  readonly version: () => string;
  /** Called with a problem of a list. Equal problems have the same `reason`. */
  readonly report: (reason: string, error: Error) => void;
}

/** Consecutive lists that are refused for being older than the cache. The sixth is accepted. */
const maxOlder = 5;

/** A list as the function returned it. */
interface ReturnedList {
  readonly list: JsonObject;
  readonly items: readonly unknown[];
  readonly metadata: ListMeta;
}

/** Lists with a user-supplied function. */
export class ListFunction {
  readonly #parts: ListFunctionParts;
  readonly #selector: LabelSelector | undefined;
  #olderInARow = 0;
  /** The resourceVersion of the last list; `undefined` before it. */
  #lastVersion: string | undefined;
  /** An accepted list that is older than the cache, until a watch continues it. */
  #older: ReturnedList | undefined;

  constructor(parts: ListFunctionParts) {
    this.#parts = parts;
    this.#selector = parseSelector(parts.labelSelector);
  }

  /** Whether a list is in use that is older than the cache. */
  get isOlderInUse(): boolean {
    return this.#older !== undefined;
  }

  /** Calls the function for lists; watches go to `watcher`. */
  over(watcher: ListerWatcher<KubernetesObject>): ListerWatcher<KubernetesObject> {
    this.#older = undefined;
    return {
      // A function cannot stream its list.
      watchListSupported: false,
      list: () => this.#list(),
      watch: (options, context) => {
        this.#older = undefined;
        return watcher.watch(options, context);
      },
    };
  }

  async #list(): Promise<ListResult<KubernetesObject>> {
    // The reflector lists again when versions went back. The function has just been called.
    const { items, list, metadata } = this.#older ?? (await this.#call());
    const { apiVersion, kind } = list;
    const type = {
      ...(typeof apiVersion === "string" && { apiVersion }),
      ...(typeof kind === "string" && { kind }),
    };
    return { ...type, metadata, items: this.#itemsOf(items, type) };
  }

  async #call(): Promise<ReturnedList> {
    let list: unknown;
    try {
      list = await this.#parts.list();
    } catch (error) {
      throw errorOfList(error, this.#parts.clock.now());
    }
    const items = isRecord(list) ? itemsOf(list) : undefined;
    if (!isRecord(list) || items === undefined) {
      const got = describeValue(list);
      throw new TypeError(`Cannot list: expected listPromiseFn to give a list, got ${got}`);
    }
    const metadata = this.#metadataOf(list["metadata"], items.length);
    const returned = { list, items, metadata };
    if (this.#checkAge(metadata.resourceVersion ?? "")) this.#older = returned;
    return returned;
  }

  /** Reports a list with a `continue` token: the function cannot be asked for the next page. */
  #metadataOf(metadata: unknown, count: number): ListMeta {
    const wire = toWire(metadata);
    const { continue: token, resourceVersion } = isRecord(wire) ? wire : {};
    if (typeof token === "string" && token !== "") {
      this.#report(
        "limit",
        `Cannot list everything: listPromiseFn gave ${count} objects and says that there are ` +
          'more; expected a list without a limit, or the option list: "path"',
      );
    }
    return { resourceVersion: typeof resourceVersion === "string" ? resourceVersion : "" };
  }

  async *#itemsOf(
    items: readonly unknown[],
    type: Parameters<typeof itemToWire>[1],
  ): AsyncGenerator<readonly KubernetesObject[]> {
    const budget = new TimeBudget({ clock: this.#parts.clock, itemsPerLook: 32 });
    let batch: KubernetesObject[] = [];
    for (const item of items) {
      const object: KubernetesObject = itemToWire(item, type);
      this.#compare(object);
      batch.push(object);
      if (!budget.count()) continue;
      yield batch;
      batch = [];
      await budget.nextTurn();
    }
    yield batch;
  }

  #compare(object: KubernetesObject): void {
    if (this.#selector?.matches(metadataOf(object)?.labels) !== false) return;
    this.#report(
      "selector",
      `Cannot follow all that is listed: expected listPromiseFn to list what the label selector ` +
        `"${this.#parts.labelSelector}" selects, got ${describeObjectName(object)} too, whose ` +
        'changes are not watched; give the function the same selector, or use the option list: "path"',
    );
  }

  /**
   * Refuses a list that is older than the cache: the function may ask a server that lags behind. A
   * function that returns the same version again has no newer list, and a server that was restored
   * from a backup stays behind.
   *
   * @returns whether an accepted list is older
   * @throws {Error} if a later list may be newer
   */
  #checkAge(resourceVersion: string): boolean {
    const held = this.#parts.version();
    const isOlder = isBelow(resourceVersion, held);
    const isRepeated = resourceVersion === this.#lastVersion;
    const isRefused = isOlder && !isRepeated && this.#olderInARow < maxOlder;
    this.#lastVersion = resourceVersion;
    this.#olderInARow = isRefused ? this.#olderInARow + 1 : 0;
    if (!isRefused) return isOlder;
    throw new Error(
      `Cannot use a list that is older than the cache: expected resourceVersion ${held} or ` +
        `later, got ${resourceVersion}`,
    );
  }

  #report(reason: string, message: string): void {
    this.#parts.report(reason, new Error(message));
  }
}

/** Go's API servers send `null` for no items. */
function itemsOf(list: JsonObject): readonly unknown[] | undefined {
  const { items } = list;
  if (Array.isArray(items)) return items;
  return "items" in list && (items === null || items === undefined) ? [] : undefined;
}

/** The server reports an invalid selector when the watch is opened. */
function parseSelector(labelSelector: string | undefined): LabelSelector | undefined {
  try {
    return labelSelector === undefined ? undefined : LabelSelector.parse(labelSelector);
  } catch {
    return undefined;
  }
}
