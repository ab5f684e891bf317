/**
 * An item in the hands of a worker. Until it is done, no other worker gets the item.
 *
 * ```ts
 * import { WorkQueue } from "@listwatch/workqueue";
 *
 * const queue = new WorkQueue<string>();
 * queue.add("default/web");
 * {
 *   using lease = await queue.get();
 *   console.assert(lease?.item === "default/web");
 * } // done here, also when the block throws
 * ```
 */
export interface Lease<T> extends Disposable {
  readonly item: T;
  /** Gives the item back; it is queued again if it was added meanwhile. Idempotent. */
  done(): void;
}
