import { isPromiseLike } from "../base/values.ts";
import type { InitialList } from "./initial-list.ts";

/**
 * Passes an item that has left the queue to a processor, and counts it as finished when the
 * processor ends, even if it fails. Creates neither a promise, unless the processor does, nor an
 * object: every pop runs this.
 *
 * @param initialCount number of items in `item` that belong to the first list
 * @param recover handles a failure; the caller of pop gets the error that it throws, otherwise the
 *   pop succeeds
 */
export function processItem<Item>(
  process: (item: Item, isInInitialList: boolean) => void | Promise<void>,
  item: Item,
  isInInitialList: boolean,
  initialList: InitialList,
  initialCount: number,
  recover: (error: unknown, item: Item) => void = rethrow,
): Item | Promise<Item> {
  let outcome: void | Promise<void>;
  try {
    outcome = process(item, isInInitialList);
  } catch (error) {
    initialList.finish(initialCount);
    recover(error, item);
    return item;
  }
  if (isPromiseLike(outcome)) return finishLater(outcome, item, initialList, initialCount, recover);
  initialList.finish(initialCount);
  return item;
}

async function finishLater<Item>(
  outcome: PromiseLike<unknown>,
  item: Item,
  initialList: InitialList,
  initialCount: number,
  recover: (error: unknown, item: Item) => void,
): Promise<Item> {
  try {
    await outcome;
    initialList.finish(initialCount);
  } catch (error) {
    initialList.finish(initialCount);
    recover(error, item);
  }
  return item;
}

function rethrow(error: unknown): never {
  throw error;
}
