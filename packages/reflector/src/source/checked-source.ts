import { describeValue } from "@listwatch/core-fifo";
import { NotAListError, type WatchEvent } from "@listwatch/client";
import { NotAWatchError } from "../errors.ts";
import type { ListResult, WatchStream } from "./lister-watcher.ts";

/**
 * The items of what a lister-watcher gave, which may be a program's own and not compiled against
 * the types.
 *
 * @throws {NotAListError} if there are none
 */
export function itemsOf<T>(result: ListResult<T> | null | undefined): ListResult<T>["items"] {
  const items = result?.items;
  if (items !== undefined && (Array.isArray(items) || isAsyncIterable(items))) return items;
  throw new NotAListError(describeValue(result));
}

/**
 * The reader of what a lister-watcher gave for a watch.
 *
 * @throws {NotAWatchError} if it cannot be iterated
 */
export function eventsOf<T>(
  stream: WatchStream<T>,
): AsyncIterator<WatchEvent<T> | readonly WatchEvent<T>[]> {
  if (isAsyncIterable(stream)) return stream[Symbol.asyncIterator]();
  throw new NotAWatchError(describeValue(stream));
}

function isAsyncIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
