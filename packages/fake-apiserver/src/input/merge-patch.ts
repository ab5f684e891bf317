import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { decodeJson, MalformedBodyError, goTypeOf } from "./decode.ts";
import { badRequest } from "../api/errors.ts";

/** A decoded JSON Merge Patch (RFC 7386). */
export interface MergePatch {
  readonly patch: JsonObject;
  /** What strict field validation complains of: `duplicate field "spec.color"`. */
  readonly strictErrors: readonly string[];
}

/** Decodes the body of a merge patch, which has to be an object. @throws {ApiError} 400 otherwise. */
export function decodeMergePatch(text: string): MergePatch {
  try {
    const { value, strictErrors } = decodeJson(text);
    if (isRecord(value)) return { patch: value, strictErrors };
    throw new MalformedBodyError(
      `json: cannot unmarshal ${goTypeOf(value)} into Go value of type map[string]interface {}`,
    );
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw badRequest(`error decoding patch: ${error.message}`);
  }
}

/**
 * Applies a merge patch: null deletes, objects are merged, everything else replaces. The object is
 * not changed, unchanged parts are shared with the result.
 */
export function applyMergePatch(object: JsonObject, patch: JsonObject): JsonObject {
  const merged: Record<string, unknown> = { ...object };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else define(merged, key, mergeValue(Object.hasOwn(object, key) ? object[key] : null, value));
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
  const kept: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    if (member !== null) define(kept, key, withoutNulls(member));
  }
  return kept;
}

/** Sets an own property, also for the name `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
