import { createConnection, defineResource } from "@listwatch/client";
import type { V1Pod } from "@kubernetes/client-node";
import type { Cached, Key, KubernetesObject } from "@listwatch/core-fifo";
import { httpListerWatcher } from "@listwatch/reflector";
import { namespaceIndex, type Lister, type NoIndexes } from "@listwatch/store-indexer";
import { describe, expectTypeOf, test } from "vitest";
import {
  InformerView,
  newInformer,
  SharedInformer,
  SharedInformerFactory,
  type Deleted,
  type Informer,
  type InformerStatus,
  type NamespaceIndex,
} from "../../src/index.ts";

const connection = createConnection({ server: "http://cluster" });
const pods = { group: "", version: "v1", resource: "pods" };

interface Widget {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly size: number; readonly colors?: readonly string[] };
}
const widgets = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  resource: "widgets",
  kind: "Widget",
  scope: "Namespaced",
});

describe("types", () => {
  test("of objects and indexes are inferred from the options", () => {
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
    // @ts-expect-error -- no such index
    void (() => informer.store.byIndex("rack", "r1"));
    // @ts-expect-error -- the cache is read-only
    void (() => informer.store.add({}));
    const more = informer.addIndexers({ ready: (pod: V1Pod) => pod.status?.phase === "Running" });
    expectTypeOf(more.store.byIndex("ready", true)).toEqualTypeOf<Cached<V1Pod>[]>();
  });

  test("keep the class of the informer when indexes are added, and include the new ones", () => {
    const informer = new SharedInformer({
      listerWatcher: httpListerWatcher<V1Pod>({ connection, resource: pods }),
      indexers: namespaceIndex,
    });
    const more = informer.addIndexers({ ready: (pod) => pod.status?.phase === "Running" });
    expectTypeOf(more).toEqualTypeOf<
      SharedInformer<V1Pod, { namespace: string } & { ready: boolean }>
    >();
    expectTypeOf(more.status()).toEqualTypeOf<InformerStatus>();
    void (() => more.store.byIndex("namespace", "shop"));
    void (() => more.setTransform(undefined));
    const view = new InformerView([more]).addIndexers({ phase: (pod) => pod.status?.phase });
    expectTypeOf(view).toEqualTypeOf<InformerView<V1Pod, NoIndexes & { phase: string }>>();
    expectTypeOf(view.isFresh({ withinMs: 0 })).toEqualTypeOf<boolean>();
    expectTypeOf(view.store.byIndex("phase", "Running")).toEqualTypeOf<Cached<V1Pod>[]>();
  });

  test("of a factory's informers are inferred from the handle and the indexers", () => {
    const factory = new SharedInformerFactory({ connection });
    const informer = factory.informer(widgets, {
      indexers: { size: (widget) => widget.spec.size, color: (widget) => widget.spec.colors },
      cache: { transform: (widget) => ({ ...widget, spec: { size: widget.spec.size } }) },
    });
    informer.addEventHandler({
      onUpdate: (old, widget) => expectTypeOf(widget).toEqualTypeOf<Cached<Widget>>(),
    });
    expectTypeOf(informer.store.byIndex("size", 3)).toEqualTypeOf<Cached<Widget>[]>();
    expectTypeOf(informer.store.byIndex("color", "red")).toEqualTypeOf<Cached<Widget>[]>();
    expectTypeOf(informer.store.byIndex("namespace", "a")).toEqualTypeOf<Cached<Widget>[]>();
    // @ts-expect-error -- sizes are numbers
    void (() => informer.store.byIndex("size", "3"));
    // @ts-expect-error -- no such index
    void (() => informer.store.byIndex("rack", "r1"));
    expectTypeOf(factory.lister(widgets).list()).toEqualTypeOf<Cached<Widget>[]>();
  });

  test("of keys are inferred from the scope of the handle, also for indexes and views", () => {
    const nodes = defineResource<KubernetesObject, "Cluster">({
      group: "",
      version: "v1",
      resource: "nodes",
      kind: "Node",
      scope: "Cluster",
    });
    const factory = new SharedInformerFactory({ connection });
    const informer = factory.informer(widgets).addIndexers({ size: ({ spec }) => spec.size });
    const view = new InformerView([informer]).addIndexers({ large: ({ spec }) => spec.size > 9 });
    expectTypeOf(view).toEqualTypeOf<
      InformerView<Widget, NoIndexes & { large: boolean }, "Namespaced">
    >();
    for (const { lister } of [informer, view, factory.informer(widgets)]) {
      expectTypeOf(lister).toEqualTypeOf<Lister<Widget, "Namespaced">>();
      expectTypeOf(lister).pick("find").toEqualTypeOf<{
        find: (key: Key<"Namespaced">) => Cached<Widget> | undefined;
      }>();
      // @ts-expect-error -- the key of a namespaced object has a namespace
      void (() => lister.get("web-0"));
    }
    const listerWatcher = httpListerWatcher({ connection, resource: widgets });
    const single = new SharedInformer({ listerWatcher, cache: { resource: widgets } });
    expectTypeOf(single).toEqualTypeOf<SharedInformer<Widget, NoIndexes, "Namespaced">>();
    const created = newInformer({}, { listerWatcher, cache: { resource: widgets } });
    expectTypeOf(created).toEqualTypeOf<SharedInformer<Widget, NoIndexes, "Namespaced">>();
    expectTypeOf(factory.lister(nodes)).toEqualTypeOf<Lister<KubernetesObject, "Cluster">>();
    expectTypeOf(factory.lister(pods)).toEqualTypeOf<Lister<KubernetesObject>>();
    // An informer of one scope is assignable to one of any scope.
    const anyScope: Informer<Widget, NamespaceIndex> = informer;
    expectTypeOf(anyScope.lister).toEqualTypeOf<Lister<Widget>>();
  });

  test("of a factory's informers come from a type parameter for a plain reference", () => {
    const factory = new SharedInformerFactory({ connection });
    expectTypeOf(factory.lister<V1Pod>(pods).list()).toEqualTypeOf<Cached<V1Pod>[]>();
    expectTypeOf(factory.informer(pods).store.list()).toEqualTypeOf<Cached<KubernetesObject>[]>();
  });

  test("of events are distinguished by their type", () => {
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
