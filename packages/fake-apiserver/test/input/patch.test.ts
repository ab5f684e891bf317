import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyJsonPatch, decodeJsonPatch } from "../../src/input/json-patch.ts";
import { applyMergePatch, decodeMergePatch } from "../../src/input/merge-patch.ts";
import { ApiError } from "../../src/api/api-error.ts";

function patched(object: unknown, operations: readonly object[]): unknown {
  return applyJsonPatch(object, decodeJsonPatch(JSON.stringify(operations)).operations);
}

function refusal(action: () => unknown): { code: number; message: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("Nothing was refused");
}

const generic = "the server rejected our request due to an error in our request";

describe("JSON Patch (RFC 6902, API-1.13)", () => {
  const object = { spec: { size: 1, args: ["a", "b"] }, "a/b": { "~": 1 } };

  test.each([
    [
      [{ op: "add", path: "/spec/color", value: "red" }],
      { size: 1, args: ["a", "b"], color: "red" },
    ],
    [[{ op: "replace", path: "/spec/size", value: 2 }], { size: 2, args: ["a", "b"] }],
    [[{ op: "remove", path: "/spec/size" }], { args: ["a", "b"] }],
    [[{ op: "add", path: "/spec/args/0", value: "x" }], { size: 1, args: ["x", "a", "b"] }],
    [[{ op: "add", path: "/spec/args/2", value: "x" }], { size: 1, args: ["a", "b", "x"] }],
    [[{ op: "add", path: "/spec/args/-", value: "x" }], { size: 1, args: ["a", "b", "x"] }],
    [[{ op: "remove", path: "/spec/args/-1" }], { size: 1, args: ["a"] }],
    [[{ op: "move", from: "/spec/size", path: "/spec/n" }], { n: 1, args: ["a", "b"] }],
    [[{ op: "copy", from: "/spec/size", path: "/spec/n" }], { size: 1, n: 1, args: ["a", "b"] }],
    [[{ op: "test", path: "/spec/size", value: 1 }], { size: 1, args: ["a", "b"] }],
    [[{ op: "test", path: "/spec/none", value: null }], { size: 1, args: ["a", "b"] }],
    [[{ op: "add", path: "/spec/size", value: null }], { size: null, args: ["a", "b"] }],
    [[{ op: "add", path: "/spec/size" }], { size: null, args: ["a", "b"] }],
    [[{ op: "replace", path: "/spec/none", value: 2 }], { size: 1, args: ["a", "b"], none: 2 }],
    [[{ op: "copy", from: "/spec/none", path: "/spec/n" }], { size: 1, args: ["a", "b"], n: null }],
  ])("applies %j", (operations, spec) => {
    expect(patched(object, operations)).toEqual({ ...object, spec });
  });

  test("supports escaped keys", () => {
    expect(patched(object, [{ op: "replace", path: "/a~1b/~0", value: 2 }])).toMatchObject({
      "a/b": { "~": 2 },
    });
  });

  test("never changes the object, and shares unchanged parts", () => {
    const frozen = structuredClone(object);
    const result = patched(object, [{ op: "replace", path: "/spec/size", value: 2 }]);
    expect(object).toEqual(frozen);
    expect(result).toHaveProperty("a/b", object["a/b"]);
  });

  test.each([
    [{ op: "test", path: "/spec/size", value: 999 }],
    [{ op: "test", path: "/none/size", value: null }],
    [{ op: "remove", path: "/spec/none" }],
    [{ op: "replace", path: "/none/size", value: 1 }],
    [{ op: "replace", path: "/spec/args/2", value: 1 }],
    [{ op: "move", from: "/spec/none", path: "/spec/x" }],
    [{ op: "add", path: "/none/x", value: 1 }],
    [{ op: "add", path: "/spec/args/9", value: 1 }],
    [{ op: "add", path: "/spec/args/x", value: 1 }],
    [{ op: "add", path: "/spec/size/x", value: 1 }],
    [{ op: "copy", from: "/none/size", path: "/spec/x" }],
    [{ op: "add", path: "", value: 1 }],
    [{ op: "replace", path: "", value: 1 }],
    [{ op: "bogus", path: "/spec/x" }],
    [{ path: "/spec/x" }],
    [{ op: "remove" }],
    [{ op: "move", path: "/spec/x" }],
  ])("answers %j with the generic 422", (operation) => {
    expect(refusal(() => patched(object, [operation]))).toEqual({ code: 422, message: generic });
  });

  test("sorts the members of objects on the paths of operations, and of no others", () => {
    const operations = [{ op: "add", path: "/b/n", value: { z: 1, a: 2 } }];
    const result = patched({ c: { y: 1, x: 2 }, b: { q: 1, d: [{ f: 1, e: 2 }] } }, operations);
    expect(JSON.stringify(result)).toBe(
      '{"b":{"d":[{"f":1,"e":2}],"n":{"z":1,"a":2},"q":1},"c":{"y":1,"x":2}}',
    );
  });

  test("treats __proto__ as a key like any other key", () => {
    const result = patched({}, [{ op: "add", path: "/__proto__", value: { polluted: true } }]);
    expect(Object.keys(Object(result))).toEqual(["__proto__"]);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });

  test.each([
    [
      '{"op":"add"}',
      "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
    ],
    ["[5]", "cannot unmarshal number into Go value of type handlers.jsonPatchOp"],
    ['[{"op":5}]', "cannot unmarshal number into Go struct field jsonPatchOp.op of type string"],
    ["{", "error decoding patch: unexpected end of JSON input"],
  ])("rejects %s with 400", (text, message) => {
    const { code, message: actual } = refusal(() => decodeJsonPatch(text));
    expect(code).toBe(400);
    expect(actual).toContain(message);
  });

  test("has no operations when it is null, and an unknown operation where one is null", () => {
    expect(decodeJsonPatch("null").operations).toEqual([]);
    const { operations } = decodeJsonPatch("[null]");
    expect(refusal(() => applyJsonPatch({}, operations))).toEqual({ code: 422, message: generic });
  });

  test("rejects more than 10,000 operations with 413", () => {
    const operations = Array.from({ length: 10_001 }, () => ({ op: "test", path: "/x" }));
    expect(refusal(() => decodeJsonPatch(JSON.stringify(operations)))).toEqual({
      code: 413,
      message: "The allowed maximum operations in a JSON patch is 10000, got 10001",
    });
  });

  test("reports unknown and duplicate fields of operations for strict validation (API-1.18)", () => {
    const { strictErrors } = decodeJsonPatch('[{"op":"test","path":"/x","path":"/y","bogus":1}]');
    expect(strictErrors).toEqual([
      'json patch duplicate field "[0].path"',
      'json patch unknown field "[0].bogus"',
    ]);
  });
});

