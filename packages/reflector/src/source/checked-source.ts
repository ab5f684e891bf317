import { describeValue } from "@listwatch/core-fifo";
import { NotAListError } from "@listwatch/client";
import type { ListResult } from "./lister-watcher.ts";

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

function isAsyncIterable(value: unknown): boolean {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
