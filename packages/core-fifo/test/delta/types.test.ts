import { describe, expect, expectTypeOf, test } from "vitest";
import {
  DeletedFinalStateUnknown,
  DeltaFIFO,
  FIFO,
  KeyError,
  Heap,
  metaNamespaceKey,
  RealFIFO,
  type Delta,
  type Deltas,
  type DeltaType,
  type KubernetesObject,
  type ObjectDelta,
  type Queue,
} from "@listwatch/core-fifo";

interface Pod {
  readonly name: string;
  readonly value: number;
}

describe("types", () => {
  test("the object type of a queue comes from its key function", () => {
    const keyFunc = (pod: Pod): string => pod.name;
    expectTypeOf(new RealFIFO({ keyFunc })).toEqualTypeOf<RealFIFO<Pod>>();
    expectTypeOf(new DeltaFIFO({ keyFunc })).toEqualTypeOf<DeltaFIFO<Pod>>();
    expectTypeOf(new FIFO({ keyFunc })).toEqualTypeOf<FIFO<Pod>>();
    expectTypeOf(new Heap({ keyFunc, less: (a: Pod, b: Pod) => a.value < b.value })).toEqualTypeOf<
      Heap<Pod>
    >();
  });

  test("without a key function a queue holds Kubernetes objects", () => {
    expectTypeOf(new RealFIFO()).toEqualTypeOf<RealFIFO>();
    expectTypeOf<Parameters<RealFIFO["add"]>[0]>().toEqualTypeOf<KubernetesObject>();
    expectTypeOf(new RealFIFO<Pod>({ keyFunc: metaNamespaceKey })).toEqualTypeOf<RealFIFO<Pod>>();
  });

  test("only objects of its type go into a queue", () => {
    expectTypeOf<Parameters<RealFIFO<Pod>["add"]>[0]>().toEqualTypeOf<Pod>();
    expectTypeOf<{ name: string }>().not.toExtend<Parameters<RealFIFO<Pod>["add"]>[0]>();
  });

  test("every queue is a Queue; a FIFO pops objects", () => {
    expectTypeOf<RealFIFO<Pod>>().toExtend<Queue<Pod>>();
    expectTypeOf<DeltaFIFO<Pod>>().toExtend<Queue<Pod, readonly ObjectDelta<Pod>[]>>();
    expectTypeOf<FIFO<Pod>>().toExtend<Queue<Pod, Pod>>();
    expectTypeOf<ReturnType<Queue<Pod>["pop"]>>().toEqualTypeOf<
      Deltas<Pod> | Promise<Deltas<Pod>>
    >();
    expectTypeOf<ReturnType<FIFO<Pod>["pop"]>>().toEqualTypeOf<Pod | Promise<Pod>>();
  });

  test("a tombstone has the type of its object; one without an object fits every queue", () => {
    const pod: Pod | undefined = [{ name: "a", value: 1 }].at(0);
    expectTypeOf(new DeletedFinalStateUnknown("a", pod)).toEqualTypeOf<
      DeletedFinalStateUnknown<Pod>
    >();
    const unknown = new DeletedFinalStateUnknown("a", undefined);
    const queue = new RealFIFO({ keyFunc: ({ name }: Pod) => name });
    queue.delete(unknown);
    queue.delete(new DeletedFinalStateUnknown("b", undefined));
    // @ts-expect-error -- of another type
    expect(() => queue.delete(new DeletedFinalStateUnknown("a", 1))).not.toThrow();
  });

  test("a DeltaFIFO pops and requeues changes of single objects only", () => {
    const queue = new DeltaFIFO({ keyFunc: (pod: Pod) => pod.name });
    queue.add({ name: "a", value: 1 });
    void queue.pop((deltas) => {
      for (const delta of deltas) {
        switch (delta.type) {
          case "Added":
          case "Updated":
          case "Replaced":
          case "Sync":
            expectTypeOf(delta.object).toEqualTypeOf<Pod>();
            break;
          case "Deleted":
            expectTypeOf(delta.object).toEqualTypeOf<Pod | DeletedFinalStateUnknown<Pod>>();
            break;
        }
      }
    });
    // @ts-expect-error -- a bookmark carries no object
    expect(() => queue.addIfNotPresent([{ type: "Bookmark", resourceVersion: "1" }])).toThrow(
      KeyError,
    );
  });

  test("the type of a delta determines what it carries", () => {
    expectTypeOf<Extract<Deltas<Pod>[number], { type: "ReplacedAll" }>>().toEqualTypeOf<
      Extract<Delta<Pod>, { readonly type: "ReplacedAll" }>
    >();
    expectTypeOf<Extract<Deltas<Pod>[number], { key: unknown }>>().toEqualTypeOf<
      ObjectDelta<Pod>
    >();
    expectTypeOf<DeltaType>().toEqualTypeOf<
      "Added" | "Updated" | "Deleted" | "Replaced" | "Sync" | "ReplacedAll" | "SyncAll" | "Bookmark"
    >();
  });
});
