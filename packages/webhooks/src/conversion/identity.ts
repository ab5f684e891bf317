import {
  describeValue,
  isJsonEqual,
  isRecord,
  type JsonObject,
  recordOf,
} from "@listwatch/core-fifo/base";

// apiextensions-apiserver, pkg/apiserver/conversion/webhook_converter.go `validateConvertedObject`
// and `restoreObjectMeta`: a server refuses other names, and ignores other changes but of labels
// and annotations.
const identity: readonly string[] = ["name", "namespace", "uid"];

/** The result of a conversion, with the metadata of its argument if it has none. */
export function withMetadataOf(object: JsonObject, result: JsonObject): JsonObject {
  return result["metadata"] === undefined ? { ...result, metadata: object["metadata"] } : result;
}

/** @throws {TypeError} if a conversion has changed the identity of an object */
export function checkIdentity(object: JsonObject, converted: JsonObject): void {
  const before = recordOf(object["metadata"]);
  const { metadata } = converted;
  if (!isRecord(metadata)) {
    throw new TypeError(`expected an object as metadata, got ${describeValue(metadata)}`);
  }
  for (const name of identity) {
    if (isJsonEqual(before[name], metadata[name])) continue;
    const expected = `metadata.${name} to stay ${describeValue(before[name])}`;
    throw new TypeError(`expected ${expected}, got ${describeValue(metadata[name])}`);
  }
}
