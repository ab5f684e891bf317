import type { ListContext, ListMeta, ListOptions, WatchOptions } from "@listwatch/client";
import { compareResourceVersions, type KubernetesObject } from "@listwatch/core-fifo";
import {
  describeObjectName,
  describeValue,
  isRecord,
  metadataOf,
  TimeBudget,
  type Clock,
} from "@listwatch/core-fifo/base";
import type { ListerWatcher, ListResult, WatchStream } from "@listwatch/reflector";
import { LabelSelector } from "@listwatch/store-indexer";
import { itemToWire, toWire } from "../wire/to-wire.ts";
import { errorOfList } from "./refused-error.ts";
import type { ListPromise } from "./verbs.ts";

export interface ListFunctionWatcherParts {
  readonly list: ListPromise<unknown>;
  readonly watcher: ListerWatcher<KubernetesObject>;
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

/** Lists with a user-supplied function, and watches over a connection. */
export class ListFunctionWatcher implements ListerWatcher<KubernetesObject> {
  /** A list function cannot stream its list. */
  readonly watchListSupported: boolean = false;
  readonly #parts: ListFunctionWatcherParts;
  readonly #selector: LabelSelector | undefined;
  #olderInARow = 0;

  /** @throws {InvalidSelectorError} if the label selector is invalid */
  constructor(parts: ListFunctionWatcherParts) {
    const { labelSelector } = parts;
    this.#parts = parts;
    this.#selector = labelSelector === undefined ? undefined : LabelSelector.parse(labelSelector);
  }

  async list(_options: ListOptions): Promise<ListResult<KubernetesObject>> {
    let list: unknown;
    try {
      list = await this.#parts.list();
    } catch (error) {
      throw errorOfList(error, this.#parts.clock.now());
    }
    if (!isRecord(list) || !Array.isArray(list["items"])) {
      const got = describeValue(list);
      throw new TypeError(`Cannot list: expected listPromiseFn to give a list, got ${got}`);
    }
    const { apiVersion, items, kind } = list;
    const metadata = this.#metadataOf(list["metadata"], items.length);
    this.#checkAge(metadata.resourceVersion ?? "");
    return {
      ...(typeof apiVersion === "string" && { apiVersion }),
      ...(typeof kind === "string" && { kind }),
      metadata,
      items: this.#itemsOf(items, {
        apiVersion: typeof apiVersion === "string" ? apiVersion : undefined,
        kind: typeof kind === "string" ? kind : undefined,
      }),
    };
  }

  async watch(
    options: WatchOptions,
    context: ListContext<KubernetesObject>,
  ): Promise<WatchStream<KubernetesObject>> {
    return this.#parts.watcher.watch(options, context);
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
   * server that was restored from a backup stays behind, so the number of refusals is limited.
   *
   * @throws {Error} if a later list may be newer
   */
  #checkAge(resourceVersion: string): void {
    const held = this.#parts.version();
    const isOlder = isBelow(resourceVersion, held) && this.#olderInARow < maxOlder;
    this.#olderInARow = isOlder ? this.#olderInARow + 1 : 0;
    if (!isOlder) return;
    throw new Error(
      `Cannot use a list that is older than the cache: expected resourceVersion ${held} or ` +
        `later, got ${resourceVersion}`,
    );
  }

  #report(reason: string, message: string): void {
    this.#parts.report(reason, new Error(message));
  }
}

function isBelow(resourceVersion: string, held: string): boolean {
  try {
    return compareResourceVersions(resourceVersion, held) < 0;
  } catch {
    // Versions that are not numbers cannot be compared.
    return false;
  }
}
