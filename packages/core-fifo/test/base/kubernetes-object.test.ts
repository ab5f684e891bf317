import { describe, expect, test } from "vitest";
import { metadataOf, resourceVersionOf } from "@listwatch/core-fifo/base";

describe("reading any value as a Kubernetes object", () => {
  test("metadata is found by value, whatever the value is", () => {
    const metadata = { name: "a" };
    expect(metadataOf({ metadata })).toBe(metadata);
    for (const value of [undefined, null, 1, "text", {}, { metadata: null }, { metadata: "x" }]) {
      expect(metadataOf(value)).toBeUndefined();
    }
  });

  test("a resourceVersion is empty when metadata has none, and undefined without metadata (STO-14)", () => {
    expect(resourceVersionOf({ metadata: { resourceVersion: "7" } })).toBe("7");
    expect(resourceVersionOf({ metadata: {} })).toBe("");
    expect(resourceVersionOf({ metadata: { resourceVersion: 7 } })).toBe("");
    expect(resourceVersionOf("text")).toBeUndefined();
  });
});
