import { QueueClosedError } from "./queue.ts";

/**
 * Pops items until the queue is closed and empty. An item counts as processed when its consumer
 * asks for the next one or ends the loop.
 *
 * @param pop pops once with the given processor
 * @param describe creates the value for the loop
 */
export async function* iterate<Item, Popped>(
  pop: (process: (item: Item, isInInitialList: boolean) => Promise<void>) => unknown,
  describe: (item: Item, isInInitialList: boolean) => Popped,
): AsyncGenerator<Popped, undefined> {
  for (;;) {
    const processed = Promise.withResolvers<void>();
    const popped = Promise.withResolvers<Popped>();
    const popOnce = async (): Promise<void> => {
      await pop((item, isInInitialList) => {
        popped.resolve(describe(item, isInInitialList));
        return processed.promise;
      });
    };
    // The pop ends when its item is processed, so it only fails without an item.
    const ended = popOnce();
    ended.catch(popped.reject);
    let next: Popped;
    try {
      next = await popped.promise;
    } catch (error) {
      if (error instanceof QueueClosedError) return undefined;
      throw error;
    }
    try {
      yield next;
    } finally {
      processed.resolve();
      // The next pop must find this item counted.
      await ended;
    }
  }
}
