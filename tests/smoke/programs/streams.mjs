// Plain JavaScript with the installed package, no test runner or types.
import { Informer } from "@listwatch/shared-informer";
import { eventStreamSource, toEventStream } from "@listwatch/streams";

const fail = (message) => {
  throw new Error(`smoke: ${message}`);
};

const object = { apiVersion: "v1", kind: "Pod", metadata: { namespace: "a", name: "b" } };
const source = {
  isSameState: () => false,
  status: () => ({ source: undefined, problem: undefined, queuedDeltas: 0, freshAsOfMs: 1 }),
  run: async (sink, signal) => {
    await sink.apply([{ type: "Added", key: "a/b", object }], true);
    sink.markSynced();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  },
};
const stop = new AbortController();
const pods = new Informer(source, { name: "pods" });
const handler = toEventStream({ pods }, { authorize: () => ({ namespaces: ["a"] }) });
/** The server of the runtime; on Node the page calls the handler itself. */
const serve = () => {
  const address = { port: 0, hostname: "127.0.0.1" };
  if ("Deno" in globalThis) {
    const server = Deno.serve({ ...address, onListen: () => {} }, handler);
    return { url: `http://127.0.0.1:${server.addr.port}/`, end: () => server.shutdown() };
  }
  if ("Bun" in globalThis) {
    const server = Bun.serve({ ...address, fetch: handler });
    return { url: server.url.href, end: () => server.stop(true) };
  }
  const fetch = (url, init) => handler(new Request(url, init));
  return { url: "http://localhost/", options: { fetch }, end: () => {} };
};
const { end, options, url } = serve();
const stream = eventStreamSource(url, options);
const page = new Informer(stream.collection("pods"), { name: "page" });
const runs = [pods.run(stop.signal), page.run(stop.signal)];
await page.synced;
const keys = page.store.listKeys().join();
if (keys !== "a/b") fail(keys);
stop.abort();
await Promise.all(runs);
await handler[Symbol.asyncDispose]();
await end();
console.log("ok");
