import { isPromiseLike } from "../base/values.ts";

/** How an item is processed. */
export interface Processing<Item> {
  readonly item: Item;
  readonly isInInitialList: boolean;
  /** Called once when the processor has succeeded or failed. */
  finish(): void;
  /**
   * Called with what the processor threw. What it throws itself goes to the caller of pop,
   * otherwise the pop succeeds.
   */
  recover?(error: unknown): void;
}

/**
 * Hands an item that has left the queue to a processor. Makes no promise if the processor makes
 * none.
 */
export function processItem<Item>(
  process: (item: Item, isInInitialList: boolean) => void | Promise<void>,
  processing: Processing<Item>,
): Item | Promise<Item> {
  let outcome: void | Promise<void>;
  try {
    outcome = process(processing.item, processing.isInInitialList);
  } catch (error) {
    return fail(error, processing);
  }
  if (isPromiseLike(outcome)) return finishLater(outcome, processing);
  processing.finish();
  return processing.item;
}

async function finishLater<Item>(
  outcome: PromiseLike<unknown>,
  processing: Processing<Item>,
): Promise<Item> {
  try {
    await outcome;
  } catch (error) {
    return fail(error, processing);
  }
  processing.finish();
  return processing.item;
}

function fail<Item>(error: unknown, processing: Processing<Item>): Item {
  processing.finish();
  if (processing.recover === undefined) throw error;
  processing.recover(error);
  return processing.item;
}
