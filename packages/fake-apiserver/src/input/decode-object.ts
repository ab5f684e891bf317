import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import type { BodyFormat, RequestBody } from "./body.ts";
import { apiVersionOf } from "../api/api-versions.ts";
import type { ApiObject, ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import { type Decoded, MalformedBodyError, decodeJson, decodeYaml } from "./decode.ts";
import { badRequest } from "../api/errors.ts";
import { goTypeOf } from "./decode.ts";
import { type FieldValidation, reportStrictErrors } from "./field-validation.ts";
import { decodeObjectMeta, MetaTypeError } from "./object-meta.ts";

/** The resource that an object is decoded for. */
export interface DecodeTarget {
  readonly definition: ResourceDefinition;
  readonly served: ServedVersion;
  readonly strategy: {
    /** Drops fields that the resource does not have and fills in defaults. */
    conform?(
      object: ApiObject,
      served: ServedVersion | undefined,
    ): { readonly object: ApiObject; readonly unknown: readonly string[] };
  };
}

/** An object without fields its resource does not have and with its defaults, as it is stored. */
export interface ConformedObject {
  readonly object: ApiObject;
  /** What strict decoding complains of. */
  readonly strictErrors: readonly string[];
}

/**
 * Reads the object in a request's body.
 *
 * @throws {ApiError} 400 for what cannot be read, 413 and 415
 */
export async function decodeObject(
  target: DecodeTarget,
  body: RequestBody,
  validation: FieldValidation,
): Promise<ApiObject> {
  const { definition, served } = target;
  const format = body.format();
  const text = await body.text();
  const decoded = decodeText(text, format, definition.kind);
  const value = typedObject(target, decoded.value, text);
  const kind = String(value["kind"]);
  const cannotHandle = (why: string): Error =>
    badRequest(
      `${kind} in version "${served.name}" cannot be handled as a ${definition.kind}: ${why}`,
    );
  const conformed = conform(target, value, schemaOf(target, value), cannotHandle);
  const strictErrors = [...decoded.strictErrors, ...conformed.strictErrors];
  reportStrictErrors(validation, strictErrors, cannotHandle);
  const expected = apiVersionOf(definition.group, served.name);
  if (value["apiVersion"] !== expected) {
    throw badRequest(
      `the API version in the data (${String(value["apiVersion"])}) does not match the expected API version (${expected})`,
    );
  }
  const { object } = conformed;
  return object;
}

/**
 * Decodes an object's metadata and drops what the resource does not have.
 *
 * @param errorOf makes the error of metadata of the wrong type
 */
export function conform(
  target: DecodeTarget,
  value: JsonObject,
  served: ServedVersion | undefined,
  errorOf: (why: string) => Error,
): ConformedObject {
  const { metadata, unknown } = decodeMeta(value["metadata"], errorOf);
  const { object, unknown: dropped } = target.strategy.conform?.(
    { ...value, metadata },
    served,
  ) ?? { object: { ...value, metadata }, unknown: [] };
  const strictErrors = [...unknown, ...dropped].map((path) => `unknown field "${path}"`);
  return { object: target.definition.storedAs?.toStored(object) ?? object, strictErrors };
}

function decodeMeta(
  value: unknown,
  errorOf: (why: string) => Error,
): ReturnType<typeof decodeObjectMeta> {
  try {
    return decodeObjectMeta(value);
  } catch (error) {
    throw error instanceof MetaTypeError ? errorOf(error.message) : error;
  }
}

/**
 * The version an object is measured by: its own, if it is another one of the resource, before it is
 * refused.
 */
export function schemaOf(target: DecodeTarget, value: JsonObject): ServedVersion | undefined {
  const { definition, served } = target;
  const apiVersion = value["apiVersion"];
  if (apiVersion === apiVersionOf(definition.group, served.name)) return served;
  const [group, version] = String(apiVersion).split("/");
  if (group !== definition.group) return served;
  return definition.versions.find(({ name }) => name === version);
}

// Built-in objects may leave out what they are; the address says it.
function typedObject(target: DecodeTarget, value: unknown, text: string): JsonObject {
  const { definition, served } = target;
  const expected = apiVersionOf(definition.group, served.name);
  const unrecognized = (why: string): Error => unrecognizedObject(definition.kind, why);
  if (!isRecord(value)) {
    throw unrecognized(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  if (!definition.custom) {
    const { apiVersion = expected, kind = definition.kind } = value;
    if (kind !== definition.kind && apiVersion === expected) {
      throw badRequest(
        `${String(kind)} in version "${served.name}" cannot be handled as a ${definition.kind}: converting (${served.name}.${String(kind)}) to (${definition.group === "" ? "core" : definition.group}.${definition.kind}): unknown conversion`,
      );
    }
    return { ...value, apiVersion, kind };
  }
  for (const [field, name] of [
    ["kind", "Kind"],
    ["apiVersion", "apiVersion"],
  ] as const) {
    const given = value[field];
    if (typeof given !== "string" || given === "") {
      throw unrecognized(`Object '${name}' is missing in '${text}'`);
    }
  }
  return value;
}

/** Decodes the text of an object. @throws {ApiError} 400 */
export function decodeText(text: string, format: BodyFormat, kind: string): Decoded {
  try {
    return format === "yaml" ? decodeYaml(text) : decodeJson(text);
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    const shown = text === "" ? "<empty>" : text;
    throw unrecognizedObject(
      kind,
      `couldn't get version/kind; json parse error: ${error.message} (${shown})`,
    );
  }
}

function unrecognizedObject(kind: string, why: string): Error {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
}
