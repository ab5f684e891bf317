import { metaNamespaceKey, splitMetaNamespaceKey } from "@listwatch/core-fifo";
import {
  annotationsChanged,
  generationChanged,
  labelsChanged,
  ownerOf,
} from "@listwatch/controller";
import { expect, test } from "vitest";
// @boundaries-ignore a file of the repository that belongs to no package
import { growth, mostOfLinear, type Work } from "../../../../tests/support/growth.ts";
import { createMappingHandler } from "../../src/reconcile/mapping-handler.ts";

function range(size: number): string[] {
  return Array.from({ length: size }, (_, index) => `n${index}`);
}

function mapOf(size: number, value: string): Record<string, string> {
  return Object.fromEntries(range(size).map((name) => [name, value]));
}

/** Work for a part of an object whose size its author decides. */
const works: Readonly<Record<string, (size: number) => Work>> = {
  "the owners of an update": (size) => {
    const ownerReferences = range(size).map((name) => ({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      name,
      uid: name,
      controller: true,
    }));
    const objectOf = (resourceVersion: string): object => ({
      metadata: { name: "a", namespace: "default", resourceVersion, ownerReferences },
    });
    const [old, object] = [objectOf("1"), objectOf("2")];
    const keys = new Set<string>();
    const keysOf = ownerOf({ group: "apps", kind: "ReplicaSet" });
    const handler = createMappingHandler<object>(keysOf, false, {}, (key) => keys.add(key));
    return async () => {
      await handler.onUpdate?.(old, object);
      expect(keys.size).toBe(size);
    };
  },
  "predicates of labels and annotations": (size) => {
    const objectOf = (value: string): object => ({
      metadata: { labels: mapOf(size, "a"), annotations: { ...mapOf(size, "a"), last: value } },
    });
    const [old, object] = [objectOf("a"), objectOf("b")];
    return () => [
      generationChanged.update(old, object),
      labelsChanged.update(old, object),
      annotationsChanged.update(old, object),
    ];
  },
  "a key": (size) => {
    const [namespace, name] = ["n".repeat(size), "m".repeat(size)];
    return () => splitMetaNamespaceKey(metaNamespaceKey({ metadata: { namespace, name } }));
  },
};

test.each(Object.entries(works))("the time is linear: %s", async (_, prepare) => {
  expect(await growth(200, prepare)).toBeLessThan(mostOfLinear);
});
