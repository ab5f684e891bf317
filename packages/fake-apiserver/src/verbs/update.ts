import type { Result } from "../output/result.ts";
import type { ApiObject, ApiObjectMeta } from "../api/resource-definition.ts";
import { badRequest, notFound } from "../api/errors.ts";
import { storageKey } from "../storage/stored-object.ts";
import { applyUpdate, checkUid } from "./apply-update.ts";
import { checkNamespaceOf, insertObject } from "./create.ts";
import { decodeObject } from "../input/decode-object.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { checkWriteOptions } from "../input/write-options.ts";

/** PUT of an object or its status. */
export async function updateObject(request: ResourceRequest): Promise<Result> {
  const { body, definition, info, store, warnings } = request;
  checkWriteOptions(info.query, "UpdateOptions");
  const sent = await decodeObject(request, body, { query: info.query, warnings });
  checkAddress(request, sent.metadata);
  const existing = store.get(storageKey(info.namespace, info.name));
  if (existing === undefined) {
    if (!definition.createOnUpdate || info.subresource !== "")
      throw notFound(definition, info.name);
    return { type: "object", code: 201, stored: insertObject(request, sent) };
  }
  checkUid(request, existing, sent.metadata);
  return applyUpdate(request, existing, placeObject(info, sent));
}

/** The object with the namespace of the address. */
export function placeObject({ namespace }: ResourceRequest["info"], object: ApiObject): ApiObject {
  const { namespace: _namespace, ...metadata } = object.metadata;
  return { ...object, metadata: namespace === "" ? metadata : { ...metadata, namespace } };
}

/**
 * Compares the name and namespace of an object with those of the address.
 *
 * @throws {ApiError} 400 when they differ
 */
export function checkAddress(
  request: Pick<ResourceRequest, "definition" | "info">,
  metadata: ApiObjectMeta,
): void {
  const { name } = request.info;
  const { name: sentName = "" } = metadata;
  if (sentName === "") {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (sentName !== name) {
    throw badRequest(
      `the name of the object (${sentName}) does not match the name on the URL (${name})`,
    );
  }
  checkNamespaceOf(request, metadata);
}
