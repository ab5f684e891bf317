// The server: one informer for each collection, and one stream to each page.
import { createClient, SharedInformerFactory, type Clock, type Connection } from "listwatch";
import { namespaces, nodes, pods } from "listwatch/resources/core/v1";
import { reviewAccess, toEventStream } from "listwatch/streams";

export interface ServerOptions {
  /** Returns the user of a request, whom something in front has authenticated. */
  readonly userOf: (request: Request) => string | undefined;
  readonly clock?: Clock;
}

/** Starts the informers. The result answers `/stream`. */
export function serveCollections(connection: Connection, { clock, userOf }: ServerOptions) {
  const factory = new SharedInformerFactory({ connection, clock });
  const spaces = factory.informer(namespaces);
  const informers = { pods: factory.informer(pods), nodes: factory.informer(nodes) };
  factory.start();
  const stream = toEventStream(informers, {
    clock,
    // A page sees what its user may list and watch, in the cluster or in single namespaces.
    authorize: reviewAccess({
      client: createClient(connection, { clock }),
      clock,
      resources: { pods, nodes },
      userOf: (request) => {
        const user = userOf(request);
        return user === undefined ? undefined : { user };
      },
      namespaces: () => spaces.store.listKeys(),
    }),
    fields: (_, collection) =>
      collection === "pods" ? ["spec.nodeName", "status.phase"] : ["status.conditions"],
  });
  return {
    fetch: stream.fetch,
    synced: factory.waitForCacheSync(),
    [Symbol.asyncDispose]: async () => {
      await stream[Symbol.asyncDispose]();
      await factory[Symbol.asyncDispose]();
    },
  };
}
