import { isRecord, type JsonObject } from "@listwatch/core-fifo/base";
import { type RequestBody, unsupportedBody } from "./body.ts";
import { apiVersionOf } from "../api/api-versions.ts";
import type { ApiObject } from "../api/api-object.ts";
import type { ResourceDefinition, ServedVersion } from "../api/resource-definition.ts";
import { badRequest, plainServerError } from "../api/errors.ts";
import { decodeBody, summarizeText, unrecognizedObject } from "./decode-body.ts";
import { goQuote, textOf } from "../base/go-text.ts";
import { goTypeOf } from "./decode.ts";
import { type FieldValidation, reportStrictErrors } from "./field-validation.ts";
import { decodeObjectMeta } from "./object-meta.ts";
import { MetaTypeError } from "./errors.ts";
import { orderStrictErrors } from "./strict-errors.ts";

/** Selects the messages for a value of the wrong type: those of the JSON decoder or of patches. */
export type DecodedFrom = "json" | "patch";

/** Decodes the objects of a declared type. */
export interface ObjectDecoder {
  /**
   * The object without what its type does not have, in its normal form.
   *
   * @throws {MetaTypeError} for a value of the wrong type
   */
  decode(
    object: JsonObject,
    from: DecodedFrom,
  ): { readonly object: ApiObject; readonly unknown: readonly string[] };
  /**
   * Merges a strategic merge patch into an object, which is not changed. The patch is used up.
   *
   * @throws {ApiError} 400 and 500
   */
  merge(object: JsonObject, patch: JsonObject): JsonObject;
  /** Whether the server knows a kind of a group version, served or not. */
  readonly isRegistered: (apiVersion: string, kind: string) => boolean;
}

/** The resource that an object is decoded for. */
export interface DecodeTarget {
  readonly definition: ResourceDefinition;
  readonly served: ServedVersion;
  /** Group versions of the same fields that the address takes too. @default none */
  readonly alsoTaken?: readonly string[] | undefined;
  readonly strategy: {
    /** Decodes the objects of a version by their declared type, metadata included. */
    decoder?(served: ServedVersion): Promise<ObjectDecoder | undefined>;
    /** Drops fields that the resource does not have and fills in defaults. */
    conform?(
      object: ApiObject,
      served: ServedVersion | undefined,
      nulls?: "dropped" | "kept",
    ): { readonly object: ApiObject; readonly unknown: readonly string[] };
  };
}

/** An object without fields its resource does not have and with its defaults, as it is stored. */
export interface ConformedObject {
  readonly object: ApiObject;
  /** Errors of strict decoding. */
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
  const expected = apiVersionOf(definition.group, served.name);
  if (definition.custom && body.format === "protobuf") throw unsupportedBody();
  const decoded = await decodeBody(body, { apiVersion: expected, kind: definition.kind });
  const value = typedObject(target, decoded.value, decoded.text);
  const kind = textOf(value["kind"]);
  const cannotHandle = (why: string): Error =>
    badRequest(
      `${kind} in version "${served.name}" cannot be handled as a ${definition.kind}: ${why}`,
    );
  const decoder = await target.strategy.decoder?.(served);
  if (decoder !== undefined) checkKind(target, value, decoder);
  const conformed = conform(target, value, schemaOf(target, value), cannotHandle, { decoder });
  const all = [...decoded.strictErrors, ...conformed.strictErrors];
  const isMixed = decoded.strictErrors.length > 0 && conformed.strictErrors.length > 0;
  const strictErrors =
    isMixed && body.format === "json" && !definition.custom
      ? orderStrictErrors(decoded.text, all)
      : all;
  reportStrictErrors(validation, strictErrors, cannotHandle);
  const sent = textOf(value["apiVersion"]);
  if (sent !== expected && target.alsoTaken?.includes(sent) !== true) {
    throw badRequest(
      `the API version in the data (${sent}) does not match the expected API version (${expected})`,
    );
  }
  const { object } = conformed;
  return object;
}

function checkKind(target: DecodeTarget, value: JsonObject, decoder: ObjectDecoder): void {
  const why = kindComplaint(target, value, decoder);
  if (why === undefined) return;
  const apiVersion = textOf(value["apiVersion"]);
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const start = `${textOf(value["kind"])} in version "${version}" cannot be handled as a`;
  throw badRequest(`${start} ${target.definition.kind}: ${why}`);
}