describe("JSON Merge Patch (RFC 7386, API-1.13)", () => {
  test("deletes members with null, merges objects and replaces everything else", () => {
    expect(
      applyMergePatch(
        { a: 1, b: { c: 2, d: 3 }, e: [1, 2] },
        { a: null, b: { c: 4 }, e: [{ x: null }], f: { g: null, h: 1 } },
      ),
    ).toEqual({ b: { c: 4, d: 3 }, e: [{}], f: { h: 1 } });
  });

  test("sorts the members of merged or added objects, and of no others", () => {
    const object = { c: { y: 1, x: 2 }, b: { q: 1, d: 2 } };
    expect(JSON.stringify(applyMergePatch(object, { b: { n: { z: 1, a: 2 } } }))).toBe(
      '{"b":{"d":2,"n":{"a":2,"z":1},"q":1},"c":{"y":1,"x":2}}',
    );
  });

  test("drops nulls in added objects, like the server, but not null items of arrays", () => {
    expect(applyMergePatch({}, { list: [null, { x: null }] })).toEqual({ list: [null, {}] });
    expect(applyMergePatch({ a: 5 }, { a: { b: null } })).toEqual({ a: {} });
    expect(applyMergePatch({ a: {} }, { a: [{ b: null }] })).toEqual({ a: [{ b: null }] });
  });

  test("is idempotent, and never changes the object", () => {
    // Scalars only: an object in an array keeps or loses its nulls depending on the previous value.
    const scalar = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
    const json = fc.oneof(scalar, fc.array(scalar), fc.dictionary(fc.string(), scalar));
    const document = fc.dictionary(fc.constantFrom("a", "b", "__proto__"), json);
    fc.assert(
      fc.property(document, document, (object, patch) => {
        const before = JSON.stringify(object);
        const once = applyMergePatch(object, patch);
        expect(applyMergePatch(once, patch)).toEqual(once);
        expect(JSON.stringify(object)).toBe(before);
      }),
    );
  });

  test.each([["[]"], ['"x"'], ["{"], [""], ["5"]])("rejects %j with 400", (text) => {
    expect(refusal(() => decodeMergePatch(text))).toMatchObject({
      code: 400,
      message: expect.stringContaining("error decoding patch: ") as string,
    });
  });

  test("rejects null with the message of the merge library", () => {
    const refused = { code: 400, message: "Invalid JSON Patch" };
    expect(refusal(() => decodeMergePatch(" null\n"))).toEqual(refused);
  });

  test("reports duplicate keys for strict validation (API-1.18)", () => {
    expect(decodeMergePatch('{"spec":{"a":1,"a":2}}')).toEqual({
      patch: { spec: { a: 2 } },
      strictErrors: ['duplicate field "spec.a"'],
    });
  });
});
