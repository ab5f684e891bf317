// A shared informer in three stages. The third: its store is an indexer, and a server answers with
// the keys of an index value.
import { createClient, createConnection, httpListerWatcher } from "listwatch";
import { DeltaFIFO, Indexer, metaNamespaceKey, namespaceIndex, Reflector } from "listwatch";
import { processDeltas, ProcessorListener, SharedProcessor } from "listwatch";
import type { ListerWatcher, ResourceEventHandler } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { pods as resource, type Pod } from "listwatch/resources/core/v1";

class OwnInformer {
  readonly indexer = new Indexer({
    indexers: { ...namespaceIndex, app: (pod: Pod) => pod.metadata.labels?.["app"] },
  });
  readonly #queue = new DeltaFIFO({ knownObjects: this.indexer });
  readonly #processor = new SharedProcessor<Pod>();
  readonly #reflector: Reflector<Pod>;

  constructor(listerWatcher: ListerWatcher<Pod>) {
    this.#reflector = new Reflector({ listerWatcher, store: this.#queue });
  }

  addEventHandler(handler: ResourceEventHandler<Pod>): void {
    this.#processor.addListener(new ProcessorListener(handler));
  }

  /** Keeps the indexer up to date and calls the handlers until the signal is aborted. */
  async start(signal: AbortSignal): Promise<void> {
    const running = [this.#reflector.run(signal), this.#processor.run(signal)];
    // A closed queue ends the loop once it is empty.
    signal.addEventListener("abort", () => this.#queue.close());
    for await (const { deltas, isInInitialList } of this.#queue) {
      processDeltas(deltas, isInInitialList, {
        store: this.indexer.keyed,
        keyFunc: metaNamespaceKey,
        notify: (event) => this.#processor.distribute(event),
      });
    }
    await Promise.all(running);
  }
}

const spec = { containers: [{ name: "main", image: "nginx" }] };
function podOf(app: string, name: string) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { namespace: "shop", name, labels: { app } },
    spec,
  };
}
const { fetch } = new FakeApiServer({ objects: [podOf("web", "web-0"), podOf("db", "db-0")] });
const connection = createConnection({ server: "http://cluster", fetch });

const stop = new AbortController();
const informer = new OwnInformer(httpListerWatcher({ connection, resource }));
const added = Promise.withResolvers<void>();
informer.addEventHandler({
  onAdd: ({ metadata }) => {
    if (metadata.name === "web-1") added.resolve();
  },
});
const ended = informer.start(stop.signal);
const metadata = { namespace: "shop", name: "web-1", labels: { app: "web" } };
await createClient(connection).resource(resource).create({ metadata, spec });
await added.promise;

// `Deno.serve`, `Bun.serve` and other servers take such a function; here the program calls it.
function handle(): Response {
  return Response.json(informer.indexer.indexKeys("app", "web"));
}
console.log("GET /", await handle().text());
stop.abort();
await ended;
