import type { Result } from "../output/result.ts";
import { notFound, tooLargeResourceVersion } from "../api/errors.ts";
import { storageKey, type StoredObject } from "../storage/stored-object.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { awaitRevision, parseRevision, visibleRevision } from "./revisions.ts";

/** GET of one object. */
export async function getObject(request: ResourceRequest): Promise<Result> {
  return { type: "object", code: 200, stored: await readObject(request) };
}

/**
 * The newest state of the object that a request names.
 *
 * @throws {ApiError} 404
 */
export function existingObject({
  definition,
  info,
  store,
}: Pick<ResourceRequest, "definition" | "info" | "store">): StoredObject {
  const existing = store.get(storageKey(info.namespace, info.name));
  if (existing === undefined) throw notFound(definition, info.name);
  return existing;
}

/**
 * Reads the object a request names, from the state its resourceVersion asks for.
 *
 * @throws {ApiError} 404, 500 for a malformed version, 504 for one from the future
 */
export async function readObject(request: ResourceRequest): Promise<StoredObject> {
  const { definition, exchange, info, store } = request;
  const wanted = parseRevision(info.query.get("resourceVersion") ?? "");
  if (wanted.kind === "revision" && !(await awaitRevision(request, wanted.revision))) {
    throw tooLargeResourceVersion(wanted.text, visibleRevision(request));
  }
  const isCached = wanted.kind !== "unset" || exchange.cacheView?.staleReads === true;
  if (!isCached) return existingObject(request);
  const key = storageKey(info.namespace, info.name);
  const found = store.getAt(key, visibleRevision(request));
  if (found === undefined) throw notFound(definition, info.name);
  return found;
}
