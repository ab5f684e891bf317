import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { Result } from "../output/result.ts";
import { applyJsonPatch, decodeJsonPatch } from "../input/json-patch.ts";
import { applyMergePatch, decodeMergePatch } from "../input/merge-patch.ts";
import { unsupportedMediaType } from "../api/errors.ts";
import { goTypeOf } from "../input/decode.ts";
import { applyUpdate } from "./apply-update.ts";
import { conform, schemaOf } from "../input/decode-object.ts";
import { invalidPatch, reportStrictErrors } from "../input/field-validation.ts";
import { existingObject } from "./get.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { checkAddress, placeObject } from "./update.ts";
import { checkWriteOptions } from "../input/write-options.ts";

const jsonPatchType = "application/json-patch+json";
const mergePatchType = "application/merge-patch+json";
// A custom resource's error also names the type of server-side apply.
const customTypes: readonly string[] = [
  jsonPatchType,
  mergePatchType,
  "application/apply-patch+yaml",
];
const builtinTypes: readonly string[] = [jsonPatchType, mergePatchType];

/** A patch that has been read. */
export interface DecodedPatch {
  readonly strictErrors: readonly string[];
  /** @throws {ApiError} 422 when it cannot be applied */
  apply(object: JsonObject): unknown;
}

/** PATCH of an object or its status. */
export async function patchObject(request: ResourceRequest): Promise<Result> {
  const { body, info, presenter, warnings } = request;
  const type = patchType(request);
  const text = await body.text();
  checkWriteOptions(info.query, "PatchOptions");
  const existing = existingObject(request);
  const patch = decodePatch(type, text);
  const patched = patch.apply(presenter.object(existing));
  if (!isRecord(patched)) {
    throw invalidPatch(
      patched,
      `json: cannot unmarshal ${goTypeOf(patched)} into Go value of type map[string]interface {}`,
    );
  }
  const served = schemaOf(request, patched);
  const { object, strictErrors } = conform(request, patched, served, (why) =>
    invalidPatch(patched, why),
  );
  const validation = { query: info.query, warnings };
  reportStrictErrors(validation, [...patch.strictErrors, ...strictErrors], (why) =>
    invalidPatch(patched, why),
  );
  checkAddress(request, object.metadata);
  return applyUpdate(request, existing, placeObject(request.info, object));
}

/**
 * The media type of a patch.
 *
 * @throws {ApiError} 415 for types that are not served
 */
export function patchType({
  body,
  definition,
}: Pick<ResourceRequest, "body" | "definition">): string {
  const { type } = body;
  if (builtinTypes.includes(type)) return type;
  throw unsupportedMediaType(definition.custom ? customTypes : builtinTypes);
}

/** Reads the body of a patch. @throws {ApiError} 400 */
export function decodePatch(type: string, text: string): DecodedPatch {
  if (type === mergePatchType) {
    const { patch, strictErrors } = decodeMergePatch(text);
    return { strictErrors, apply: (object) => applyMergePatch(object, patch) };
  }
  const { operations, strictErrors } = decodeJsonPatch(text);
  return { strictErrors, apply: (object) => applyJsonPatch(object, operations) };
}
