import { objectFormat, readBody } from "../http/body.ts";
import { isJsonObject } from "../json.ts";
import type { ApiObject } from "../resources/resource-definition.ts";
import { DecodeError, decodeJson, decodeYaml } from "../schema/decode.ts";
import { badRequest } from "../status/errors.ts";
import type { ResourceRequest } from "./resource-request.ts";

/** An object a client sent. */
export interface DecodedObject {
  readonly object: ApiObject;
  /** What strict decoding complains of. */
  readonly strictErrors: readonly string[];
}

/**
 * Reads the object in a request's body.
 *
 * @throws {ApiError} 400 for what cannot be read, 413 and 415
 */
export async function decodeObject(request: ResourceRequest): Promise<DecodedObject> {
  const { definition, info, presenter } = request;
  const format = objectFormat(info.request);
  const text = await readBody(request);
  const { strictErrors, value } = decode(text, format, definition.kind);
  const unrecognized = (why: string): Error => unrecognizedObject(definition.kind, why);
  if (!isJsonObject(value)) {
    throw unrecognized(
      `couldn't get version/kind; json parse error: json: cannot unmarshal ${typeof value} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  }
  const { apiVersion, kind } = value;
  if (typeof kind !== "string" || kind === "") {
    throw unrecognized(`Object 'Kind' is missing in '${text}'`);
  }
  if (typeof apiVersion !== "string" || apiVersion === "") {
    throw unrecognized(`Object 'apiVersion' is missing in '${text}'`);
  }
  if (apiVersion !== presenter.apiVersion) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${presenter.apiVersion})`,
    );
  }
  const metadata = value["metadata"] ?? {};
  if (!isJsonObject(metadata)) {
    throw badRequest(
      `${kind} in version "${request.served.name}" cannot be handled as a ${definition.kind}: json: cannot unmarshal ${typeof metadata} into Go struct field ObjectMeta.metadata of type v1.ObjectMeta`,
    );
  }
  return { object: { ...value, metadata }, strictErrors };
}

function decode(
  text: string,
  format: "json" | "yaml",
  kind: string,
): ReturnType<typeof decodeJson> {
  try {
    return format === "yaml" ? decodeYaml(text) : decodeJson(text);
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw unrecognizedObject(
      kind,
      `couldn't get version/kind; json parse error: ${error.message} (${text === "" ? "<empty>" : text})`,
    );
  }
}

function unrecognizedObject(kind: string, why: string): Error {
  return badRequest(`the object provided is unrecognized (must be of type ${kind}): ${why}`);
}
