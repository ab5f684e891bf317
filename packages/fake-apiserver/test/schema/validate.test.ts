import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { hasFormat, supportedFormat } from "../../src/schema/formats.ts";
import type { JsonSchema } from "../../src/api/json-schema.ts";
import { loadPatternEngine, matchesPattern } from "../../src/schema/pattern.ts";
import { validateSchema } from "../../src/schema/validate.ts";

beforeAll(loadPatternEngine);

/** Returns the problems of a value at `spec.x`, as "field: message". */
function problems(schema: JsonSchema, value: unknown, old?: unknown): readonly string[] {
  const root: JsonSchema = {
    type: "object",
    properties: { spec: { type: "object", properties: { x: schema } } },
  };
  const options = old === undefined ? {} : { old: { spec: { x: old } } };
  return validateSchema({ spec: { x: value } }, root, options).map(
    ({ field, message }) => `${field}: ${message}`,
  );
}

describe("validateSchema (API-1.16)", () => {
  test("accepts the greatest int64 as an integer", () => {
    const schema: JsonSchema = { type: "integer", format: "int64" };
    expect(problems(schema, JSON.parse("9223372036854775807"))).toEqual([]);
    expect(problems(schema, 2 ** 64)).not.toEqual([]);
  });

  test.each<[JsonSchema, unknown, string]>([
    [
      { type: "string" },
      5,
      'Invalid value: "integer": spec.x in body must be of type string: "integer"',
    ],
    [
      { type: "integer" },
      "a",
      'Invalid value: "string": spec.x in body must be of type integer: "string"',
    ],
    [
      { type: "boolean" },
      [],
      'Invalid value: "array": spec.x in body must be of type boolean: "array"',
    ],
    [
      { type: "array" },
      {},
      'Invalid value: "object": spec.x in body must be of type array: "object"',
    ],
    [
      { type: "object" },
      null,
      'Invalid value: "null": spec.x in body must be of type object: "null"',
    ],
    [
      { "x-kubernetes-int-or-string": true },
      true,
      'Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"',
    ],
    [
      { type: "string", enum: ["a", "b"] },
      "c",
      'Unsupported value: "c": supported values: "a", "b"',
    ],
    [{ type: "integer", enum: [1, 2] }, 3, 'Unsupported value: 3: supported values: "1", "2"'],
    [
      { type: "string", minLength: 2 },
      "é",
      'Invalid value: "é": spec.x in body should be at least 2 chars long',
    ],
    [{ type: "string", maxLength: 1 }, "ab", "Too long: may not be more than 1 bytes"],
    [
      { type: "string", pattern: "^a" },
      "b",
      "Invalid value: \"b\": spec.x in body should match '^a'",
    ],
    [
      { type: "integer", minimum: 2 },
      1,
      "Invalid value: 1: spec.x in body should be greater than or equal to 2",
    ],
    [
      { type: "integer", maximum: 2 },
      3,
      "Invalid value: 3: spec.x in body should be less than or equal to 2",
    ],
    [
      { type: "number", minimum: 0, exclusiveMinimum: true },
      0,
      "Invalid value: 0: spec.x in body should be greater than 0",
    ],
    [
      { type: "number", maximum: 1.5, exclusiveMaximum: true },
      1.5,
      "Invalid value: 1.5: spec.x in body should be less than 1.5",
    ],
    [
      { type: "integer", multipleOf: 5 },
      7,
      "Invalid value: 7: spec.x in body should be a multiple of 5",
    ],
    [
      { type: "number", multipleOf: 0.1 },
      0.25,
      "Invalid value: 0.25: spec.x in body should be a multiple of 0.1",
    ],
    [
      { type: "array", minItems: 1 },
      [],
      "Invalid value: 0: spec.x in body should have at least 1 items",
    ],
    [{ type: "array", maxItems: 1 }, [1, 2], "Too many: 2: must have at most 1 item"],
    [
      { type: "array", uniqueItems: true },
      [1, 1],
      'Invalid value: "": spec.x in body shouldn\'t contain duplicates',
    ],
    [
      { type: "object", minProperties: 1 },
      {},
      "Invalid value: 0: spec.x in body should have at least 1 properties",
    ],
    [{ type: "object", maxProperties: 1 }, { a: 1, b: 2 }, "Too many: 2: must have at most 1 item"],
    [
      { type: "object", additionalProperties: false },
      { a: 1 },
      'Invalid value: "a": spec.x.a in body is a forbidden property',
    ],
    [
      { type: "string", format: "date-time" },
      "yesterday",
      'Invalid value: "yesterday": spec.x in body must be of type date-time: "yesterday"',
    ],
    [
      { type: "string", format: "date-time" },
      5,
      'Invalid value: "int64": spec.x in body must be of type date-time: "int64"',
    ],
  ])("%j rejects %j", (schema, value, message) => {
    expect(problems(schema, value)).toEqual([`spec.x: ${message}`]);
  });

  test.each<[JsonSchema, unknown]>([
    [{}, null],
    [{ type: "string", nullable: true }, null],
    [{ type: "string", minLength: 2, maxLength: 2 }, "😀😀"],
    [{ type: "number" }, 5],
    [{ type: "integer" }, 5],
    [{ type: "number", multipleOf: 0.1 }, 0.3],
    [{ "x-kubernetes-int-or-string": true }, "50%"],
    [{ "x-kubernetes-int-or-string": true }, 50],
    [{ type: "string", format: "nonsense" }, "x"],
    // A quirk of the server: with a format, a list is accepted as a string.
    [{ type: "string", format: "date-time" }, []],
  ])("%j accepts %j", (schema, value) => {
    expect(problems(schema, value)).toEqual([]);
  });

  test("names fields in lists, maps and objects", () => {
    const schema: JsonSchema = {
      type: "array",
      items: {
        type: "object",
        required: ["name"],
        additionalProperties: { type: "integer" },
      },
    };
    expect(problems(schema, [{ name: 1 }, { b: "x" }])).toEqual([
      'spec.x[1].b: Invalid value: "string": spec.x[1].b in body must be of type integer: "string"',
      "spec.x[1].name: Required value",
    ]);
  });

  test("reports numbers outside of their type without a field", () => {
    expect(problems({ type: "integer", format: "int32" }, 2 ** 31)).toEqual([
      '<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x',
    ]);
    expect(problems({ type: "integer" }, 1.5)).toEqual([
      'spec.x: Invalid value: "number": spec.x in body must be of type integer: "number"',
      '<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.x',
    ]);
    expect(problems({ type: "number", format: "float" }, 1e300)).toHaveLength(1);
  });

  test("reports bounds outside of the type, and still compares with them", () => {
    expect(problems({ type: "integer", maximum: 2.5 }, 3)).toEqual([
      '<nil>: Invalid value: "": Maximum boundary value must be of type integer (default format) in spec.x',
      "spec.x: Invalid value: 3: spec.x in body should be less than or equal to 2.5",
    ]);
  });

  test("explains alternatives by the best match", () => {
    const a: JsonSchema = { required: ["a"] };
    const b: JsonSchema = { properties: { n: { minimum: 5 } }, required: ["b"] };
    expect(problems({ type: "object", oneOf: [a, b] }, {})).toContain(
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found none valid',
    );
    expect(problems({ type: "object", oneOf: [a, b] }, { a: 1, b: 1 })).toEqual([
      '<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ]);
    expect(problems({ type: "object", anyOf: [a, b] }, {})).toEqual([
      '<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf)',
      "spec.x.a: Required value",
    ]);
    expect(problems({ type: "object", allOf: [a, b] }, { a: 1 })).toEqual([
      "spec.x.b: Required value",
      '<nil>: Invalid value: "": "spec.x" must validate all the schemas (allOf)',
    ]);
    expect(problems({ type: "object", allOf: [a, b] }, {})).toContain(
      '<nil>: Invalid value: "": "spec.x" must validate all the schemas (allOf). None validated',
    );
    expect(problems({ type: "object", not: a }, { a: 1 })).toEqual([
      '<nil>: Invalid value: "": "spec.x" must not validate the schema (not)',
    ]);
    expect(problems({ type: "object", anyOf: [a, b], not: { required: ["c"] } }, { a: 1 })).toEqual(
      [],
    );
  });

  test("validates a value below a prefix, like the status", () => {
    const errors = validateSchema(
      { phase: 5 },
      { properties: { phase: { type: "string" } } },
      { field: "status" },
    );
    expect(errors).toEqual([
      {
        reason: "FieldValueTypeInvalid",
        field: "status.phase",
        message: 'Invalid value: "integer": phase in body must be of type string: "integer"',
      },
    ]);
  });

  test("accepts only unchanged invalid values in an update (ratcheting)", () => {
    expect(problems({ type: "integer", maximum: 5 }, 50, 50)).toEqual([]);
    expect(problems({ type: "integer", maximum: 5 }, 51, 50)).toHaveLength(1);
    const nested: JsonSchema = {
      type: "object",
      properties: { a: { type: "integer", maximum: 5 }, b: { type: "string" } },
    };
    expect(problems(nested, { a: 9, b: "new" }, { a: 9, b: "old" })).toEqual([]);
  });

  test("matches items only in lists of the type map", () => {
    const items: JsonSchema = {
      type: "object",
      properties: { name: { type: "string" }, n: { type: "integer", maximum: 5 } },
    };
    const list: JsonSchema = { type: "array", items };
    const map: JsonSchema = {
      ...list,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
    };
    const old = [{ name: "a", n: 9 }];
    const changed = [
      { name: "b", n: 1 },
      { name: "a", n: 9 },
    ];
    expect(problems(map, changed, old)).toEqual([]);
    expect(problems(list, changed, old)).toHaveLength(1);
  });

  test("accepts every value under an empty schema, and never throws", () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom("string", "integer", "array", "object"),
        (value, type) => {
          expect(validateSchema(value, {})).toEqual([]);
          expect(validateSchema(value, { type })).toBeInstanceOf(Array);
        },
      ),
    );
  });
});

