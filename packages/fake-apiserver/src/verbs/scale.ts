import { isRecord, recordOf } from "@listwatch/core-fifo/base";
import { textOf } from "../base/go-text.ts";
import type { Result } from "../output/result.ts";
import type { ScalePaths } from "../api/resource-definition.ts";
import { badRequest } from "../api/errors.ts";
import { decodeBody } from "../input/decode-body.ts";
import { applyType } from "./apply.ts";
import { applyScale } from "./apply-scale.ts";
import { scaleWriter } from "./field-writers.ts";
import { existingObject, readObject } from "./get.ts";
import { loadDecoder } from "../schema/object-decoder.ts";
import { decodePatch, patchType } from "./patch.ts";
import type { ResourceRequest } from "./resource-request.ts";
import {
  changedScaleOf,
  readReplicas,
  scaleAnswer,
  scaleApiVersion,
  scaleKind,
  scaleOf,
  writeReplicas,
} from "./scale-object.ts";
import { invalidPatch } from "../input/field-validation.ts";
import { checkWriteOptions } from "../input/write-options.ts";

/** GET of a scale subresource. */
export async function getScale(request: ResourceRequest, paths: ScalePaths): Promise<Result> {
  return scaleAnswer(scaleOf(await readObject(request, request.info), paths));
}

/** PUT of a scale subresource. The version of the object counts only if it is given. */
export async function updateScale(request: ResourceRequest, paths: ScalePaths): Promise<Result> {
  const { body, definition, info, store } = request;
  checkWriteOptions(info.query, "UpdateOptions");
  const { value } = await decodeBody(body, { apiVersion: scaleApiVersion, kind: scaleKind });
  // The address says what it is, too.
  const { apiVersion = scaleApiVersion, kind = scaleKind } = recordOf(value);
  if (!isRecord(value) || kind !== scaleKind || apiVersion !== scaleApiVersion) {
    throw badRequest(
      `${textOf(kind)} in version ${JSON.stringify(apiVersion)} cannot be handled as a ${scaleKind}`,
    );
  }
  const writer = await scaleWriter(request, info);
  const existing = existingObject(definition, store, info);
  const replicas = readReplicas(definition, info, existing, value);
  return writeReplicas(request, paths, existing, replicas, writer);
}

/** PATCH of a scale subresource. */
export async function patchScale(request: ResourceRequest, paths: ScalePaths): Promise<Result> {
  const { body, definition, info, store } = request;
  if (body.type === applyType) return applyScale(request, paths);
  const type = patchType(body.type, definition.custom);
  const text = await body.text();
  const decoder = await loadDecoder(scaleApiVersion, scaleKind);
  checkWriteOptions(info.query, "PatchOptions");
  const writer = await scaleWriter(request, info);
  const existing = existingObject(definition, store, info);
  const patch = decodePatch(type, text, decoder);
  const patched = patch.apply(changedScaleOf(existing, paths));
  const errorOf = (why: string): Error => invalidPatch(patch.show(patched), why);
  const replicas = readReplicas(definition, info, existing, recordOf(patched), errorOf);
  return writeReplicas(request, paths, existing, replicas, writer);
}
