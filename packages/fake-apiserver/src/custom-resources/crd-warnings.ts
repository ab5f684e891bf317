import { isRecord, type JsonObject, recordOf } from "@listwatch/core-fifo/base";
import type { ApiObject } from "../api/api-object.ts";
import { compareBytes, goQuote } from "../base/go-text.ts";
import { objects, text } from "../base/read-fields.ts";
import { supportedFormat } from "../schema/formats.ts";

/**
 * Warnings for the writer of a definition, without those that the stored one has:
 * k8s.io/apiextensions-apiserver pkg/registry/customresourcedefinition/strategy.go.
 */
export function crdWarnings(object: ApiObject, stored: ApiObject | undefined): readonly string[] {
  const known = new Set(stored === undefined ? [] : allWarnings(stored));
  return allWarnings(object).filter((warning) => !known.has(warning));
}

function allWarnings(object: ApiObject): readonly string[] {
  const formats: string[] = [];
  const lists = new Set<string>();
  for (const version of objects(object, "spec", "versions")) {
    for (const schema of schemasIn(recordOf(recordOf(version["schema"])["openAPIV3Schema"]))) {
      const format = text(schema, "format");
      if (format !== "" && supportedFormat(text(schema, "type"), format) === "") {
        formats.push(`unrecognized format ${goQuote(format)}`);
      }
      const type = text(schema, "items", "type");
      const isList = type === "object" || type === "array";
      if (isList && text(schema, "x-kubernetes-list-type") === "set") {
        const list = `x-kubernetes-list-type: set for items of type ${goQuote(type)}`;
        lists.add(`${list} is not supported by server-side apply or CEL validation rules`);
      }
    }
  }
  return [...formats, ...[...lists].toSorted(compareBytes)];
}

function* schemasIn(schema: JsonObject): Generator<JsonObject> {
  yield schema;
  const { additionalProperties, items, not, properties } = recordOf(schema);
  for (const part of [items, additionalProperties, not]) {
    if (isRecord(part)) yield* schemasIn(part);
  }
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    for (const part of objects(schema, keyword)) yield* schemasIn(part);
  }
  for (const part of Object.values(recordOf(properties))) {
    if (isRecord(part)) yield* schemasIn(part);
  }
}
