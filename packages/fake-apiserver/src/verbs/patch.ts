import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { loadOnce } from "../base/load-once.ts";
import type { Steps } from "../base/steps.ts";
import type { Result } from "../output/result.ts";
import { applyMergePatch, decodeMergePatch, decodeStrategicPatch } from "../input/merge-patch.ts";
import { goPrint } from "../base/go-print.ts";
import { unsupportedMediaType, unsupportedPatchType } from "../api/errors.ts";
import { goTypeOf } from "../input/decode.ts";
import { applyUpdate } from "./apply-update.ts";
import {
  conform,
  type DecodedFrom,
  kindComplaint,
  type ObjectDecoder,
  schemaOf,
} from "../input/decode-object.ts";
import { invalidPatch, reportStrictErrors } from "../input/field-validation.ts";
import { existingObject } from "./get.ts";
import { updateWriter } from "./field-writers.ts";
import type { FieldWriter } from "../ownership/field-writer.ts";
import type { ResourceRequest } from "./resource-request.ts";
import { inRequestVersion, runWrite } from "./run-write.ts";
import { checkAddress, placeObject } from "./update.ts";
import { checkWriteOptions } from "../input/write-options.ts";

/** The media type of server-side apply. */
export const applyType = "application/apply-patch+yaml";
const jsonPatchType = "application/json-patch+json";
const mergePatchType = "application/merge-patch+json";
const strategicPatchType = "application/strategic-merge-patch+json";
// A custom resource's error also names the type of server-side apply.
const customTypes: readonly string[] = [jsonPatchType, mergePatchType, applyType];
const builtinTypes: readonly string[] = [jsonPatchType, mergePatchType, strategicPatchType];

const loadApply = loadOnce(() => import("./apply.ts"));
const loadJsonPatch = loadOnce(() => import("../input/json-patch.ts"));

/** A patch that has been read. */
export interface DecodedPatch {
  readonly strictErrors: readonly string[];
  /** Decoder whose messages describe a result that is not an object of the resource. */
  readonly from: DecodedFrom;
  /** @throws {ApiError} when it cannot be applied */
  apply(object: JsonObject): unknown;
  /** How errors show the patch, after it has been applied. */
  show(patched: unknown): string;
}

/** PATCH of an object or its status. */
export async function patchObject(request: ResourceRequest): Promise<Result> {
  const { body, core, definition, info, strategy } = request;
  if (body.type === applyType) {
    const { applyObject } = await loadApply();
    return applyObject(request);
  }
  const type = patchType(body.type, definition.custom);
  const text = await body.text();
  const decoder = await strategy.decoder?.(request.served);
  checkWriteOptions(info.query, "PatchOptions");
  const writer = await updateWriter(request, info, core.clock);
  const read = await patchReader(type);
  const patch = read(text, decoder);
  return runWrite(() => applyPatch(request, patch, decoder, writer));
}

function* applyPatch(
  request: ResourceRequest,
  patch: DecodedPatch,
  decoder: ObjectDecoder | undefined,
  writer: FieldWriter,
): Steps<Result> {
  const { definition, info, presenter, store, warnings } = request;
  const existing = yield* inRequestVersion(request, existingObject(definition, store, info));
  const patched = patch.apply(presenter.object(existing));
  const errorOf = (why: string): Error => invalidPatch(patch.show(patched), why);
  if (!isRecord(patched)) {
    throw errorOf(
      `json: cannot unmarshal ${goTypeOf(patched)} into Go value of type map[string]interface {}`,
    );
  }
  const { from } = patch;
  if (from === "json") checkPatchedKind(request, patched, decoder, errorOf);
  const served = schemaOf(request, patched);
  const { object, strictErrors } = conform(request, patched, served, errorOf, { decoder, from });
  const validation = { query: info.query, warnings };
  reportStrictErrors(validation, [...patch.strictErrors, ...strictErrors], errorOf);
  checkAddress(definition, info, object.metadata);
  const placed = placeObject(info.namespace, object);
  return yield* applyUpdate(request, info.subresource, existing, placed, writer);
}

/**
 * Refuses a patch that makes another kind of a built-in object. What it leaves out counts as kept.
 *
 * @param errorOf makes the error of a complaint
 */
export function checkPatchedKind(
  target: Parameters<typeof kindComplaint>[0],
  patched: JsonObject,
  decoder: ObjectDecoder | undefined,
  errorOf: (why: string) => Error,
): void {
  if (decoder === undefined) return;
  const names = [patched["apiVersion"], patched["kind"]];
  if (names.some((name) => typeof name !== "string" || name === "")) return;
  const why = kindComplaint(target, patched, decoder);
  if (why !== undefined) throw errorOf(why);
}

/**
 * The media type of a patch.
 *
 * @param type the media type of the body
 * @param custom whether the patch is for a custom resource
 * @throws {ApiError} 415 for types that are not served
 */
export function patchType(type: string, custom: boolean): string {
  if (type === strategicPatchType ? !custom : builtinTypes.includes(type)) return type;
  throw custom ? unsupportedMediaType(customTypes) : unsupportedPatchType();
}

/** Reads the body of a patch. @throws {ApiError} 400 */
export type PatchReader = (text: string, decoder?: ObjectDecoder) => DecodedPatch;

/**
 * Returns the reader of patches of a media type. A strategic merge patch needs the decoder of its
 * type.
 */
export async function patchReader(type: string): Promise<PatchReader> {
  if (type === jsonPatchType) {
    const { applyJsonPatch, decodeJsonPatch } = await loadJsonPatch();
    return (text) => {
      const { operations, strictErrors } = decodeJsonPatch(text);
      return patchOf(strictErrors, (object) => applyJsonPatch(object, operations));
    };
  }
  return (text, decoder) => {
    if (type === strategicPatchType && decoder !== undefined) return strategic(text, decoder);
    const { patch, strictErrors } = decodeMergePatch(text);
    return patchOf(strictErrors, (object) => applyMergePatch(object, patch));
  };
}

function patchOf(
  strictErrors: readonly string[],
  apply: (object: JsonObject) => unknown,
): DecodedPatch {
  return { strictErrors, from: "json", apply, show: (patched) => JSON.stringify(patched) };
}

function strategic(text: string, decoder: ObjectDecoder): DecodedPatch {
  const { patch, strictErrors } = decodeStrategicPatch(text);
  return {
    strictErrors,
    from: "patch",
    apply: ({ apiVersion, kind, ...object }) => {
      const merged = decoder.merge(object, patch);
      // A patch cannot change the kind of an object.
      return { ...merged, apiVersion, kind };
    },
    show: () => goPrint(patch),
  };
}
