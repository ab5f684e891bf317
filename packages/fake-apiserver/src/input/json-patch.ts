import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { decodeJson, goTypeOf } from "./decode.ts";
import { MalformedBodyError } from "./errors.ts";
import { ApiError } from "../api/api-error.ts";
import { badRequest } from "../api/errors.ts";
import { goQuote } from "../base/go-text.ts";
import { PatchedDocument } from "./json-patch-operation.ts";
import { PatchNotApplicable } from "./errors.ts";
import type { JsonPatchOperation } from "./json-patch-operation.ts";

/** A decoded JSON Patch (RFC 6902). */
export interface JsonPatch {
  readonly operations: readonly JsonPatchOperation[];
  /** Errors of strict field validation: `json patch unknown field "[0].bogus"`. */
  readonly strictErrors: readonly string[];
}

/** k8s.io/apiserver, endpoints/handlers/patch.go (maxJSONPatchOperations). */
const maxOperations = 10_000;
const knownFields: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);

/**
 * Decodes the body of a JSON Patch.
 *
 * @throws {ApiError} 400 if it is not a patch, 413 for more than 10,000 operations
 */
export function decodeJsonPatch(text: string): JsonPatch {
  const decoded = decode(text);
  const { strictErrors } = decoded;
  // Go leaves what is null as it was: no operation, or one without a name.
  const value = decoded.value ?? [];
  if (!Array.isArray(value)) {
    throw cannotUnmarshal(value, "Go value of type []handlers.jsonPatchOp");
  }
  if (value.length > maxOperations) {
    throw new ApiError({
      code: 413,
      reason: "RequestEntityTooLarge",
      message: `The allowed maximum operations in a JSON patch is ${maxOperations}, got ${value.length}`,
    });
  }
  const problems = strictErrors.map((problem) => `json patch ${problem}`);
  const operations: JsonPatchOperation[] = [];
  for (const [index, given] of value.entries()) {
    const entry: unknown = given ?? {};
    if (!isRecord(entry)) {
      throw cannotUnmarshal(entry, "Go value of type handlers.jsonPatchOp");
    }
    for (const field of Object.keys(entry)) {
      if (knownFields.has(field)) continue;
      problems.push(`json patch unknown field ${goQuote(`[${index}].${field}`)}`);
    }
    operations.push(readOperation(entry));
  }
  return { operations, strictErrors: problems };
}

/**
 * Applies a patch; the object is not changed, unchanged parts are shared with the result.
 *
 * @throws {ApiError} 422 with the server's generic text if an operation cannot be applied or a test
 *   fails.
 */
export function applyJsonPatch(
  object: unknown,
  operations: readonly JsonPatchOperation[],
): unknown {
  try {
    return applyOperations(object, operations);
  } catch (error) {
    if (!(error instanceof PatchNotApplicable)) throw error;
    throw new ApiError({
      code: 422,
      reason: "Invalid",
      message: "the server rejected our request due to an error in our request",
      details: {},
    });
  }
}

/** As {@link applyJsonPatch}. @throws {PatchNotApplicable} if an operation cannot be applied */
export function applyOperations(
  object: unknown,
  operations: readonly JsonPatchOperation[],
): unknown {
  const document = new PatchedDocument(object);
  for (const operation of operations) document.apply(operation);
  return document.value;
}

/** Reads decoded operations. @throws {ApiError} 400 for a member of the wrong type */
export function readOperations(entries: readonly JsonObject[]): readonly JsonPatchOperation[] {
  return entries.map((entry) => readOperation(entry));
}

function decode(text: string): ReturnType<typeof decodeJson> {
  try {
    return decodeJson(text);
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw badRequest(`error decoding patch: ${error.message}`);
  }
}

// Only types are checked here; other errors show when the operation is applied.
function readOperation({ op, path, from, value = null }: JsonObject): JsonPatchOperation {
  return { op: textIn("op", op), path: textIn("path", path), from: textIn("from", from), value };
}

function textIn(field: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  throw cannotUnmarshal(value, `Go struct field jsonPatchOp.${field} of type string`);
}

function cannotUnmarshal(value: unknown, target: string): ApiError {
  return badRequest(
    `error decoding patch: json: cannot unmarshal ${goTypeOf(value)} into ${target}`,
  );
}
