import type { JsonObject } from "@listwatch/core-fifo/base";
import type { ApiError } from "./api-error.ts";

/** The Status object of a refusal. */
export function statusOf(error: ApiError): JsonObject {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: error.continueToken === undefined ? {} : { continue: error.continueToken },
    status: "Failure",
    message: error.message,
    ...(error.reason === undefined ? {} : { reason: error.reason }),
    ...(error.details === undefined ? {} : { details: error.details }),
    code: error.code,
  };
}

/** The Status that answers a successful delete. */
export function successStatus(details?: JsonObject): JsonObject {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    ...(details === undefined ? {} : { details }),
  };
}

/** The Status that answers a create of something that is not stored: an eviction or a binding. */
export const createdStatus: JsonObject = { ...successStatus(), code: 201 };
