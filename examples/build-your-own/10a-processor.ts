// A shared informer in three stages. The first: a processor that passes each event to all handlers,
// fed by hand.
import { SimulatedClock } from "listwatch/testing";
import {
  ProcessorListener,
  SharedProcessor,
  type InformerEvent,
  type ResourceEventHandler,
} from "listwatch";

interface Pod {
  readonly name: string;
  readonly value: number;
}

// A slow handler lets the others go first. The clock stands still, so no handler is slow, and the
// order of the output is always the same.
const clock = new SimulatedClock();

class OwnInformer {
  readonly #processor = new SharedProcessor<Pod>({ clock });

  addEventHandler(handler: ResourceEventHandler<Pod>): void {
    // A listener keeps the events of one handler, so that no handler waits for another.
    this.#processor.addListener(new ProcessorListener(handler, { clock }));
  }

  /** Calls the handlers until the signal is aborted. */
  start(signal: AbortSignal): Promise<void> {
    return this.#processor.run(signal);
  }

  /** Replaces the reflector and the queue, which follow in the next stage. */
  feed(event: InformerEvent<Pod>): void {
    this.#processor.distribute(event);
  }
}

const stop = new AbortController();
const informer = new OwnInformer();
informer.addEventHandler({
  onAdd: (pod) => console.log("first handler: added", pod.name, pod.value),
  onUpdate: (old, pod) => console.log("first handler: updated", pod.name, old.value, pod.value),
  onDelete: ({ key }) => console.log("first handler: deleted", key),
});
// A handler contains only the callbacks that it needs.
informer.addEventHandler({
  onAdd: (pod) => console.log("second handler: added", pod.name, pod.value),
  onDelete: ({ key }) => {
    console.log("second handler: deleted", key);
    stop.abort();
  },
});

const key = "pod1";
const pod = { name: key, value: 1 };
const changed = { name: key, value: 10 };
informer.feed({ type: "add", key, object: pod, isInInitialList: true });
informer.feed({ type: "update", key, old: pod, object: changed });
informer.feed({ type: "delete", key, object: changed, stale: false });
await informer.start(stop.signal);
