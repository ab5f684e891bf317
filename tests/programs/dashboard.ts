// A dashboard for many pages: one informer with an index by node, and a stream of it to each page.
// Its `fetch` is a handler of Deno, Bun, Hono and others.
//
// Errors of the former types, for `Date.parse(creationTimestamp)` and the sort by name: "TS2345:
// Argument of type 'string | undefined' is not assignable to …", "'a.metadata.name' is possibly …".
import {
  isPodReady,
  SharedInformerFactory,
  type Cached,
  type Clock,
  type Connection,
  Informer,
} from "listwatch";
import { pods, type Pod } from "listwatch/resources/core/v1";
import { type EventStreamSource, type Grant, toEventStream } from "listwatch/streams";

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
  fetch(request: Request): Promise<Response>;
}

export interface DashboardOptions {
  readonly connection: Connection;
  readonly clock?: Clock;
  /** Returns what the user of a request may see. */
  readonly authorize: (request: Request) => Grant;
}

/** The pods of a page, with an index by node. */
export function createPodTable(stream: EventStreamSource, clock?: Clock) {
  return new Informer(stream.collection<Pod>("pods"), {
    name: "pods",
    clock,
    indexers: { node: (pod) => pod.spec.nodeName ?? "unassigned" },
  });
}

/** Starts the dashboard; resolves when it has all pods. */
export async function startDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { authorize, clock, connection } = options;
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

  const stream = toEventStream({ pods: informer }, { authorize, clock });
  return {
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const node = searchParams.get("node") ?? "unassigned";
      if (pathname === "/rows") return rows(node);
      if (pathname === "/siblings") return siblings(searchParams.get("pod") ?? "");
      if (pathname === "/stream") return stream(request);
      return new Response("Not found", { status: 404 });
    },
    [Symbol.asyncDispose]: async () => {
      await stream[Symbol.asyncDispose]();
      await factory[Symbol.asyncDispose]();
    },
  };
}

function newestFirst(a: Cached<Pod>, b: Cached<Pod>): number {
  const byAge = Date.parse(b.metadata.creationTimestamp) - Date.parse(a.metadata.creationTimestamp);
  return byAge === 0 ? a.metadata.name.localeCompare(b.metadata.name) : byAge;
}
