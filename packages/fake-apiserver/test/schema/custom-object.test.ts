import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  conformCustomObject,
  validateCustomObject,
  validateCustomStatus,
} from "../../src/schema/custom-object.ts";
import { applyDefaults } from "../../src/schema/defaults.ts";
import type { JsonSchema } from "../../src/api/json-schema.ts";
import { validateListTypes } from "../../src/schema/list-types.ts";
import { prune } from "../../src/schema/prune.ts";

const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "integer" };

function spec(properties: Record<string, JsonSchema>, rest: JsonSchema = {}): JsonSchema {
  return { type: "object", properties: { spec: { type: "object", properties, ...rest } } };
}

describe("prune (API-1.16)", () => {
  test("removes unspecified fields and returns their paths, sorted", () => {
    const schema = spec({
      size: number,
      ports: { type: "array", items: { type: "object", properties: { name: text } } },
    });
    const object = {
      apiVersion: "a/v1",
      kind: "K",
      metadata: { name: "x" },
      spec: { size: 1, one: 1, ports: [{ name: "a", zz: 1 }] },
      extra: 3,
    };
    expect(prune(object, schema)).toEqual({
      object: {
        apiVersion: "a/v1",
        kind: "K",
        metadata: { name: "x" },
        spec: { size: 1, ports: [{ name: "a" }] },
      },
      pruned: ["extra", "spec.one", "spec.ports[0].zz"],
    });
  });

  test("returns the same object if there is nothing to prune", () => {
    const object = { metadata: {}, spec: { size: 1 } };
    expect(prune(object, spec({ size: number })).object).toBe(object);
  });

  test("keeps everything below x-kubernetes-preserve-unknown-fields except where the schema specifies more", () => {
    const open = spec(
      { inner: { type: "object", properties: { a: number } } },
      { "x-kubernetes-preserve-unknown-fields": true },
    );
    const object = { spec: { any: { thing: 1 }, inner: { a: 1, b: 2 } } };
    expect(prune(object, open)).toEqual({
      object: { spec: { any: { thing: 1 }, inner: { a: 1 } } },
      pruned: ["spec.inner.b"],
    });
  });

  test("prunes the values of additionalProperties by their schema", () => {
    const schema = spec({
      map: { type: "object", additionalProperties: { type: "object", properties: { a: number } } },
    });
    const { object } = prune({ spec: { map: { x: { a: 1, b: 2 } } } }, schema);
    expect(object).toEqual({ spec: { map: { x: { a: 1 } } } });
  });

  test("keeps the type and metadata of embedded resources", () => {
    const schema = spec({
      pod: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        properties: { spec: { type: "object" } },
      },
    });
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: { a: 1 }, x: 1 };
    expect(prune({ spec: { pod } }, schema)).toEqual({
      object: {
        spec: { pod: { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, spec: {} } },
      },
      pruned: ["spec.pod.spec.a", "spec.pod.x"],
    });
  });

  test("is idempotent", () => {
    const schema = spec({
      a: { type: "object", additionalProperties: text },
      b: { type: "array", items: number },
    });
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom("spec", "a", "metadata"), fc.jsonValue()),
        (object) => {
          const once = prune(object, schema).object;
          expect(prune(once, schema)).toEqual({ object: once, pruned: [] });
        },
      ),
    );
  });
});

describe("applyDefaults (API-1.16)", () => {
  const schema = spec({
    mode: { type: "string", default: "auto" },
    deep: { type: "object", default: {}, properties: { n: { type: "integer", default: 10 } } },
    list: {
      type: "array",
      items: { type: "object", properties: { w: { type: "integer", default: 1 } } },
    },
    map: {
      type: "object",
      additionalProperties: { type: "object", properties: { z: { type: "integer", default: 9 } } },
    },
    plain: text,
    nullable: { type: "string", nullable: true, default: "d" },
  });

  test("adds defaults at every depth", () => {
    const object = { spec: { list: [{}, { w: 2 }], map: { x: {} } } };
    expect(applyDefaults(object, schema)).toEqual({
      spec: {
        mode: "auto",
        deep: { n: 10 },
        list: [{ w: 1 }, { w: 2 }],
        map: { x: { z: 9 } },
        nullable: "d",
      },
    });
    expect(object).toEqual({ spec: { list: [{}, { w: 2 }], map: { x: {} } } });
  });

  test("treats a forbidden null as missing", () => {
    expect(applyDefaults({ spec: { mode: null, plain: null, nullable: null } }, schema)).toEqual({
      spec: { mode: "auto", deep: { n: 10 }, nullable: null },
    });
  });

  test("does not create missing objects", () => {
    const object = { metadata: {} };
    expect(applyDefaults(object, schema)).toBe(object);
  });
});

