import type { Result } from "../output/result.ts";
import { badRequest, notFound, tooLargeResourceVersion } from "../api/errors.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { isSet, type RequestInfo } from "../input/request-info.ts";
import type { ResourceStore } from "../storage/resource-store.ts";
import { type ObjectAddress, storageKey, type StoredObject } from "../storage/stored-object.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { awaitRevision, parseRevision, type ResourceRead, visibleRevision } from "./revisions.ts";

/** GET of one object. */
export async function getObject(request: ResourceRequest): Promise<Result> {
  return { type: "object", code: 200, stored: await readObject(request, request.info) };
}

/**
 * The newest state of an object.
 *
 * @throws {ApiError} 404
 */
export function existingObject(
  definition: ResourceDefinition,
  store: ResourceStore,
  { name, namespace }: ObjectAddress,
): StoredObject {
  const existing = store.get(storageKey(namespace, name));
  if (existing === undefined) throw notFound(definition, name);
  return existing;
}

/**
 * Reads the object a request names, from the state its resourceVersion asks for.
 *
 * @throws {ApiError} 404, 500 for a malformed version, 504 for one from the future
 */
export async function readObject(target: ResourceRead, info: RequestInfo): Promise<StoredObject> {
  const { definition, exchange, storage, store } = target;
  const { signal } = info.request;
  if (isSet(info.query, "export")) {
    throw badRequest("the export parameter, deprecated since v1.14, is no longer supported");
  }
  const wanted = parseRevision(info.query.get("resourceVersion") ?? "", storage);
  if (wanted.kind === "revision" && !(await awaitRevision(target, wanted.revision, signal))) {
    throw tooLargeResourceVersion(wanted.text, storage.versions.textOf(visibleRevision(target)));
  }
  const isCached = wanted.kind !== "unset" || exchange.cacheView?.staleReads === true;
  if (!isCached) return existingObject(definition, store, info);
  const key = storageKey(info.namespace, info.name);
  const found = store.getAt(key, visibleRevision(target));
  if (found === undefined) throw notFound(definition, info.name);
  return found;
}
