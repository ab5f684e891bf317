import type { Steps } from "../base/steps.ts";
import type { Result } from "../output/result.ts";
import type { ApiObject, ApiObjectMeta } from "../api/api-object.ts";
import type { ResourceDefinition } from "../api/resource-definition.ts";
import { badRequest, notFound } from "../api/errors.ts";
import { type ObjectAddress, storageKey } from "../storage/stored-object.ts";
import { withoutRepeatedOwners } from "../validation/owner-references.ts";
import { applyUpdate, checkAbsentUid, checkUid, checkVersionText } from "./apply-update.ts";
import { checkNamespaceOf, insertObject } from "./create.ts";
import { decodeObject } from "../input/decode-object.ts";
import { inRequestVersion, runWrite } from "./run-write.ts";
import { updateWriter } from "./field-writers.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { checkWriteOptions } from "../input/write-options.ts";

/** PUT of an object or its status. */
export async function updateObject(request: ResourceRequest): Promise<Result> {
  const { body, core, definition, info, store, warnings } = request;
  checkWriteOptions(info.query, "UpdateOptions");
  const sent = await decodeObject(request, body, { query: info.query, warnings });
  checkAddress(definition, info, sent.metadata);
  const writer = await updateWriter(request, info, core.clock);
  return runWrite(function* (): Steps<Result> {
    const found = store.get(storageKey(info.namespace, info.name));
    if (found === undefined) {
      if (!definition.createOnUpdate || info.subresource !== "")
        throw notFound(definition, info.name);
      checkVersionText(sent.metadata);
      checkAbsentUid(definition, info, sent.metadata);
      const stored = yield* insertObject(request, core, info, sent, writer);
      return { type: "object", code: 201, stored };
    }
    checkUid(definition, found, sent.metadata);
    const existing = yield* inRequestVersion(request, found);
    const unique = withoutRepeatedOwners(sent, warnings, "");
    const placed = placeObject(info.namespace, unique);
    return yield* applyUpdate(request, info.subresource, existing, placed, writer);
  });
}

/** The object with the namespace of the address. */
export function placeObject(namespace: string, object: ApiObject): ApiObject {
  const { namespace: _namespace, ...metadata } = object.metadata;
  return { ...object, metadata: namespace === "" ? metadata : { ...metadata, namespace } };
}

/**
 * Compares the name and namespace of an object with those of the address.
 *
 * @throws {ApiError} 400 when they differ
 */
export function checkAddress(
  definition: ResourceDefinition,
  { name, namespace }: ObjectAddress,
  metadata: ApiObjectMeta,
): void {
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
  checkNamespaceOf(definition, namespace, metadata);
}
