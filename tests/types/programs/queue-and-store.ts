// The classic program of client-go with a generated kind: a reflector fills a queue, and a loop
// applies popped deltas to the store that the queue knows.
import { createConnection } from "@listwatch/client";
import {
  DeltaFIFO,
  metaNamespaceKey,
  RealFIFO,
  type Cached,
  type Deltas,
  type ObjectDelta,
} from "@listwatch/core-fifo";
import { httpListerWatcher, Reflector } from "@listwatch/reflector";
import { pods, type Pod } from "@listwatch/resources/core/v1";
import { processDeltas } from "@listwatch/shared-informer";
import { ExpirationStore, Indexer, namespaceIndex, UndeltaStore } from "@listwatch/store-indexer";
import { PriorityOrdering, WorkQueue } from "@listwatch/workqueue";

/** `true` if the types are identical, not only assignable. There is no simpler comparison. */
type Equal<A, B> =
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters
  (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

const connection = createConnection({ server: "http://127.0.0.1:8001" });
const listerWatcher = httpListerWatcher({ connection, resource: pods });
const store = new Indexer<Pod, { namespace: string }>({ indexers: namespaceIndex });

/** The queue takes its type from the store, whose objects are read-only. */
export async function inferred(signal: AbortSignal): Promise<void> {
  const queue = new DeltaFIFO({ knownObjects: store, emitDeltaTypeReplaced: true });
  true satisfies Equal<typeof queue, DeltaFIFO<Cached<Pod>>>;
  const running = new Reflector({ listerWatcher, store: queue }).run(signal);
  while (!signal.aborted) {
    await queue.pop((deltas) => {
      for (const delta of deltas) {
        switch (delta.type) {
          case "Added":
          case "Updated":
          case "Replaced":
          case "Sync":
            // @ts-expect-error an object delivered by a resync is in the store
            delta.object.metadata.labels = {};
            if (store.get(delta.object) === undefined) store.add(delta.object);
            else store.update(delta.object);
            break;
          case "Deleted":
            console.log(store.get(delta.object)?.status.phase);
            store.transaction([{ type: "Delete", object: delta.object }]);
            store.keyed.deleteWithObject(metaNamespaceKey(delta.object), delta.object);
            store.delete(delta.object);
            break;
        }
      }
    });
  }
  await running;
}

/** A queue of plain pods also accepts a store of pods for its known objects. */
export function explicit(): void {
  const queue = new DeltaFIFO<Pod>({ knownObjects: store });
  const handle = (deltas: readonly ObjectDelta<Pod>[]): void => {
    for (const delta of deltas) {
      if (delta.type === "Deleted") store.delete(delta.object);
      else store.update(delta.object);
    }
  };
  void new Reflector({ listerWatcher, store: queue });
  void queue.pop(handle);
  const byKeyFunction = new DeltaFIFO({
    keyFunc: (pod: Pod) => pod.metadata.name ?? "",
    knownObjects: store,
  });
  void byKeyFunction.pop(handle);
  void new RealFIFO<Pod>({ knownObjects: store });
  // @ts-expect-error objects of another type
  void new DeltaFIFO<{ value: number }>({ knownObjects: store });
}

/** Code can be generic over the object type. */
export function generic<T>(objects: Indexer<T>): DeltaFIFO<T> {
  return new DeltaFIFO<T>({ knownObjects: objects });
}

/** Every store accepts the deletions that such a queue reports. */
export function otherStores(delta: ObjectDelta<Cached<Pod>>): void {
  const expiring = new ExpirationStore<Pod>();
  const whole = new UndeltaStore<Pod>({ push: () => {} });
  if (delta.type !== "Deleted") return;
  for (const other of [expiring, whole]) other.delete(delta.object);
  console.log(expiring.get(delta.object), whole.get(delta.object));
}

/** processDeltas, as used by informers, accepts the deltas of either queue. */
export function processed(): void {
  const target = { store: store.keyed, keyFunc: metaNamespaceKey, notify: () => {} };
  void new DeltaFIFO({ knownObjects: store }).pop((deltas, isInInitialList) =>
    processDeltas(deltas, isInInitialList, target),
  );
  void new DeltaFIFO<Pod>({ knownObjects: store }).pop((deltas, isInInitialList) =>
    processDeltas(deltas, isInInitialList, target),
  );
}

/** A work queue needs the key of items that are not primitives. */
export function workQueues(): void {
  // @ts-expect-error deltas have no key
  void new WorkQueue<Deltas<Pod>>();
  // @ts-expect-error deltas have no key
  void new WorkQueue<Deltas<Pod>>({ delays: "merged" });
  // @ts-expect-error neither has one of the members
  void new WorkQueue<string | Pod>({ ordering: new PriorityOrdering() });
  const keyFunc = ([first]: Deltas<Pod>): string => first?.type ?? "";
  new WorkQueue({ keyFunc }).add([]);
  void new WorkQueue<Deltas<Pod>>({ keyFunc, delays: "merged" });
  void new WorkQueue<`${string}/${string}`>({ ordering: new PriorityOrdering() });
  const plain: WorkQueue<string> = new WorkQueue();
  // @ts-expect-error misspelt
  void new WorkQueue<string>({ delay: "merged" });
  plain.add("shop/web");
}
