// A dashboard for many pages: one informer with an index by node, and server-sent events. Its
// `fetch` is a handler of Deno, Bun, Hono and others.
//
// Errors of the former types, for `Date.parse(creationTimestamp)` and the sort by name: "TS2345:
// Argument of type 'string | undefined' is not assignable to …", "'a.metadata.name' is possibly …".
import {
  isPodReady,
  SharedInformerFactory,
  type Cached,
  type Clock,
  type Connection,
  type EventStream,
} from "listwatch";
import { pods, type Pod } from "listwatch/resources/core/v1";

/** A row of the table. */
export interface Row {
  readonly key: string;
  readonly node: string;
  readonly phase: string;
  readonly isReady: boolean;
  readonly ageSeconds: number;
  readonly owner: string;
}

export interface Dashboard extends AsyncDisposable {
  fetch(request: Request): Response;
}

export interface DashboardOptions {
  readonly connection: Connection;
  readonly clock?: Clock;
}

/** Starts the dashboard; resolves when it has all pods. */
export async function startDashboard({ connection, clock }: DashboardOptions): Promise<Dashboard> {
  const now = (): number => clock?.now() ?? Date.now();
  const factory = new SharedInformerFactory({ connection, clock });
  const informer = factory.informer(pods, {
    indexers: {
      node: (pod) => pod.spec.nodeName ?? "unassigned",
      owner: (pod) => pod.metadata.ownerReferences?.map(({ uid }) => uid),
    },
  });
  factory.start();
  await informer.synced;

  const rowOf = (pod: Cached<Pod>): Row => {
    const { creationTimestamp, deletionTimestamp, name, namespace } = pod.metadata;
    const { ownerReferences = [] } = pod.metadata;
    return {
      key: `${namespace}/${name}`,
      node: pod.spec.nodeName ?? "unassigned",
      phase: deletionTimestamp === undefined ? (pod.status.phase ?? "Unknown") : "Terminating",
      isReady: isPodReady(pod),
      ageSeconds: (now() - Date.parse(creationTimestamp)) / 1000,
      owner: ownerReferences.find(({ controller }) => controller)?.name ?? "",
    };
  };

  /** The pods of a node, the newest first. */
  const rows = (node: string): Response => {
    const found = informer.store.byIndex("node", node).toSorted(newestFirst);
    const { problem } = informer.status();
    return Response.json({ rows: found.map(rowOf), problem: problem?.reason });
  };

  /** The pods that have the same owner as this one. */
  const siblings = (key: string): Response => {
    const [namespace = "", name = ""] = key.split("/");
    const owner = informer.lister.namespace(namespace).get(name).metadata.ownerReferences?.[0];
    const found = owner === undefined ? [] : informer.store.byIndex("owner", owner.uid);
    return Response.json(found.map((pod) => pod.metadata.name).toSorted());
  };

  /** Everything in the cache, and then each change, for the pods of one node. */
  async function* messages(events: EventStream<Pod>, node: string): AsyncGenerator<string> {
    for await (const { key, object, type } of events) {
      const row = object === undefined ? undefined : rowOf(object);
      if (row !== undefined && row.node !== node) continue;
      const data = type === "delete" ? { key } : row;
      yield `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
    }
  }

  const stream = (node: string): Response => {
    const encoder = new TextEncoder();
    const events = informer.events({ overflow: "coalesce" });
    const texts = messages(events, node);
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await texts.next();
        if (done === true) controller.close();
        else controller.enqueue(encoder.encode(value));
      },
      async cancel() {
        await events.return?.();
      },
    });
    const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
    return new Response(body, { headers });
  };

  return {
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const node = searchParams.get("node") ?? "unassigned";
      if (pathname === "/rows") return rows(node);
      if (pathname === "/siblings") return siblings(searchParams.get("pod") ?? "");
      if (pathname === "/events") return stream(node);
      return new Response("Not found", { status: 404 });
    },
    [Symbol.asyncDispose]: () => factory[Symbol.asyncDispose](),
  };
}

function newestFirst(a: Cached<Pod>, b: Cached<Pod>): number {
  const byAge = Date.parse(b.metadata.creationTimestamp) - Date.parse(a.metadata.creationTimestamp);
  return byAge === 0 ? a.metadata.name.localeCompare(b.metadata.name) : byAge;
}