/**
 * Returns why an object does not belong to its resource: no version has its kind, or it is of
 * another one. Undefined if it does.
 */
export function kindComplaint(
  { definition }: Pick<DecodeTarget, "definition">,
  value: JsonObject,
  { isRegistered }: ObjectDecoder,
): string | undefined {
  const [apiVersion, kind] = [textOf(value["apiVersion"]), textOf(value["kind"])];
  if (!isRegistered(apiVersion, kind)) {
    const scheme = 'in scheme "pkg/runtime/scheme.go:111"';
    return `no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)} ${scheme}`;
  }
  if (kind === definition.kind) return undefined;
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const internal = `${(definition.group || "core").split(".")[0] ?? ""}.${definition.kind}`;
  return `converting (${version}.${kind}) to (${internal}): unknown conversion`;
}

/** How an object is decoded. */
export interface ConformOptions {
  /** The decoder of the type. @default only the metadata has a type */
  readonly decoder?: ObjectDecoder | undefined;
  /** @default "json" */
  readonly from?: DecodedFrom;
  /** Treatment of nulls that a custom resource does not allow. @default "dropped" */
  readonly nulls?: "dropped" | "kept";
}

/**
 * Decodes an object, drops what the resource does not have and fills in defaults.
 *
 * @param errorOf makes the error of a value of the wrong type
 */
export function conform(
  target: DecodeTarget,
  value: JsonObject,
  served: ServedVersion | undefined,
  errorOf: (why: string) => Error,
  options: ConformOptions = {},
): ConformedObject {
  const typed = decodeParts(value, errorOf, options);
  const converted = target.served.conversion?.toStored(typed.object) ?? typed.object;
  const { object, unknown } = conformToKind(target, converted, served, errorOf, options);
  const strictErrors = [...typed.unknown, ...unknown].map(
    (path) => `unknown field ${goQuote(path)}`,
  );
  return { object: target.definition.storedAs?.toStored(object) ?? object, strictErrors };
}

function conformToKind(
  { strategy }: DecodeTarget,
  object: ApiObject,
  served: ServedVersion | undefined,
  errorOf: (why: string) => Error,
  { from, nulls }: ConformOptions,
): { readonly object: ApiObject; readonly unknown: readonly string[] } {
  try {
    return strategy.conform?.(object, served, nulls) ?? { object, unknown: [] };
  } catch (error) {
    if (!(error instanceof MetaTypeError)) throw error;
    // Such a patch has been decoded, and is not shown.
    throw from === "patch" ? plainServerError(error.message) : errorOf(error.message);
  }
}

function decodeParts(
  value: JsonObject,
  errorOf: (why: string) => Error,
  { decoder, from = "json" }: ConformOptions,
): ReturnType<ObjectDecoder["decode"]> {
  try {
    if (decoder !== undefined) return decoder.decode(value, from);
    const { metadata, unknown } = decodeObjectMeta(value["metadata"]);
    // Go converts the metadata of custom resources from a map, whose keys it sorts.
    return { object: { ...value, metadata }, unknown: unknown.toSorted() };
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
  const [group, version] = textOf(apiVersion).split("/");
  if (group !== definition.group) return served;
  return definition.versions.find(({ name }) => name === version);
}

// Built-in objects may omit their type, which the address determines.
function typedObject(target: DecodeTarget, given: unknown, text: string): JsonObject {
  const { definition, served } = target;
  // Nothing counts as an object without fields.
  const value = given ?? {};
  const expected = apiVersionOf(definition.group, served.name);
  const unrecognized = (why: string): Error =>
    unrecognizedObject(definition.kind, `${why} (${summarizeText(text)})`);
  if (!isRecord(value)) {
    throw unrecognized(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  // Decoded as string fields, where null counts as absent.
  for (const field of ["apiVersion", "kind"]) {
    const name = value[field] ?? "";
    if (typeof name === "string") continue;
    throw unrecognized(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${goTypeOf(name)} into Go struct field .${field} of type string`,
    );
  }
  if (!definition.custom) {
    const apiVersion = value["apiVersion"] ?? expected;
    const kind = value["kind"] ?? definition.kind;
    return { ...value, apiVersion, kind };
  }
  if ((value["kind"] ?? "") === "") throw unrecognized(`Object 'Kind' is missing in '${text}'`);
  return value;
}
