import type { JsonObject } from "@listwatch/core-fifo/base";
import type { JsonSchema } from "../../src/api/json-schema.ts";
import { customFieldType } from "../../src/ownership/custom-field-type.ts";
import { FieldSet } from "../../src/ownership/field-set.ts";
import { deducedType, type FieldType } from "../../src/ownership/field-type.ts";
import type { Owner } from "../../src/ownership/managed-fields.ts";
import type { OwnershipRequest } from "../../src/ownership/ownership-request.ts";

const text: JsonSchema = { type: "string" };

/** A kind with every sort of list and map. */
const thingSchema: JsonSchema = {
  type: "object",
  properties: {
    spec: {
      type: "object",
      properties: {
        color: text,
        count: { type: "integer" },
        on: { type: "boolean" },
        atomic: { type: "array", items: text },
        set: { type: "array", "x-kubernetes-list-type": "set", items: text },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            properties: {
              port: { type: "integer" },
              protocol: { type: "string", default: "TCP" },
              name: text,
            },
          },
        },
        labels: { type: "object", additionalProperties: text },
        whole: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
  },
};

export const thingType: FieldType = customFieldType(thingSchema, deducedType);

const apiVersion = "example.com/v1";

export function thing(spec: JsonObject): JsonObject {
  return { apiVersion, kind: "Thing", metadata: { name: "a" }, spec };
}

export function writeBy(
  manager: string,
  operation: Owner["operation"],
  now = "2026-01-01T00:00:00Z",
): OwnershipRequest {
  const version = {
    type: thingType,
    zero: { apiVersion, kind: "Thing" },
    convert: (object: JsonObject): JsonObject => object,
  };
  return {
    owner: { manager, operation, apiVersion, subresource: "" },
    reset: FieldSet.empty,
    now,
    versionOf: (name) => (name === apiVersion ? version : undefined),
  };
}