describe("validateListTypes (API-1.16)", () => {
  const schema = spec({
    tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
    ports: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name", "protocol"],
      items: { type: "object", properties: { name: text, protocol: text } },
    },
  });

  test("reports the second of equal items, and not the third", () => {
    expect(validateListTypes({ spec: { tags: ["a", "b", "a", "a"] } }, schema)).toEqual([
      { reason: "FieldValueDuplicate", field: "spec.tags[2]", message: 'Duplicate value: "a"' },
    ]);
  });

  test("compares items of maps by their keys, missing ones included", () => {
    const ports = [{ name: "a" }, { name: "a", protocol: "TCP" }, { name: "a", port: 1 }];
    expect(validateListTypes({ spec: { ports } }, schema)).toEqual([
      {
        reason: "FieldValueDuplicate",
        field: "spec.ports[2]",
        message: 'Duplicate value: {"name":"a"}',
      },
    ]);
  });

  test("requires objects in maps", () => {
    expect(validateListTypes({ spec: { ports: ["x"] } }, schema)).toEqual([
      {
        reason: "FieldValueInvalid",
        field: "spec.ports[0]",
        message: 'Invalid value: "x": must be an object for an array of list-type map',
      },
    ]);
  });
});

describe("custom objects (API-1.16)", () => {
  const embedded = spec({
    pod: {
      type: "object",
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-preserve-unknown-fields": true,
    },
    size: number,
  });

  test("lists unknown fields of embedded metadata before those of the schema", () => {
    const object = { spec: { a: 1, pod: { kind: "Pod", metadata: { bogus: 1, name: "x" } } } };
    expect(conformCustomObject(object, embedded)).toEqual({
      object: { spec: { pod: { kind: "Pod", metadata: { name: "x" } } } },
      unknown: ["spec.pod.metadata.bogus", "spec.a"],
    });
  });

  test("requires a type of embedded resources, but accepts any name (API-6.6)", () => {
    const object = { spec: { pod: { metadata: { name: "Bad_Name" } } } };
    expect(
      validateCustomObject(object, embedded).map(({ field, message }) => [field, message]),
    ).toEqual([
      ["spec.pod.apiVersion", "Required value"],
      ["spec.pod.kind", "Required value"],
    ]);
  });

  test("reports that CEL rules were skipped if the object is invalid otherwise", () => {
    const ruled: JsonSchema = {
      ...spec({ size: number }),
      "x-kubernetes-validations": [{ rule: "true" }],
    };
    const fields = validateCustomObject({ spec: { size: "x" } }, ruled).map(({ field }) => field);
    expect(fields).toEqual(["spec.size", "<nil>"]);
  });

  test("accepts invalid lists that were invalid before", () => {
    const schema = spec({
      tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
      size: number,
    });
    const old = { spec: { tags: ["a", "a"], size: 1 } };
    const object = { spec: { tags: ["b", "b"], size: 2 } };
    expect(validateCustomObject(object, schema, { old })).toEqual([]);
    expect(validateCustomObject(object, schema)).toHaveLength(1);
  });

  test("validates only the status in a write to the status (API-1.15)", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        spec: { type: "object", properties: { size: number } },
        status: { type: "object", properties: { phase: text } },
      },
    };
    const object = { spec: { size: "wrong" }, status: { phase: 5 } };
    expect(validateCustomStatus(object, schema)).toEqual([
      {
        reason: "FieldValueTypeInvalid",
        field: "status.phase",
        message: 'Invalid value: "integer": phase in body must be of type string: "integer"',
      },
    ]);
  });

  test("validates the fields of the scale subresource (API-1.15)", () => {
    const scale = {
      specReplicas: ".spec.replicas",
      statusReplicas: ".status.replicas",
      labelSelector: ".status.selector",
    };
    const schema: JsonSchema = { type: "object" };
    const problems = (object: Record<string, unknown>): readonly string[] =>
      validateCustomObject(object, schema, { scale }).map(
        ({ field, message }) => `${field}: ${message}`,
      );
    expect(problems({ spec: { replicas: -1 } })).toEqual([
      ".spec.replicas: Invalid value: -1: should be a non-negative integer",
    ]);
    expect(problems({ status: { replicas: 2 ** 31 } })).toEqual([
      ".status.replicas: Invalid value: 2147483648: should be less than or equal to 2147483647",
    ]);
    expect(problems({ status: { selector: 5 } })).toHaveLength(1);
    expect(problems({ spec: { replicas: 3 }, status: { replicas: 0, selector: "a=b" } })).toEqual(
      [],
    );
  });
});
