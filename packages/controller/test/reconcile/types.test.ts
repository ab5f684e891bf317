import { createConnection, defineResource } from "@listwatch/client";
import type { Cached, Key, KubernetesObject } from "@listwatch/core-fifo";
import { httpListerWatcher } from "@listwatch/reflector";
import { InformerView, SharedInformer, SharedInformerFactory } from "@listwatch/shared-informer";
import { WorkQueue } from "@listwatch/workqueue";
import { Controller, ownerOf, type Reconcile } from "@listwatch/controller";
import { describe, expect, expectTypeOf, test } from "vitest";
import { configMapReference, server, type ConfigMap } from "../support/cluster.ts";

const connection = createConnection({ server });
const informer = new SharedInformer({
  listerWatcher: httpListerWatcher<ConfigMap>({ connection, resource: configMapReference }),
  indexers: { color: ({ data }) => [data?.["color"] === "red" ? "red" : "other"] },
});

interface Widget {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly size: number; readonly node: string };
}

const widgets = defineResource<Widget>({
  group: "example.com",
  version: "v1",
  resource: "widgets",
  kind: "Widget",
  scope: "Namespaced",
});
const nodes = defineResource<KubernetesObject, "Cluster">({
  group: "",
  version: "v1",
  resource: "nodes",
  kind: "Node",
  scope: "Cluster",
});
const factory = new SharedInformerFactory({ connection });
const widgetInformer = factory.informer(widgets, {
  indexers: { size: ({ spec }) => spec.size },
});

describe("types of a controller", () => {
  test("objects and indexes are inferred from the informer of the options", () => {
    const controller = new Controller({
      informer,
      reconcile: (key, context) => {
        expectTypeOf(key).toEqualTypeOf<string>();
        expectTypeOf(context.object).toEqualTypeOf<Cached<ConfigMap> | undefined>();
        // @ts-expect-error a cached object is read-only
        if (context.object !== undefined) context.object.metadata.name = "b";
        const { store } = context.informer;
        expectTypeOf(store.byIndex("color", "red")).toEqualTypeOf<Cached<ConfigMap>[]>();
        // @ts-expect-error -- not a value of this index
        store.byIndex("color", "blue");
        // @ts-expect-error -- no such index
        store.byIndex("size", 3);
      },
    });
    expectTypeOf(controller).toEqualTypeOf<Controller<ConfigMap, { color: "red" | "other" }>>();
  });

  test("keys are inferred from the scope of the informer's handle", () => {
    const controller = new Controller({
      informer: widgetInformer,
      reconcile: (key, { informer: { lister, store }, object }) => {
        expectTypeOf(key).toEqualTypeOf<Key<"Namespaced">>();
        expectTypeOf(object).toEqualTypeOf<Cached<Widget> | undefined>();
        expectTypeOf(lister.get(key)).toEqualTypeOf<Cached<Widget>>();
        expectTypeOf(store.byIndex("size", 3)).toEqualTypeOf<Cached<Widget>[]>();
        expectTypeOf(store.byIndex("namespace", "a")).toEqualTypeOf<Cached<Widget>[]>();
      },
    });
    controller.queue.add("shop/web");
    // @ts-expect-error -- the key of a namespaced object has a namespace
    controller.queue.add("web");
    new Controller({
      informer: factory.informer(nodes),
      reconcile: (key) => {
        expectTypeOf(key).toEqualTypeOf<string>();
      },
    }).queue.add("node-1");
  });

  test("are kept through added indexes and views", () => {
    const indexed = widgetInformer.addIndexers({ node: ({ spec }) => spec.node });
    const view = new InformerView([indexed], { indexers: { big: ({ spec }) => spec.size > 9 } });
    void new Controller({
      informer: indexed,
      reconcile: (key, context) => {
        expectTypeOf(key).toEqualTypeOf<Key<"Namespaced">>();
        expectTypeOf(context.informer.store.byIndex("node", "n1")).toEqualTypeOf<
          Cached<Widget>[]
        >();
      },
    });
    void new Controller({
      informer: view,
      reconcile: (key, context) => {
        expectTypeOf(key).toEqualTypeOf<Key<"Namespaced">>();
        expectTypeOf(context.informer.store.byIndex("big", true)).toEqualTypeOf<Cached<Widget>[]>();
        // @ts-expect-error -- a view has separate indexes
        void (() => context.informer.store.byIndex("node", "n1"));
      },
    });
  });

  test("owner keys must be of the controller's scope, like those of a handle", () => {
    const controller = new Controller({ informer: widgetInformer, reconcile: () => {} });
    controller.owns(informer, ownerOf(widgets));
    controller.owns(informer, widgets);
    controller.watches(informer, ({ metadata }) => [`shop/${metadata.name}`]);
    expectTypeOf(ownerOf(widgets)).returns.toEqualTypeOf<readonly Key<"Namespaced">[]>();
    // @ts-expect-error -- keys of cluster-scoped objects
    controller.owns(informer, ownerOf(nodes));
    // @ts-expect-error -- the key of a namespaced object has a namespace
    controller.watches(informer, () => ["web"]);
  });

  test("a queue of strings becomes one of keys of the controller's scope", () => {
    const controller = new Controller({
      informer: widgetInformer,
      queue: new WorkQueue(),
      reconcile: (key) => {
        expectTypeOf(key).toEqualTypeOf<Key<"Namespaced">>();
      },
    });
    expectTypeOf(controller.queue).toEqualTypeOf<WorkQueue<Key<"Namespaced">>>();
    for (const queue of [new WorkQueue<string>(), new WorkQueue<Key<"Namespaced">>()]) {
      const { queue: keys } = new Controller({ informer: widgetInformer, queue, reconcile() {} });
      expectTypeOf(keys).toEqualTypeOf<WorkQueue<Key<"Namespaced">>>();
      expect(keys).toBe(queue);
    }
    void new Controller({
      informer: widgetInformer,
      // @ts-expect-error -- items are not keys
      queue: new WorkQueue<number>(),
      reconcile: () => {},
    });
  });

  test("a separate reconcile function names the types of its informer once", () => {
    const reconcile: Reconcile<Widget, { namespace: string }, "Namespaced"> = (key, context) => {
      expectTypeOf(context.informer.lister.find(key)).toEqualTypeOf<Cached<Widget> | undefined>();
    };
    void new Controller({ informer: factory.informer(widgets), reconcile });
    // @ts-expect-error -- written for other objects
    void new Controller({ informer, reconcile });
  });

  test("predicates and owner keys get the objects of their informer", async () => {
    const controller = new Controller({
      reconcile: (key, context) => {
        expectTypeOf(key).toEqualTypeOf<string>();
        expectTypeOf(context.object).toEqualTypeOf<undefined>();
        expect(() => context.informer).toThrow(
          expect.objectContaining({ code: "LW_CONTROLLER_STATE" }),
        );
      },
    })
      .for(informer, {
        predicate: {
          update: (old, object) => {
            expectTypeOf(old).toEqualTypeOf<Cached<ConfigMap>>();
            return old.data?.["x"] !== object.data?.["x"];
          },
        },
      })
      .watches(informer, (object) => {
        expectTypeOf(object).toEqualTypeOf<Cached<ConfigMap>>();
        return [object.metadata.name];
      });
    expectTypeOf(controller).toEqualTypeOf<Controller>();
    controller.queue.add("a");
    await controller.processNextItem();
    expect(controller.queue.numRequeues("a")).toBe(0);
  });
});
