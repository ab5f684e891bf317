import {
  inRealTime,
  isRecord,
  recordOf,
  stringOf,
  type JsonObject,
} from "@listwatch/core-fifo/base";
import type { ApiError } from "../api/api-error.ts";
import { applyConflict, badRequest, plainServerError } from "../api/errors.ts";
import { type Decoded, decodeJson, goTypeOf } from "../input/decode.ts";
import { MalformedBodyError } from "../input/errors.ts";
import { type FieldValidation, warningsOf } from "../input/field-validation.ts";
import { checkValue } from "../ownership/check-value.ts";
import type { Conflict } from "../ownership/changes.ts";
import { reportConflicts } from "../ownership/conflict-error.ts";
import type { OwnershipRequest } from "../ownership/ownership-request.ts";

/** The kind that a configuration must have. */
export interface ConfiguredKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Reads the body of an apply.
 *
 * @throws {ApiError} 400
 */
export async function readConfiguration(
  text: string,
  expected: ConfiguredKind,
  validation: FieldValidation,
): Promise<JsonObject> {
  const { strictErrors, value } = await decodeConfiguration(text);
  reportDuplicates(validation, strictErrors);
  if (value !== null && !isRecord(value)) {
    throw badRequest(
      "error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal " +
        `${goTypeOf(value)} into Go value of type map[string]interface {}`,
    );
  }
  const configuration = value ?? {};
  if (
    configuration["apiVersion"] !== expected.apiVersion ||
    configuration["kind"] !== expected.kind
  ) {
    throw badRequest(`invalid object type: ${printType(configuration)}`);
  }
  const { managedFields } = recordOf(configuration["metadata"]);
  if (managedFields !== undefined && managedFields !== null) {
    throw badRequest("metadata.managedFields must be nil");
  }
  return configuration;
}

async function decodeConfiguration(text: string): Promise<Decoded> {
  return decodeAsJson(text) ?? decodeAsYaml(text);
}

// Most configurations are JSON, which is YAML as well, and is read many times faster. Errors are
// reported in the words of YAML.
function decodeAsJson(text: string): Decoded | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const decoded = decodeJson(text);
    return decoded.strictErrors.length === 0 ? decoded : undefined;
  } catch (error) {
    if (error instanceof MalformedBodyError) return undefined;
    throw error;
  }
}

async function decodeAsYaml(text: string): Promise<Decoded> {
  // Loaded late, with the library that it needs.
  const { decodeYaml } = await inRealTime(import("../input/decode-yaml.ts"));
  try {
    return decodeYaml(text);
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw badRequest(`error decoding YAML: error converting YAML to JSON: ${error.message}`);
  }
}

// Duplicate keys: the only errors of strict decoding in an apply.
function reportDuplicates({ query, warnings }: FieldValidation, errors: readonly string[]): void {
  const mode = query.get("fieldValidation") ?? "";
  if (mode === "Ignore" || errors.length === 0) return;
  if (mode === "Strict") {
    throw badRequest(
      `error strict decoding YAML: error converting YAML to JSON: ${errors.join(", ")}`,
    );
  }
  warnings.push(...errors.flatMap(warningsOf));
}

// The type of an object as Go prints it: `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`.
function printType({ apiVersion, kind }: JsonObject): string {
  const version = stringOf(apiVersion);
  return `${version.includes("/") ? "" : "/"}${version}, Kind=${stringOf(kind)}`;
}

/**
 * Checks that a configuration fits its type.
 *
 * @throws {ApiError} 500
 */
export function checkConfiguration(
  configuration: JsonObject,
  { owner, versionOf }: OwnershipRequest,
): void {
  const type = versionOf(owner.apiVersion)?.type;
  const problems = type === undefined ? [] : checkValue(configuration, type);
  if (problems.length === 0) return;
  const lines = problems.map(({ path, text }) => `${path}: ${text}`);
  const errors = lines.length === 1 ? lines.join("") : `errors:\n  ${lines.join("\n  ")}`;
  throw plainServerError(
    `failed to create typed patch object (${describe(configuration)}): ${errors}`,
  );
}

/** Such as `shop/web; apps/v1, Kind=Deployment`. */
function describe(configuration: JsonObject): string {
  const { name, namespace } = recordOf(configuration["metadata"]);
  return `${stringOf(namespace)}/${stringOf(name)}; ${printType(configuration)}`;
}

/** The error for values of a configuration that Go's types do not take. */
export function unconvertible(configuration: JsonObject, why: string): ApiError {
  const type = printType(configuration);
  return plainServerError(
    `failed to convert new object (${describe(configuration)}) to proper version: ` +
      `unable to convert unstructured object to ${type}: ${why}`,
  );
}

/** A configuration without what the server writes, which cannot be applied. */
export function withoutSystemFields(configuration: JsonObject): JsonObject {
  const { metadata } = configuration;
  if (!isRecord(metadata)) return configuration;
  const {
    creationTimestamp: _created,
    generation: _generation,
    managedFields: _entries,
    selfLink: _link,
    ...kept
  } = metadata;
  return { ...configuration, metadata: kept };
}

/**
 * Refuses an apply that takes fields from others, unless it is forced.
 *
 * @throws {ApiError} 409
 */
export function checkConflicts(query: URLSearchParams, conflicts: readonly Conflict[]): void {
  if (conflicts.length === 0 || isForced(query)) return;
  throw applyConflict(reportConflicts(conflicts));
}

// Whatever is not false is true.
function isForced(query: URLSearchParams): boolean {
  const force = query.get("force") ?? "false";
  return force !== "false" && force !== "0";
}
