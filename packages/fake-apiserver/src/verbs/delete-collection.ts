import type { Result } from "../output/result.ts";
import { readDeleteOptions } from "../input/delete-options.ts";
import { deleteStored } from "./delete.ts";
import { readList } from "./list.ts";
import type { ResourceRequest } from "./resource-request.ts";

/**
 * DELETE of a collection: one object after the other, and the list of what was there as the answer
 * .
 */
export async function deleteCollection(request: ResourceRequest): Promise<Result> {
  const options = await readDeleteOptions(request.body, request.info.query);
  const { metadata, objects } = await readList(request);
  for (const { key } of objects) {
    const existing = request.store.get(key);
    if (existing !== undefined) deleteStored(request, existing, options);
  }
  return { type: "list", objects, metadata };
}
