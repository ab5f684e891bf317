import { namespaceIndex } from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { indexFunctionToKeyFunction } from "../../src/store/index-function.ts";
import { pod, type Pod } from "../pod.ts";

describe("the index function of namespaceIndex", () => {
  test("returns the namespace, or an empty string for cluster-scoped objects", () => {
    expect(namespaceIndex.namespace(pod("a/web"))).toBe("a");
    expect(namespaceIndex.namespace(pod("node-1"))).toBe("");
    expect(namespaceIndex.namespace(pod("b/web"))).toBe("b");
  });

  test("throws for an object without metadata", () => {
    expect(() => namespaceIndex.namespace("text")).toThrow(
      expect.objectContaining({ code: "LW_NO_METADATA" }),
    );
    expect(() => namespaceIndex.namespace({ metadata: null })).toThrow(
      expect.objectContaining({ code: "LW_NO_METADATA" }),
    );
  });
});

describe("indexFunctionToKeyFunction", () => {
  test("returns the only value as the key", () => {
    const byNode = indexFunctionToKeyFunction((object: Pod) => object.spec.nodeName);
    expect(byNode(pod("a/web", { nodeName: "n1" }))).toBe("n1");
    expect(indexFunctionToKeyFunction(() => [undefined, "x", null])({})).toBe("x");
  });

  test("throws for no value and for several", () => {
    const counts = [[], ["a", "b"]].map((values) => {
      try {
        return indexFunctionToKeyFunction(() => values)({});
      } catch (error) {
        return error;
      }
    });
    expect(counts).toMatchObject([
      { code: "LW_INDEX_KEY_COUNT", message: expect.stringMatching(/got 0$/) },
      { code: "LW_INDEX_KEY_COUNT", message: expect.stringMatching(/got 2$/) },
    ]);
  });
});
