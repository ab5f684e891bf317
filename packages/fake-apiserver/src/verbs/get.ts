import type { Result } from "../output/result.ts";
import { notFound, tooLargeResourceVersion } from "../api/errors.ts";
import { storageKey, type StoredObject } from "../storage/stored-object.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { awaitRevision, parseRevision } from "./revisions.ts";

/** GET of one object. */
export async function getObject(request: ResourceRequest): Promise<Result> {
  return { type: "object", code: 200, version: await readObject(request) };
}

/**
 * Reads the object a request names, from the state its resourceVersion asks for.
 *
 * @throws {ApiError} 404, 500 for a malformed version, 504 for one from the future
 */
export async function readObject(request: ResourceRequest): Promise<StoredObject> {
  const { core, definition, exchange, info, store } = request;
  const wanted = parseRevision(info.query.get("resourceVersion") ?? "");
  const visible = (): number => exchange.cacheView?.revision ?? core.storage.revision;
  if (wanted.kind === "revision" && !(await awaitRevision(request, wanted.revision, visible))) {
    throw tooLargeResourceVersion(wanted.text, visible());
  }
  const key = storageKey(info.namespace, info.name);
  const cached = wanted.kind !== "unset" || exchange.cacheView?.staleReads === true;
  const found = cached ? store.getAt(key, visible()) : store.get(key);
  if (found === undefined) throw notFound(definition, info.name);
  return found;
}
