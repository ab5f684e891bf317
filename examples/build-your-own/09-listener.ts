// A processor listener fed by hand. client-go's listener has three methods: `add` accepts an event,
// `pop` keeps events while the handler is busy, `run` calls the handler. Here `push` accepts an
// event, and `run` does the work of both `pop` and `run`.
import { ProcessorListener } from "listwatch";

interface Pod {
  readonly name: string;
  readonly value: number;
}

const stop = new AbortController();
const busy = Promise.withResolvers<void>();
const listener = new ProcessorListener({
  onAdd: async (pod: Pod, isInInitialList: boolean) => {
    console.log(`onAdd ${pod.name} ${pod.value}, in the initial list: ${isInInitialList}`);
    await busy.promise;
    console.log("onAdd has ended");
  },
  onUpdate: (old, pod) => {
    console.log(`onUpdate ${pod.name} ${old.value} -> ${pod.value}`);
  },
  onDelete: ({ key, object }) => {
    console.log(`onDelete ${key} ${object?.value}`);
    stop.abort();
  },
});

const key = "pod1";
const pod = { name: key, value: 1 };
const changed = { name: key, value: 10 };

// The listener does not run yet: pushed events wait.
listener.push({ type: "add", key, object: pod, isInInitialList: true });
console.log("waiting:", listener.backlog);
const ended = listener.run(stop.signal);
await Promise.resolve();

// The first callback is busy. A push does not wait for it, and no callback overlaps it.
listener.push({ type: "update", key, old: pod, object: changed });
listener.push({ type: "delete", key, object: changed, stale: false });
console.log("waiting:", listener.backlog);
busy.resolve();
await ended;
