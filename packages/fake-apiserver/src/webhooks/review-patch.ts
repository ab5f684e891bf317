import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { internalError } from "../api/errors.ts";
import { goQuote } from "../base/go-text.ts";
import { decodeJson, goTypeOf } from "../input/decode.ts";
import { MalformedBodyError, PatchNotApplicable } from "../input/errors.ts";
import { applyOperations, readOperations } from "../input/json-patch.ts";

/** A patch in an answer that cannot be read. The message is the reason of the failed call. */
export class UndecodablePatchError extends Error {
  override readonly name: string = "UndecodablePatchError";
}

/**
 * Applies the patch in the answer of a webhook. Undefined for a patch without operations.
 *
 * @param object undefined for a write without an object, which cannot be changed
 * @throws {UndecodablePatchError} for what is not a JSON Patch
 * @throws {ApiError} 500 if an operation cannot be applied
 */
export function applyReviewPatch(
  patch: string,
  patchType: string,
  object: JsonObject | undefined,
): JsonObject | undefined {
  const operations = decodeOperations(patch);
  if (operations.length === 0) return undefined;
  if (object === undefined) return {};
  if (patchType !== "JSONPatch") {
    throw new UndecodablePatchError(`unsupported patch type ${goQuote(patchType)}`);
  }
  try {
    const patched = applyOperations(object, readOperations(operations));
    if (isRecord(patched)) return patched;
    throw internalError(`json: cannot unmarshal ${goTypeOf(patched)} into Go value of type struct`);
  } catch (error) {
    if (!(error instanceof PatchNotApplicable)) throw error;
    throw internalError(error.message);
  }
}

function decodeOperations(patch: string): readonly JsonObject[] {
  const start = "received undecodable patch in webhook response";
  try {
    const value = decodeJson(patch).value ?? [];
    const type = "Go value of type";
    if (!Array.isArray(value)) {
      const why = `json: cannot unmarshal ${goTypeOf(value)} into ${type} jsonpatch.Patch`;
      throw new MalformedBodyError(why);
    }
    return value.map((operation: unknown) => {
      if (operation === null) return {};
      if (isRecord(operation)) return operation;
      const got = `json: cannot unmarshal ${goTypeOf(operation)}`;
      throw new MalformedBodyError(`${got} into ${type} jsonpatch.Operation`);
    });
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw new UndecodablePatchError(`${start}: ${error.message}`);
  }
}
