import { createConnection } from "@listwatch/client";
import type { V1Pod } from "@kubernetes/client-node";
import type { KubernetesObject, Cached } from "@listwatch/core-fifo";
import { httpListerWatcher } from "@listwatch/reflector";
import { namespaceIndex } from "@listwatch/store-indexer";
import { describe, expectTypeOf, it } from "vitest";
import {
  newInformer,
  SharedInformer,
  SharedInformerFactory,
  type Deleted,
} from "../../src/index.ts";

const connection = createConnection({ server: "http://cluster" });
const pods = { group: "", version: "v1", resource: "pods" };

describe("types", () => {
  it("of objects and indexes are inferred from the options", () => {
    const informer = new SharedInformer({
      listerWatcher: httpListerWatcher<V1Pod>({ connection, resource: pods }),
      indexers: { ...namespaceIndex, node: (pod: V1Pod) => pod.spec?.nodeName },
    });
    informer.addEventHandler({
      onAdd: (pod, isInInitialList) => {
        expectTypeOf(pod).toEqualTypeOf<Cached<V1Pod>>();
        expectTypeOf(isInInitialList).toEqualTypeOf<boolean>();
      },
      onDelete: (deleted) => {
        expectTypeOf(deleted).toEqualTypeOf<Deleted<V1Pod>>();
        if (!deleted.stale) expectTypeOf(deleted.object).toEqualTypeOf<Cached<V1Pod>>();
      },
    });
    expectTypeOf(informer.store.byIndex("node", "n1")).toEqualTypeOf<Cached<V1Pod>[]>();
    // @ts-expect-error -- there is no such index
    void (() => informer.store.byIndex("rack", "r1"));
    // @ts-expect-error -- the cache is read-only
    void (() => informer.store.add({}));
    const more = informer.addIndexers({ ready: (pod: V1Pod) => pod.status?.phase === "Running" });
    expectTypeOf(more.store.byIndex("ready", true)).toEqualTypeOf<Cached<V1Pod>[]>();
  });

  it("of a factory's informers come from the type parameter", () => {
    const factory = new SharedInformerFactory({ connection });
    expectTypeOf(factory.lister<V1Pod>(pods).list()).toEqualTypeOf<Cached<V1Pod>[]>();
    expectTypeOf(factory.informer(pods).store.list()).toEqualTypeOf<Cached<KubernetesObject>[]>();
  });

  it("of events can be told apart by their type", () => {
    const informer = newInformer(
      {},
      { listerWatcher: httpListerWatcher<V1Pod>({ connection, resource: pods }) },
    );
    void (async () => {
      for await (const event of informer.events()) {
        if (event.type === "update") expectTypeOf(event.old).toEqualTypeOf<Cached<V1Pod>>();
        else if (event.type === "delete") expectTypeOf(event.stale).toEqualTypeOf<boolean>();
        else expectTypeOf(event.isInInitialList).toEqualTypeOf<boolean>();
      }
    });
  });
});
