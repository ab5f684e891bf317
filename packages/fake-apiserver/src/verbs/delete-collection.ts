import type { Result } from "../output/result.ts";
import { readDeleteOptions } from "../input/delete-options.ts";
import { deleteStored, warnOfOrphans } from "./delete.ts";
import { readList } from "./list.ts";
import type { ResourceRequest } from "./resource-request.ts";

/** DELETE of a collection: one object after the other; answers with the list of what was there. */
export async function deleteCollection(request: ResourceRequest): Promise<Result> {
  const { body, core, info, store } = request;
  const options = await readDeleteOptions(body, info.query);
  warnOfOrphans(request, options);
  const sharded = core.settings.shardedListAndWatch;
  const { metadata, objects } = await readList(request, info, sharded);
  for (const { key } of objects) {
    const existing = store.get(key);
    if (existing !== undefined) deleteStored(request, existing, options);
  }
  return { type: "list", objects, metadata };
}
