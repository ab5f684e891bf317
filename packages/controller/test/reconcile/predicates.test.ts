import { describe, expect, expectTypeOf, test } from "vitest";
import {
  allOf,
  annotationsChanged,
  anyOf,
  generationChanged,
  labelsChanged,
  labelSelector,
  not,
  resourceVersionChanged,
  type Predicate,
} from "@listwatch/controller";
import * as client from "@listwatch/client";
import { LabelSelector } from "@listwatch/store-indexer";
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
    ["resourceVersionChanged", resourceVersionChanged],
    ["labelSelector", labelSelector("app=web")],
    ["not", not({ update: () => true })],
    ["allOf", allOf(generationChanged, not(labelSelector("!app")))],
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

describe("resourceVersionChanged", () => {
  test("passes writes, and not the updates of a resync", () => {
    const at = (resourceVersion: string) => ({
      metadata: { name: "a", uid: "1", resourceVersion },
    });
    expect(resourceVersionChanged.update(at("1"), at("2"))).toBe(true);
    expect(resourceVersionChanged.update(at("1"), at("1"))).toBe(false);
  });
});

describe("labelSelector", () => {
  const web = { metadata: { name: "a", labels: { app: "web" } } };
  const api = { metadata: { name: "a", labels: { app: "api" } } };

  test.each([
    ["a string", "app=web"],
    ["a parsed selector", LabelSelector.parse("app=web")],
    ["an object", { matchExpressions: [{ key: "app", operator: "In", values: ["web"] }] }],
  ])("decides by the labels, for an update by the new ones: %s", (_, selector) => {
    const predicate = labelSelector(selector);
    expect([predicate.add(web), predicate.add(api), predicate.add({})]).toEqual([
      true,
      false,
      false,
    ]);
    expect([predicate.update(api, web), predicate.update(web, api)]).toEqual([true, false]);
    expect(predicate.delete({ stale: false, key: "a", object: web })).toBe(true);
    expect(predicate.delete({ stale: true, key: "a", object: api })).toBe(false);
    expect(predicate.delete({ stale: true, key: "a" })).toBe(true);
  });

  test("selects nothing for null, and everything for an empty object", () => {
    expect([labelSelector(null).add(web), labelSelector({}).add(web)]).toEqual([false, true]);
  });

  test("refuses what is not a selector, before any change", () => {
    expect(() => labelSelector("app in web")).toThrow(/Cannot parse the selector/);
    expect(() => labelSelector({ app: "web" } as object)).toThrow(/got app/);
  });
});

describe("not", () => {
  const object = { metadata: { name: "a", uid: "1" } };

  test("inverts each member, also a missing one, which lets everything through", () => {
    const inverted = not(generationChanged);
    const next = { metadata: { ...object.metadata, generation: 2 } };
    expect(inverted.add(object)).toBe(false);
    expect(inverted.delete({ stale: false, key: "a", object })).toBe(false);
    expect([inverted.update(object, object), inverted.update(object, next)]).toEqual([true, false]);
    const twice = not(inverted);
    expect([twice.add(object), twice.update(object, object)]).toEqual([true, false]);
  });

  test("passes a deletion whose last state is unknown", () => {
    expect(not(labelSelector({})).delete({ stale: true, key: "a" })).toBe(true);
    expect(not(labelSelector({})).delete({ stale: true, key: "a", object })).toBe(false);
  });
});

describe("types of predicates", () => {
  interface Pod {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly nodeName: string };
  }

  test("combined ones know the object, and are those of the client", () => {
    const predicates: Predicate<Pod>[] = [
      allOf(generationChanged, {
        add: (pod) => pod.spec.nodeName === "n1",
        delete: (deleted) => deleted.object?.spec.nodeName === "n1",
      }),
      anyOf(generationChanged, labelsChanged),
      not(anyOf(labelSelector("app=web"), { update: (old, pod) => old.spec === pod.spec })),
    ];
    expectTypeOf(predicates).toEqualTypeOf<Predicate<Pod>[]>();
    expect([allOf, anyOf, not]).toEqual([client.allOf, client.anyOf, client.not]);
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
    for (const predicate of [failing, anyOf(failing), allOf(failing), not(failing)]) {
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
