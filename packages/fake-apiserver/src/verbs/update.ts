import type { Answer } from "../http/answer.ts";
import { badRequest, notFound } from "../status/errors.ts";
import { storageKey } from "../storage/stored-version.ts";
import { applyUpdate } from "./apply-update.ts";
import { decodeObject } from "./decode-object.ts";
import type { ResourceRequest } from "./resource-request.ts";

/** PUT of an object. */
export async function updateObject(request: ResourceRequest): Promise<Answer> {
  const { definition, info, store } = request;
  const { object } = await decodeObject(request);
  const sent = { ...object, metadata: { ...object.metadata, ...namespaceOf(request) } };
  checkAddress(request, object.metadata);
  const existing = store.get(storageKey(info.namespace, info.name));
  if (existing === undefined) throw notFound(definition, info.name);
  return applyUpdate(request, existing, sent);
}

function namespaceOf(request: ResourceRequest): { namespace?: string } {
  const { namespace } = request.info;
  return namespace === "" ? {} : { namespace };
}

/**
 * Compares the name and namespace of a body with those of the address.
 *
 * @throws {ApiError} 400 when they differ
 */
export function checkAddress(
  request: ResourceRequest,
  metadata: { readonly name?: string; readonly namespace?: string },
): void {
  const { name, namespace } = request.info;
  const { name: sentName = "", namespace: sentNamespace = "" } = metadata;
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
  if (sentNamespace !== "" && sentNamespace !== namespace) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
}
