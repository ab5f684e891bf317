// Plain JavaScript with the installed package, no test runner or types. A hand-made `fetch` plays
// the server.
import { createConnection } from "@listwatch/client";
import { httpListerWatcher, Reflector } from "@listwatch/reflector";

const lines = [
  { type: "ADDED", object: pod("web-1", "8") },
  { type: "DELETED", object: pod("web-0", "9") },
];
function pod(name, resourceVersion) {
  return { apiVersion: "v1", kind: "Pod", metadata: { namespace: "a", name, resourceVersion } };
}
const fetch = async (input, init) => {
  const request = new Request(input, init);
  const query = new URL(request.url).searchParams;
  if (query.has("sendInitialEvents")) {
    const status = {
      kind: "Status",
      apiVersion: "v1",
      status: "Failure",
      code: 422,
      reason: "Invalid",
    };
    return Response.json(status, { status: 422 });
  }
  if (!query.has("watch")) {
    const list = { kind: "PodList", apiVersion: "v1", metadata: { resourceVersion: "7" } };
    return Response.json({ ...list, items: [pod("web-0", "5")] });
  }
  const body = new ReadableStream({
    start(controller) {
      for (const line of lines)
        controller.enqueue(new TextEncoder().encode(`${JSON.stringify(line)}\n`));
      request.signal.addEventListener("abort", () => controller.error(request.signal.reason));
    },
  });
  return new Response(body, { headers: { "content-type": "application/json" } });
};

const pods = new Map();
const put = (object) => pods.set(object.metadata.name, object);
const store = {
  add: put,
  update: put,
  delete: (object) => pods.delete(object.metadata.name),
  replace(objects) {
    pods.clear();
    objects.forEach(put);
  },
};
const listerWatcher = httpListerWatcher({
  connection: createConnection({ server: "http://server", fetch }),
  resource: { group: "", version: "v1", resource: "pods" },
});
const reflector = new Reflector({ listerWatcher, store });
const stop = new AbortController();
const ended = reflector.run(stop.signal);
while (reflector.lastSyncResourceVersion !== "9") {
  await new Promise((resolve) => setTimeout(resolve, 10));
}
stop.abort();
await ended;
const names = [...pods.keys()].join();
if (names !== "web-1") throw new Error(`smoke: expected web-1 in the store, got ${names}`);
console.log("ok");
