import { describe, expect, test } from "vitest";
import { controllerReference, ownerOf } from "@listwatch/controller";

describe("owners", () => {
  const owner = { metadata: { namespace: "shop", name: "owner", uid: "1" } };
  const reference = controllerReference(owner, { apiVersion: "example.com/v1", kind: "Widget" });

  test("are found by group and kind in the namespace of the object, whatever the version", () => {
    const child = { metadata: { namespace: "shop", name: "c", ownerReferences: [reference] } };
    expect(ownerOf({ group: "example.com", kind: "Widget" })(child)).toEqual(["shop/owner"]);
    expect(ownerOf({ group: "example.com", kind: "Widget", scope: "Cluster" })(child)).toEqual([
      "owner",
    ]);
    expect(ownerOf({ group: "", kind: "Widget" })(child)).toEqual([]);
    expect(ownerOf({ group: "example.com", kind: "Gadget" })({ metadata: {} })).toEqual([]);
  });

  test("that do not manage the object count only when asked for", () => {
    const child = {
      metadata: { namespace: "shop", ownerReferences: [{ ...reference, controller: false }] },
    };
    const kind = { group: "example.com", kind: "Widget" };
    expect(ownerOf(kind)(child)).toEqual([]);
    expect(ownerOf({ ...kind, anyOwner: true })(child)).toEqual(["shop/owner"]);
    expect(() => controllerReference({ metadata: { name: "new" } }, reference)).toThrow(TypeError);
  });
});
