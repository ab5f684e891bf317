// Plain JavaScript with the installed package, no test runner or types. A hand-made source plays
// the server.
import { SharedInformer } from "@listwatch/shared-informer";

const pod = (name) => ({ metadata: { namespace: "a", name, resourceVersion: "1" } });
const informer = new SharedInformer({
  listerWatcher: {
    watchListSupported: false,
    list: async () => ({ metadata: { resourceVersion: "7" }, items: [pod("web-0"), pod("web-1")] }),
    watch: async (_options, { signal }) =>
      new ReadableStream({
        start: (stream) => signal.addEventListener("abort", () => stream.close(), { once: true }),
      }),
  },
});
const added = [];
const handler = informer.addEventHandler({
  onAdd: (object, isInInitialList) => added.push(`${object.metadata.name} ${isInInitialList}`),
});
const stop = new AbortController();
const ended = informer.run(stop.signal);
await handler.synced;
stop.abort();
await ended;
const said = added.toSorted((a, b) => a.localeCompare(b)).join();
if (said !== "web-0 true,web-1 true") throw new Error(`smoke: the handler heard ${said}`);
if (informer.store.listKeys().length !== 2) throw new Error("smoke: the cache is wrong");
console.log("ok");