describe("formats of strings", () => {
  test.each([
    [
      "date-time",
      ["2024-02-29T23:59:59Z", "2024-01-01T00:00:00.5+01:00"],
      ["2023-02-29T00:00:00Z", "2024-01-01", "2024-01-01T25:00:00Z"],
    ],
    ["date", ["2024-02-29"], ["2023-02-29", "2024-1-1"]],
    ["email", ["a@b", "Name <a.b@c.example>"], ["nope", "a@", "a b@c"]],
    ["hostname", ["a", "a.example.com", "1host"], ["-a", "a..b", "a.b1!"]],
    ["ipv4", ["1.2.3.4"], ["1.2.3", "1.2.3.256", "::1"]],
    ["ipv6", ["::1", "1:2:3:4:5:6:7:8", "::ffff:1.2.3.4"], ["1.2.3.4", "1::2::3", "12345::"]],
    ["cidr", ["10.0.0.0/8", "fd00::/64"], ["10.0.0.0/33", "10.0.0.0"]],
    ["mac", ["01:23:45:67:89:ab", "0123.4567.89ab"], ["01:23:45", "01-23:45:67:89:ab"]],
    ["uri", ["http://a/b", "/path"], ["a b", "relative", "http://a/%zz"]],
    ["uuid", ["8a1d6e4e-0c7e-4b62-8f6b-0a5d8b4f2c11"], ["8a1d"]],
    ["uuid4", ["8a1d6e4e-0c7e-4b62-8f6b-0a5d8b4f2c11"], ["8a1d6e4e-0c7e-3b62-8f6b-0a5d8b4f2c11"]],
    ["isbn", ["0321751043", "978-0321751041"], ["0321751044"]],
    ["creditcard", ["4111-1111-1111-1111"], ["4111111111111112"]],
    ["ssn", ["111-22-3333"], ["111-22-333"]],
    ["hexcolor", ["#fff", "A0b1C2"], ["#ggg"]],
    ["rgbcolor", ["rgb(1, 2,255)"], ["rgb(1,2,256)"]],
    ["byte", ["aGk=", ""], ["a", "a*=="]],
    ["duration", ["1h30m", "22 ns", "3 weeks", "0"], ["soon", "5"]],
    ["bsonobjectid", ["507f1f77bcf86cd799439011"], ["507f"]],
    ["k8s-short-name", ["a-1"], ["A", "a.b"]],
    ["k8s-long-name", ["a.b-1"], ["a..b"]],
    ["password", ["anything"], []],
  ])("%s accepts %j and rejects %j", (format, good, bad) => {
    expect(supportedFormat("string", format)).toBe(format);
    expect(good.filter((one) => !hasFormat(one, format))).toEqual([]);
    expect(bad.filter((one) => hasFormat(one, format))).toEqual([]);
  });

  test("ignores formats that do not belong to the type", () => {
    expect(supportedFormat("integer", "date")).toBe("");
    expect(supportedFormat("object", "int32")).toBe("");
    expect(supportedFormat("number", "double")).toBe("double");
  });
});

describe("matchesPattern", () => {
  test("supports syntax of Go's regular expressions that JavaScript lacks", () => {
    expect(matchesPattern("ABC", "(?i)^abc$")).toBe(true);
    expect(matchesPattern("a1", "\\A[[:alpha:]][[:digit:]]\\z")).toBe(true);
    expect(matchesPattern("x", "(?P<name>x)")).toBe(true);
  });

  test("matches nothing with a broken pattern", () => {
    expect(matchesPattern("x", "(")).toBe(false);
  });
});
