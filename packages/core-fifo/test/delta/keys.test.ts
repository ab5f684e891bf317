import { describe, expect, test } from "vitest";
import * as fc from "fast-check";
import {
  deletionHandlingMetaNamespaceKey,
  deletionHandlingObjectName,
  DeletedFinalStateUnknown,
  ExplicitKey,
  metaNamespaceKey,
  objectName,
  splitMetaNamespaceKey,
} from "@listwatch/core-fifo";

const namespaced = { metadata: { namespace: "ns", name: "a" } };

describe("metaNamespaceKey", () => {
  test("is namespace/name, or the name alone for a cluster-scoped object", () => {
    expect(metaNamespaceKey(namespaced)).toBe("ns/a");
    expect(metaNamespaceKey({ metadata: { name: "a" } })).toBe("a");
    expect(metaNamespaceKey({ metadata: { namespace: "", name: "a" } })).toBe("a");
  });

  test("returns an explicit key unchanged", () => {
    expect(metaNamespaceKey(new ExplicitKey("any/key"))).toBe("any/key");
  });

  test.each([undefined, null, 1, "a", {}, { metadata: null }, { metadata: { namespace: "ns" } }])(
    "throws for %j, which has no metadata or no name",
    (value) => {
      expect(() => metaNamespaceKey(value)).toThrow(
        expect.objectContaining({ code: "LW_NO_METADATA" }),
      );
    },
  );

  test.each([null, 0, 7, true, {}, ["a"]])("has no key for an object named %j", (name) => {
    expect(() => metaNamespaceKey({ metadata: { name } })).toThrow(
      expect.objectContaining({ code: "LW_NO_METADATA" }),
    );
    expect(() => metaNamespaceKey({ metadata: { namespace: "ns", name } })).toThrow(
      /Cannot read metadata\.name: expected a (name|text), got /,
    );
  });

  test.each([0, 7, true, {}, ["a"]])(
    "has no key for an object in the namespace %j",
    (namespace) => {
      expect(() => metaNamespaceKey({ metadata: { namespace, name: "a" } })).toThrow(
        /Cannot read metadata\.namespace: expected a text, got /,
      );
    },
  );

  test("treats null as an absent namespace, as Go's decoder does", () => {
    expect(metaNamespaceKey({ metadata: { namespace: null, name: "a" } })).toBe("a");
    expect(metaNamespaceKey({ metadata: { name: null } }, { allowMissingName: true })).toBe("");
  });

  test("accepts an object without a name on request, as client-go does", () => {
    const options = { allowMissingName: true };
    expect(metaNamespaceKey({ metadata: {} }, options)).toBe("");
    expect(metaNamespaceKey({ metadata: { namespace: "ns" } }, options)).toBe("ns/");
    expect(() => metaNamespaceKey({}, options)).toThrow(
      expect.objectContaining({ code: "LW_NO_METADATA" }),
    );
  });

  test("accepts a tombstone only in its deletion handling form", () => {
    const tombstone = new DeletedFinalStateUnknown("gone/b", namespaced);
    expect(deletionHandlingMetaNamespaceKey(tombstone)).toBe("gone/b");
    expect(deletionHandlingMetaNamespaceKey(namespaced)).toBe("ns/a");
    expect(() => metaNamespaceKey(tombstone)).toThrow(
      expect.objectContaining({ code: "LW_NO_METADATA" }),
    );
  });
});

describe("object names", () => {
  test("come from metadata, and from the key of a tombstone", () => {
    expect(objectName(namespaced)).toEqual({ namespace: "ns", name: "a" });
    expect(deletionHandlingObjectName(namespaced)).toEqual({ namespace: "ns", name: "a" });
    expect(deletionHandlingObjectName(new DeletedFinalStateUnknown("x/y", undefined))).toEqual({
      namespace: "x",
      name: "y",
    });
  });

  test("split throws for a key with more than one slash and names the key", () => {
    expect(() => splitMetaNamespaceKey("a/b/c")).toThrow(
      expect.objectContaining({ code: "LW_KEY_FORMAT" }),
    );
    expect(() => deletionHandlingObjectName(new DeletedFinalStateUnknown("//", undefined))).toThrow(
      expect.objectContaining({
        code: "LW_KEY_FORMAT",
        message: expect.stringContaining('the key "//"'),
      }),
    );
  });

  test("a leading slash means an empty namespace, and is not written", () => {
    expect(splitMetaNamespaceKey("/x")).toEqual({ namespace: "", name: "x" });
    expect(metaNamespaceKey({ metadata: { namespace: "", name: "x" } })).toBe("x");
  });

  test("split reverses the key of any namespace and name", () => {
    const part = fc.string({ minLength: 1 }).filter((text) => !text.includes("/"));
    fc.assert(
      fc.property(fc.option(part, { nil: "" }), part, (namespace, name) => {
        expect(splitMetaNamespaceKey(metaNamespaceKey({ metadata: { namespace, name } }))).toEqual({
          namespace,
          name,
        });
      }),
    );
  });
});
