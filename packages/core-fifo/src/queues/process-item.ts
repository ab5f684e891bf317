import { isPromiseLike } from "../base/values.ts";
import type { InitialList } from "./initial-list.ts";

/**
 * Hands an item that has left the queue to a processor, and counts it as finished when the
 * processor is done with it, also when that fails. Makes no promise if the processor makes none,
 * and no object of its own: this is the way of every pop.
 *
 * @param initialCount how many of the items in `item` belong to the first list
 * @param recover decides about a failure: what it throws goes to the caller of pop, otherwise the
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
