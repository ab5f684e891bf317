import { Deque, aFunction, checkOptions } from "@listwatch/core-fifo/base";
import type { QueueOrdering, WaitingItem } from "./ordering.ts";

/** Options of {@link FairOrdering}. */
export interface FairOrderingOptions<T> {
  /**
   * Returns the tenant of an item.
   *
   * @default the namespace of a key such as `namespace/name`; `""` for a key without one
   */
  readonly tenantOf?: ((item: T) => string) | undefined;
}

interface Tenant<T> {
  readonly name: string;
  readonly items: Deque<WaitingItem<T>>;
}

/**
 * Takes turns between tenants, by default namespaces. A tenant with a million items does not delay
 * the others.
 *
 * Guarantees: while k tenants have waiting items, at most k − 1 items of other tenants leave
 * between two items of one tenant. An item of an idle tenant waits for at most one item of each
 * other tenant. Items of one tenant leave first in, first out. Not guaranteed: equal shares of the
 * workers' time, if the items of one tenant take longer than those of another.
 *
 * ```ts
 * import { FairOrdering, WorkQueue } from "@listwatch/workqueue";
 *
 * const queue = new WorkQueue<string>({ ordering: new FairOrdering() });
 * for (const key of ["noisy/1", "noisy/2", "noisy/3", "quiet/1"]) queue.add(key);
 * queue.shutDown();
 * const order = await Array.fromAsync(queue);
 * console.assert(order.join() === "noisy/1,quiet/1,noisy/2,noisy/3");
 * ```
 */
export class FairOrdering<T = string> implements QueueOrdering<T> {
  readonly #tenantOf: (item: T) => string;
  /** Tenants by name. One without items is removed, so that it takes no memory. */
  readonly #tenants = new Map<string, Tenant<T>>();
  /** The same tenants in the order of their turns. */
  readonly #turns = new Deque<Tenant<T>>();
  #length = 0;

  constructor(options: FairOrderingOptions<T> = {}) {
    checkOptions(options, { tenantOf: aFunction });
    this.#tenantOf = options.tenantOf ?? namespaceOf;
  }

  get length(): number {
    return this.#length;
  }

  push(waiting: WaitingItem<T>): void {
    const name = this.#tenantOf(waiting.item);
    let tenant = this.#tenants.get(name);
    if (tenant === undefined) {
      tenant = { name, items: new Deque() };
      this.#tenants.set(name, tenant);
      this.#turns.push(tenant);
    }
    tenant.items.push(waiting);
    this.#length += 1;
  }

  /** Does nothing: an item keeps its place. */
  touch(_waiting: WaitingItem<T>): void {}

  pop(): WaitingItem<T> | undefined {
    const tenant = this.#turns.shift();
    if (tenant === undefined) return undefined;
    const waiting = tenant.items.shift();
    this.#length -= 1;
    if (tenant.items.length > 0) this.#turns.push(tenant);
    else this.#tenants.delete(tenant.name);
    return waiting;
  }
}

function namespaceOf(item: unknown): string {
  const key = String(item);
  const slash = key.indexOf("/");
  return slash < 0 ? "" : key.slice(0, slash);
}
