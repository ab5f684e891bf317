import { NoMetadataError } from "@listwatch/core-fifo";
import {
  IndexKeyError,
  indexFunctionToKeyFunction,
  metaNamespaceIndexFunction,
  namespaceIndex,
} from "@listwatch/store-indexer";
import { describe, expect, test } from "vitest";
import { pod, type Pod } from "../pod.ts";

describe("metaNamespaceIndexFunction", () => {
  test("returns the namespace, or an empty string for cluster-scoped objects", () => {
    expect(metaNamespaceIndexFunction(pod("a/web"))).toBe("a");
    expect(metaNamespaceIndexFunction(pod("node-1"))).toBe("");
    expect(namespaceIndex.namespace(pod("b/web"))).toBe("b");
  });

  test("throws for an object without metadata", () => {
    expect(() => metaNamespaceIndexFunction("text")).toThrow(NoMetadataError);
    expect(() => metaNamespaceIndexFunction({ metadata: null })).toThrow(NoMetadataError);
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
        return error instanceof IndexKeyError ? [error.code, error.count] : error;
      }
    });
    expect(counts).toEqual([
      ["LW_INDEX_KEY_COUNT", 0],
      ["LW_INDEX_KEY_COUNT", 2],
    ]);
  });
});
