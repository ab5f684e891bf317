// Plain JavaScript with the installed package, no test runner or types. A hand-made source plays
// the server.
import { Controller } from "@listwatch/controller";
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
const stop = new AbortController();
const tries = [];
const controller = new Controller({
  reconcile: async (key) => {
    tries.push(key);
    if (key === "a/web-1" && tries.filter((tried) => tried === key).length === 1) {
      throw new Error("not yet");
    }
    if (tries.length === 3) stop.abort();
  },
}).for(informer);
await Promise.all([informer.run(stop.signal), controller.run(stop.signal)]);
const said = tries.toSorted((a, b) => a.localeCompare(b)).join();
if (said !== "a/web-0,a/web-1,a/web-1") throw new Error(`smoke: reconciled ${said}`);
console.log("ok");
