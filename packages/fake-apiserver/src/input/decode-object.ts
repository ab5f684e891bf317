import { type BodyFormat, objectFormat, readBody } from "./body.ts";
import { isJsonObject, type JsonObject } from "../base/json.ts";
import type { ApiObject, ServedVersion } from "../api/resource-definition.ts";
import { type Decoded, DecodeError, decodeJson, decodeYaml } from "./decode.ts";
import { badRequest } from "../api/errors.ts";
import { goTypeOf } from "./decode.ts";
import { reportStrictErrors } from "./field-validation.ts";
import { decodeObjectMeta, MetaTypeError } from "./object-meta.ts";
import type { ResourceRequest } from "../verbs/resource-request.ts";

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
export async function decodeObject(request: ResourceRequest): Promise<ApiObject> {
  const { definition, info, presenter } = request;
  const format = objectFormat(info.request);
  const text = await readBody(request);
  const decoded = decodeText(text, format, definition.kind);
  const value = typedObject(request, decoded.value, text);
  const kind = String(value["kind"]);
  const served = schemaOf(request, value);
  const { object, strictErrors } = conform(request, value, served, (why) =>
    badRequest(
      `${kind} in version "${request.served.name}" cannot be handled as a ${definition.kind}: ${why}`,
    ),
  );
  reportStrictErrors(request, kind, [...decoded.strictErrors, ...strictErrors]);
  if (value["apiVersion"] !== presenter.apiVersion) {
    throw badRequest(
      `the API version in the data (${String(value["apiVersion"])}) does not match the expected API version (${presenter.apiVersion})`,
    );
  }
  return object;
}

/**
 * Decodes an object's metadata and drops what the resource does not have.
 *
 * @param refuse makes the refusal of metadata of the wrong type
 */
export function conform(
  request: ResourceRequest,
  value: JsonObject,
  served: ServedVersion | undefined,
  refuse: (why: string) => Error,
): ConformedObject {
  const { metadata, unknown } = decodeMeta(value["metadata"], refuse);
  const { object, unknown: dropped } = request.strategy.conform?.(
    { ...value, metadata },
    served,
  ) ?? { object: { ...value, metadata }, unknown: [] };
  const strictErrors = [...unknown, ...dropped].map((path) => `unknown field "${path}"`);
  return { object: request.definition.storedAs?.toStored(object) ?? object, strictErrors };
}

function decodeMeta(
  value: unknown,
  refuse: (why: string) => Error,
): ReturnType<typeof decodeObjectMeta> {
  try {
    return decodeObjectMeta(value);
  } catch (error) {
    throw error instanceof MetaTypeError ? refuse(error.message) : error;
  }
}

/**
 * The version an object is measured by: its own, if it is another one of the resource, before it is
 * refused.
 */
export function schemaOf(request: ResourceRequest, value: JsonObject): ServedVersion | undefined {
  const { definition, presenter, served } = request;
  const apiVersion = value["apiVersion"];
  if (apiVersion === presenter.apiVersion) return served;
  const [group, version] = String(apiVersion).split("/");
  if (group !== definition.group) return served;
  return definition.versions.find(({ name }) => name === version);
}

// Built-in objects may leave out what they are; the address says it.
function typedObject(request: ResourceRequest, value: unknown, text: string): JsonObject {
  const { definition, presenter } = request;
  const unrecognized = (why: string): Error => unrecognizedObject(definition.kind, why);
  if (!isJsonObject(value)) {
    throw unrecognized(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  if (!definition.custom) {
    const { apiVersion = presenter.apiVersion, kind = definition.kind } = value;
    if (kind !== definition.kind && apiVersion === presenter.apiVersion) {
      throw badRequest(
        `${String(kind)} in version "${request.served.name}" cannot be handled as a ${definition.kind}: converting (${request.served.name}.${String(kind)}) to (${definition.group === "" ? "core" : definition.group}.${definition.kind}): unknown conversion`,
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
    if (!(error instanceof DecodeError)) throw error;
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
