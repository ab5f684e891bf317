import type { RequestOptions } from "@listwatch/client";
import type { Clock } from "@listwatch/core-fifo";

/** The methods of a resource client that accept objects of any type. */
export interface ObjectPatcher<T> {
  readonly clock?: Clock | undefined;
  get(key: string, options: RequestOptions): Promise<T>;
  patch(key: string, patch: object, options: RequestOptions): Promise<T>;
  patchStatus(key: string, patch: object, options: RequestOptions): Promise<T>;
}
