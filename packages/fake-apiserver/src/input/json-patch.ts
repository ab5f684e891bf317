import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { decodeJson, MalformedBodyError, goTypeOf } from "./decode.ts";
import { ApiError } from "../api/api-error.ts";
import { badRequest } from "../api/errors.ts";
import { goJson, goQuote } from "../base/go-text.ts";
import { applyOperation, PatchNotApplicable } from "./json-patch-operation.ts";
import type { JsonPatchOperation } from "./json-patch-operation.ts";

/** A decoded JSON Patch (RFC 6902). */
export interface JsonPatch {
  readonly operations: readonly JsonPatchOperation[];
  /** What strict field validation complains of: `json patch unknown field "[0].bogus"`. */
  readonly strictErrors: readonly string[];
}

/** k8s.io/apiserver, endpoints/handlers/patch.go (maxJSONPatchOperations). */
const maxOperations = 10_000;
const knownFields: ReadonlySet<string> = new Set(["op", "path", "from", "value"]);
const needsValue: ReadonlySet<string> = new Set(["add", "replace"]);
const needsFrom: ReadonlySet<string> = new Set(["move", "copy"]);
const needsNeither: ReadonlySet<string> = new Set(["remove", "test"]);

/**
 * Decodes the body of a JSON Patch.
 *
 * @throws {ApiError} 400 for a text that is no patch, 413 for one with more than 10,000 operations.
 */
export function decodeJsonPatch(text: string): JsonPatch {
  const { value, strictErrors } = decode(text);
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
  for (const [index, entry] of value.entries()) {
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
    let patched = object;
    for (const operation of operations) patched = applyOperation(patched, operation);
    return patched;
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

function decode(text: string): ReturnType<typeof decodeJson> {
  try {
    return decodeJson(text);
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw badRequest(`error decoding patch: ${error.message}`);
  }
}

/** Checks one operation in the order and words of the server's JSON Patch library. */
function readOperation(entry: JsonObject): JsonPatchOperation {
  const { op, path, from } = entry;
  for (const [field, value] of Object.entries({ op, path, from })) {
    if (value === undefined || value === null || typeof value === "string") continue;
    throw cannotUnmarshal(value, `Go struct field jsonPatchOp.${field} of type string`);
  }
  const kind = typeof op === "string" ? op : "unknown";
  const problem = problemOf(kind, entry);
  if (problem !== undefined) throw invalidOperation(entry, problem);
  return {
    op: kind,
    path: typeof path === "string" ? path : "",
    from: typeof from === "string" ? from : "",
    value: entry["value"] ?? null,
  };
}

/** What an operation of this kind lacks. */
function problemOf(kind: string, entry: JsonObject): string | undefined {
  if (needsValue.has(kind)) {
    // A null is a value, but the library sees none there.
    if (!Object.hasOwn(entry, "value")) {
      return "failed to decode 'value': operation, missing value field: missing value";
    }
  } else if (needsFrom.has(kind)) {
    if (typeof entry["from"] !== "string") {
      return "failed to decode 'from': operation, missing from field: missing value";
    }
  } else if (!needsNeither.has(kind)) {
    return "unsupported operation";
  }
  if (typeof entry["path"] === "string") return undefined;
  return "failed to decode 'path': operation missing path field: missing value";
}

function invalidOperation(entry: JsonObject, reason: string): ApiError {
  return badRequest(`invalid operation ${goJson(entry)}: ${reason}`);
}

function cannotUnmarshal(value: unknown, target: string): ApiError {
  return badRequest(
    `error decoding patch: json: cannot unmarshal ${goTypeOf(value)} into ${target}`,
  );
}
