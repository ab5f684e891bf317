import { describe, expect, test } from "vitest";
import {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  type Predicate,
} from "@listwatch/controller";
import { createMappingHandler, ownKey } from "../../src/reconcile/mapping-handler.ts";

describe("predicates", () => {
  const old = { metadata: { generation: 1, labels: { a: "1" }, annotations: {} } };
  const relabelled = { metadata: { generation: 1, labels: { a: "2" }, annotations: {} } };

  test("accept updates of the part that they watch", () => {
    expect(labelsChanged.update(old, relabelled)).toBe(true);
    expect(labelsChanged.update(old, old)).toBe(false);
    expect(generationChanged.update(old, relabelled)).toBe(false);
    expect(annotationsChanged.update(old, relabelled)).toBe(false);
  });

  test.each([
    ["generationChanged", generationChanged],
    ["labelsChanged", labelsChanged],
    ["annotationsChanged", annotationsChanged],
  ])("%s passes another object of the name, in the same state", (_, predicate) => {
    const first = { metadata: { name: "a", uid: "1", generation: 1, labels: {} } };
    const second = { metadata: { ...first.metadata, uid: "2" } };
    expect(predicate.update(first, second)).toBe(true);
    expect(predicate.update(first, { metadata: { ...first.metadata } })).toBe(false);
  });

  test("combine, and accept changes that they do not cover", () => {
    const any: Predicate<unknown> = anyOf(generationChanged, labelsChanged);
    const all: Predicate<unknown> = allOf(generationChanged, labelsChanged);
    expect(any.update?.(old, relabelled)).toBe(true);
    expect(all.update?.(old, relabelled)).toBe(false);
    expect([any.add?.(old), all.add?.(old)]).toEqual([true, true]);
    const deleted = { stale: false, key: "a", object: old } as const;
    expect([any.delete?.(deleted), all.delete?.(deleted)]).toEqual([true, true]);
  });
});

describe("a predicate that fails", () => {
  test.each([
    [
      "throws",
      () => {
        throw new TypeError("it has no spec");
      },
      "it has no spec",
    ],
    // An untyped predicate may be asynchronous.
    [
      "gives a promise",
      (async () => false) as unknown as () => boolean,
      "must not be asynchronous",
    ],
  ])("accepts the change and passes its error to the informer: one that %s", (_, fail, message) => {
    const failing: Predicate<unknown> = { add: fail, update: fail, delete: fail };
    for (const predicate of [failing, anyOf(failing), allOf(failing)]) {
      const added: string[] = [];
      const handler = createMappingHandler(ownKey, true, { predicate }, (key) => added.push(key));
      const object = { metadata: { name: "a" } };
      expect(() => handler.onAdd?.(object, false)).toThrow(message);
      expect(() => handler.onUpdate?.(object, object)).toThrow(message);
      expect(() => handler.onDelete?.({ stale: false, key: "a", object })).toThrow(message);
      expect(added).toEqual(["a", "a", "a"]);
    }
  });
});
