import { isRecord, type JsonObject, type MutableJsonObject } from "@listwatch/core-fifo/base";
import { decodeJson, goTypeOf } from "./decode.ts";
import { MalformedBodyError } from "./errors.ts";
import { badRequest } from "../api/errors.ts";
import { compareBytes } from "../base/go-text.ts";
import { memberOf, setMember } from "../base/read-fields.ts";

/** A decoded JSON Merge Patch (RFC 7386). */
export interface MergePatch {
  readonly patch: JsonObject;
  /** Errors of strict field validation: `duplicate field "spec.color"`. */
  readonly strictErrors: readonly string[];
}

/** Decodes the body of a merge patch, which has to be an object. @throws {ApiError} 400 otherwise. */
export function decodeMergePatch(text: string): MergePatch {
  if (text.trim() === "null") throw badRequest("Invalid JSON Patch");
  try {
    return decodePatchObject(text);
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw badRequest(`error decoding patch: ${error.message}`);
  }
}

/**
 * Decodes the body of a strategic merge patch: an object, or null for no change.
 *
 * @throws {ApiError} 400 otherwise.
 */
export function decodeStrategicPatch(text: string): MergePatch {
  if (text.trim() === "null") return { patch: {}, strictErrors: [] };
  try {
    return decodePatchObject(text);
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw badRequest(error.message);
  }
}

function decodePatchObject(text: string): MergePatch {
  const { value, strictErrors } = decodeJson(text);
  if (isRecord(value)) return { patch: value, strictErrors };
  throw new MalformedBodyError(
    `json: cannot unmarshal ${goTypeOf(value)} into Go value of type map[string]interface {}`,
  );
}

/**
 * Applies a merge patch: null deletes, objects are merged, everything else replaces. The object is
 * not changed, unchanged parts are shared with the result. The members of what is merged are
 * sorted, as the server's library writes them.
 */
export function applyMergePatch(object: JsonObject, patch: JsonObject): JsonObject {
  const merged: MutableJsonObject = {};
  const keys = new Set([...Object.keys(object), ...Object.keys(patch)]);
  for (const key of [...keys].toSorted(compareBytes)) {
    const value = memberOf(patch, key);
    if (value === null) continue;
    const current = memberOf(object, key);
    setMember(merged, key, value === undefined ? current : mergeValue(current, value));
  }
  return merged;
}

function mergeValue(current: unknown, value: unknown): unknown {
  if (isRecord(current)) return isRecord(value) ? applyMergePatch(current, value) : value;
  // Where nothing can be merged, the nulls of the patch still mean "not there".
  return withoutNulls(value);
}

/** Drops null members of objects, also of objects in arrays; null elements of arrays stay. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const kept: MutableJsonObject = {};
  for (const key of Object.keys(value).toSorted(compareBytes)) {
    const member = value[key];
    if (member !== null) setMember(kept, key, withoutNulls(member));
  }
  return kept;
}
