import { describe, expect, test } from "vitest";
import { decodeObjectMeta } from "../../src/input/object-meta.ts";
import { MetaTypeError } from "../../src/input/errors.ts";

describe("decodeObjectMeta", () => {
  test("returns plain metadata without a copy", () => {
    const metadata = { name: "a", namespace: "b", labels: { x: "y" } };
    expect(decodeObjectMeta(metadata).metadata).toBe(metadata);
  });

  test("drops null and empty values, like a typed decoder", () => {
    const { metadata, unknown } = decodeObjectMeta({
      name: "a",
      namespace: null,
      generateName: "",
      labels: {},
      annotations: null,
      finalizers: [],
      ownerReferences: [],
      creationTimestamp: null,
      generation: 0,
    });
    expect(metadata).toEqual({ name: "a", generation: 0 });
    expect(unknown).toEqual([]);
  });

  test("names unknown fields", () => {
    const { metadata, unknown } = decodeObjectMeta({
      name: "a",
      bogus: 1,
      constructor: "x",
      ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: "u", other: true }],
    });
    expect(unknown).toEqual([
      "metadata.bogus",
      "metadata.constructor",
      "metadata.ownerReferences[0].other",
    ]);
    expect(metadata.ownerReferences).toEqual([
      { apiVersion: "v1", kind: "Pod", name: "p", uid: "u" },
    ]);
  });

  test("writes owner references in full, and times in UTC with whole seconds", () => {
    const { metadata } = decodeObjectMeta({
      ownerReferences: [{ name: "p", controller: true, blockOwnerDeletion: null }],
      creationTimestamp: "2026-01-02T05:04:05.678+02:00",
    });
    expect(metadata).toEqual({
      ownerReferences: [{ apiVersion: "", kind: "", name: "p", uid: "", controller: true }],
      creationTimestamp: "2026-01-02T03:04:05Z",
    });
  });

  test.each([
    ["text", "cannot unmarshal string into Go struct field ObjectMeta.metadata"],
    [{ name: 1 }, "cannot unmarshal number into Go struct field ObjectMeta.name of type string"],
    [{ labels: { a: 1 } }, "cannot unmarshal number into Go struct field ObjectMeta.labels"],
    [{ labels: "x" }, "cannot unmarshal string into Go struct field ObjectMeta.labels of type map"],
    [{ finalizers: {} }, "cannot unmarshal object into Go struct field ObjectMeta.finalizers"],
    [{ generation: "1" }, "cannot unmarshal string into Go struct field ObjectMeta.generation"],
    [{ generation: 1.5 }, "cannot unmarshal number 1.5 into Go struct field"],
    [{ ownerReferences: [1] }, "cannot unmarshal number into Go struct field"],
    [{ ownerReferences: [{ controller: "yes" }] }, "ObjectMeta.ownerReferences.controller of type"],
    [{ deletionTimestamp: "2026-13-01T00:00:00Z" }, 'parsing time "2026-13-01T00:00:00Z"'],
    [
      { managedFields: [1] },
      "cannot unmarshal number into Go struct field ObjectMeta.managedFields",
    ],
  ])("rejects %j with the message of Go's decoder", (value, why) => {
    expect(() => decodeObjectMeta(value)).toThrow(MetaTypeError);
    expect(() => decodeObjectMeta(value)).toThrow(why);
  });
});
