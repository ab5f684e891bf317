import { recordOf } from "@listwatch/core-fifo/base";
import { runSteps, type Steps } from "../base/steps.ts";
import type { Result } from "../output/result.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ScalePaths } from "../api/resource-definition.ts";
import { ApiError } from "../api/api-error.ts";
import { badRequest } from "../api/errors.ts";
import { conform, decodeObject } from "../input/decode-object.ts";
import { checkUid } from "./apply-update.ts";
import { applyScale } from "./apply-scale.ts";
import { scaleWriter } from "./scale-writer.ts";
import { existingObject, readObject } from "./get.ts";
import { loadDecoder } from "../schema/object-decoder.ts";
import { applyType, checkPatchedKind, patchReader, patchType } from "./patch.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { inRequestVersion, runWrite } from "./run-write.ts";
import {
  changedScaleOf,
  readReplicas,
  scaleAnswer,
  scaleApiVersion,
  scaleKind,
  scaleOf,
  scaleTarget,
  writeReplicas,
} from "./scale-object.ts";
import { invalidPatch, reportStrictErrors } from "../input/field-validation.ts";
import { checkWriteOptions } from "../input/write-options.ts";

/** GET of a scale subresource. */
export async function getScale(request: ResourceRequest, paths: ScalePaths): Promise<Result> {
  const stored = await readObject(request, request.info);
  return scaleAnswer(scaleOf(await runSteps(inRequestVersion(request, stored)), paths));
}

/** PUT of a scale subresource. The version of the object counts only if it is given. */
export async function updateScale(request: ResourceRequest, paths: ScalePaths): Promise<Result> {
  const { definition, info, store } = request;
  checkWriteOptions(info.query, "UpdateOptions");
  const scale = await decodeScale(request);
  const writer = await scaleWriter(request, info, paths);
  return runWrite(function* (): Steps<Result> {
    const existing = yield* inRequestVersion(request, existingObject(definition, store, info));
    const replicas = readReplicas(definition, info, existing, scale);
    checkUid(definition, existing, scale.metadata);
    return yield* writeReplicas(request, paths, existing, replicas, writer);
  });
}

async function decodeScale({
  body,
  definition,
  info: { query },
  warnings,
}: ResourceRequest): Promise<ApiObject> {
  try {
    return await decodeObject(scaleTarget, body, { query, warnings });
  } catch (error) {
    if (!definition.custom || !(error instanceof ApiError) || error.code !== 400) throw error;
    // The server of custom resources does not know the kind, so its message cannot describe the
    // error.
    throw badRequest(
      'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"',
    );
  }
}

/** PATCH of a scale subresource. */
export async function patchScale(request: ResourceRequest, paths: ScalePaths): Promise<Result> {
  const { body, definition, info, store, warnings } = request;
  if (body.type === applyType) return applyScale(request, paths);
  const type = patchType(body.type, definition.custom);
  const text = await body.text();
  const decoder = await loadDecoder(scaleApiVersion, scaleKind);
  checkWriteOptions(info.query, "PatchOptions");
  const writer = await scaleWriter(request, info, paths);
  const read = await patchReader(type);
  return runWrite(function* (): Steps<Result> {
    const existing = yield* inRequestVersion(request, existingObject(definition, store, info));
    const patch = read(text, decoder);
    const patched = patch.apply(changedScaleOf(existing, paths));
    const errorOf = (why: string): Error => invalidPatch(patch.show(patched), why);
    if (patch.from === "json") checkPatchedKind(scaleTarget, recordOf(patched), decoder, errorOf);
    const options = { decoder, from: patch.from };
    const decoded = conform(scaleTarget, recordOf(patched), undefined, errorOf, options);
    const strictErrors = [...patch.strictErrors, ...decoded.strictErrors];
    reportStrictErrors({ query: info.query, warnings }, strictErrors, errorOf);
    const replicas = readReplicas(definition, info, existing, decoded.object);
    return yield* writeReplicas(request, paths, existing, replicas, writer);
  });
}
