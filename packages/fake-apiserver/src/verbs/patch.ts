import { contentType, readBody } from "../http/body.ts";
import type { Answer } from "../http/answer.ts";
import type { JsonObject } from "../json.ts";
import { applyJsonPatch, decodeJsonPatch } from "../patch/json-patch.ts";
import { applyMergePatch, decodeMergePatch } from "../patch/merge-patch.ts";
import { badRequest, notFound, unsupportedMediaType } from "../status/errors.ts";
import { isApiObject, storageKey } from "../storage/stored-version.ts";
import { applyUpdate } from "./apply-update.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { checkAddress } from "./update.ts";

const patchTypes: readonly string[] = [
  "application/json-patch+json",
  "application/merge-patch+json",
];

type PatchFunction = (object: JsonObject) => unknown;

/** PATCH of an object. */
export async function patchObject(request: ResourceRequest): Promise<Answer> {
  const { definition, info, presenter, store } = request;
  const type = contentType(info.request);
  if (!patchTypes.includes(type)) throw unsupportedMediaType(patchTypes);
  const patch = decodePatch(type, await readBody(request));
  const existing = store.get(storageKey(info.namespace, info.name));
  if (existing === undefined) throw notFound(definition, info.name);
  const patched = patch(presenter.object(existing));
  if (!isApiObject(patched)) throw badRequest("the patched object has no metadata");
  checkAddress(request, patched.metadata);
  return applyUpdate(request, existing, patched);
}

function decodePatch(type: string, text: string): PatchFunction {
  if (type === "application/merge-patch+json") {
    const { patch } = decodeMergePatch(text);
    return (object) => applyMergePatch(object, patch);
  }
  const { operations } = decodeJsonPatch(text);
  return (object) => applyJsonPatch(object, operations);
}
