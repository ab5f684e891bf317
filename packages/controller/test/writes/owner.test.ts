import { describe, expect, test } from "vitest";
import { controllerReference, ownerOf } from "@listwatch/controller";

describe("controllerReference", () => {
  const owner = { metadata: { namespace: "shop", name: "owner", uid: "1" } };
  const expected = {
    apiVersion: "example.com/v1",
    kind: "Widget",
    name: "owner",
    uid: "1",
    controller: true,
    blockOwnerDeletion: true,
  };

  test("uses only the type of an object that has one", () => {
    const widget = {
      apiVersion: "example.com/v1",
      kind: "Widget",
      ...owner,
      spec: { size: 3 },
      status: { ready: true },
    };
    expect(controllerReference(widget, widget)).toEqual(expected);
  });

  test("uses the type of a handle, with a group and without", () => {
    const widgets = { group: "example.com", version: "v1", kind: "Widget", resource: "widgets" };
    expect(controllerReference(owner, widgets)).toEqual(expected);
    expect(controllerReference(owner, { ...widgets, group: "" }).apiVersion).toBe("v1");
  });

  test("rejects a value without a type, such as an object of a list", () => {
    for (const type of [owner, { apiVersion: "v1" }, { group: "apps", kind: "A" }, null]) {
      // An untyped call.
      expect(() => Reflect.apply(controllerReference, undefined, [owner, type])).toThrow(
        "Cannot use the option type: expected an object with apiVersion and kind, or with group,",
      );
    }
  });
});

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

  test("that do not manage the object count only with anyOwner", () => {
    const child = {
      metadata: { namespace: "shop", ownerReferences: [{ ...reference, controller: false }] },
    };
    const kind = { group: "example.com", kind: "Widget" };
    expect(ownerOf(kind)(child)).toEqual([]);
    expect(ownerOf({ ...kind, anyOwner: true })(child)).toEqual(["shop/owner"]);
    expect(() => controllerReference({ metadata: { name: "new" } }, reference)).toThrow(TypeError);
  });
});
