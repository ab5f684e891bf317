import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import { goQuote } from "../base/go-text.ts";
import { text } from "../base/read-fields.ts";
import { MalformedBodyError } from "../input/errors.ts";
import { decodeJson, goTypeOf } from "../input/decode.ts";

const group = "apiextensions.k8s.io";
const kind = "ConversionReview";

/** An answer to a ConversionReview that cannot be used. The message is that of a real server. */
export class ConversionError extends Error {
  override readonly name: string = "ConversionError";
}

/** Objects to convert. */
export interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonObject[];
}

/**
 * The ConversionReview of a request, in the first version of `accepted` that the server knows.
 *
 * @throws {ConversionError} if it knows none
 */
export function conversionReview(
  { desiredAPIVersion, objects, uid }: ConversionRequest,
  accepted: readonly string[],
): JsonObject {
  const version = accepted.find((one) => one === "v1" || one === "v1beta1");
  if (version === undefined) throw new ConversionError("no supported conversion review versions");
  return {
    kind,
    apiVersion: `${group}/${version}`,
    request: { uid, desiredAPIVersion, objects },
    // A real server sends the empty response, too.
    response: { uid: "", convertedObjects: null, result: { metadata: {} } },
  };
}

/**
 * Reads the answer to a ConversionReview: k8s.io/apiextensions-apiserver
 * pkg/apiserver/conversion/webhook_converter.go.
 *
 * @throws {ConversionError}
 */
export function readConverted(
  body: string,
  { uid }: ConversionRequest,
  review: JsonObject,
): readonly unknown[] {
  const value = decode(body);
  const expected = text(review, "apiVersion");
  const given = text(value, "apiVersion");
  const isCurrent = expected === `${group}/v1`;
  const shown = given.includes("/") ? given : `/${given}`;
  if (isCurrent && (given !== expected || value["kind"] !== kind)) {
    throw new ConversionError(
      `expected webhook response of ${expected}, Kind=${kind}, got ${shown}, Kind=${text(value, "kind")}`,
    );
  }
  const { response } = value;
  if (!isRecord(response)) throw new ConversionError("no response provided");
  const answered = text(response, "uid");
  // Reviews of v1beta1 did not check it.
  if (isCurrent && answered !== uid) {
    throw new ConversionError(`expected response.uid=${goQuote(uid)}, got ${goQuote(answered)}`);
  }
  const result = recordOf(response["result"]);
  const status = text(result, "status");
  if (status !== "Success") {
    const message = text(result, "message");
    const missing = `response.result.status was '${status}', not 'Success'`;
    throw new ConversionError(message === "" ? missing : message);
  }
  const { convertedObjects } = response;
  return Array.isArray(convertedObjects) ? convertedObjects : [];
}

function decode(body: string): JsonObject {
  try {
    const { value } = decodeJson(body);
    if (isRecord(value)) return value;
    throw new MalformedBodyError(
      `json: cannot unmarshal ${goTypeOf(value)} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
    );
  } catch (error) {
    if (!(error instanceof MalformedBodyError)) throw error;
    throw new ConversionError(`couldn't get version/kind; json parse error: ${error.message}`);
  }
}

/** Metadata that a conversion may change. */
const changeable = ["labels", "annotations"] as const;

/**
 * Checks a converted object, and returns it with the metadata of the original one except labels and
 * annotations.
 *
 * @returns a complaint if it is another object
 */
export function checkConverted(
  converted: unknown,
  original: JsonObject,
  apiVersion: string,
): JsonObject | string {
  if (!isRecord(converted) || text(converted, "kind") === "") {
    return `invalid object at index 0: Object 'Kind' is missing in '${JSON.stringify(converted)}'`;
  }
  const at = "invalid object at index 0:";
  const given = text(converted, "apiVersion");
  if (given !== apiVersion) {
    return `${at} invalid groupVersion (expected ${apiVersion}, received ${given})`;
  }
  const [expectedKind, givenKind] = [text(original, "kind"), text(converted, "kind")];
  if (expectedKind !== givenKind) {
    return `${at} invalid kind (expected ${expectedKind}, received ${givenKind})`;
  }
  for (const [field, shown] of identity) {
    const [wanted, got] = [original, converted].map((one) => text(one, "metadata", field));
    if (wanted !== got) {
      return `invalid object: must have the same ${shown}: ${wanted} != ${got}`;
    }
  }
  const metadata: unknown = converted["metadata"];
  if (!isRecord(metadata)) return "invalid metadata: missing metadata in converted object";
  return withMetadata(converted, recordOf(original["metadata"]), metadata);
}

const identity = [
  ["name", "name"],
  ["namespace", "namespace"],
  ["uid", "UID"],
] as const;

function withMetadata(
  converted: JsonObject,
  original: JsonObject,
  given: JsonObject,
): JsonObject | string {
  const { annotations: _annotations, labels: _labels, ...kept } = original;
  const metadata: Record<string, unknown> = kept;
  for (const field of changeable) {
    const map: unknown = given[field] ?? null;
    if (map === null) continue;
    if (!isRecord(map)) {
      const type = Array.isArray(map) ? "[]interface {}" : goTypeName(map);
      return `invalid metadata: invalid metadata.${field} of type ${type} in converted object`;
    }
    const wrong = Object.entries(map).find(([, value]) => typeof value !== "string");
    if (wrong !== undefined) {
      const type = goTypeName(wrong[1]);
      return `invalid metadata: metadata.${field}[${wrong[0]}] must be a string, but is ${type} in converted object`;
    }
    metadata[field] = map;
  }
  return { ...converted, metadata };
}

function goTypeName(value: unknown): string {
  if (value === null) return "<nil>";
  if (Array.isArray(value)) return "[]interface {}";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isSafeInteger(value) ? "int64" : "float64";
  return "map[string]interface {}";
}
