// The cluster of the operator: a fake API server, replicas that can be killed, and a view of what
// there is.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { createClient, createConnection, type FetchFunction } from "@listwatch/client";
import { SharedInformerFactory } from "@listwatch/shared-informer";
import {
  configMaps,
  definition,
  greetings,
  greetingType,
  type ConfigMap,
  type Greeting,
} from "./greeting.ts";
import { runOperator } from "./operator.ts";

const server = "http://cluster";
const cluster = new FakeApiServer({ crds: [definition] });
const connection = createConnection({ server, fetch: cluster.fetch });
const client = createClient(connection);
const factory = new SharedInformerFactory({ connection });
const greetingView = factory.informer<Greeting>(greetings);
const configMapView = factory.informer<ConfigMap>(configMaps);
factory.start();
await factory.waitForCacheSync();

const greetingClient = client.resource<Greeting>(greetings);

export async function createGreeting(key: string, people: readonly string[]): Promise<void> {
  const [namespace = "", name = ""] = key.split("/");
  await greetingClient.create({ ...greetingType, metadata: { namespace, name }, spec: { people } });
}

/** Changes whom a greeting is for. */
export async function greet(key: string, people: readonly string[]): Promise<void> {
  await greetingClient.patch(key, { spec: { people } });
}

export async function deleteGreeting(key: string): Promise<void> {
  await greetingClient.delete(key);
}

/** A replica of the operator, and the network between it and the cluster. */
export interface Replica {
  readonly leading: Promise<void>;
  /** Cuts its network after so many more config maps, as if its machine had lost power. */
  killAfter(configMapsCreated: number): Promise<void>;
  /** Ends it in order: it gives its lease back. */
  stop(): Promise<void>;
}

export function startReplica(identity: string): Replica {
  const leading = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const stop = new AbortController();
  let left = Infinity;
  const fetch: FetchFunction = async (request) => {
    if (left <= 0) throw new TypeError("connection refused");
    const response = await cluster.fetch(request);
    if (request.method === "POST" && request.url.includes("/configmaps") && --left === 0) {
      killed.resolve();
      throw new TypeError("connection reset");
    }
    return response;
  };
  const ownConnection = createConnection({ server, fetch });
  const ended = runOperator(
    { connection: ownConnection, identity, onLeading: leading.resolve },
    stop.signal,
  );
  // What a replica without a network ends with is not of interest: the others have to do its work.
  ended.catch(() => {});
  return {
    leading: leading.promise,
    killAfter: async (count) => {
      left = count;
      await killed.promise;
      stop.abort();
    },
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

/** Waits until the view of the cluster is as wanted. */
export async function until(isReached: () => boolean): Promise<void> {
  const reached = Promise.withResolvers<void>();
  const look = (): void => {
    if (isReached()) reached.resolve();
  };
  const handler = { onAdd: look, onUpdate: look, onDelete: look };
  const registrations = [
    greetingView.addEventHandler(handler),
    configMapView.addEventHandler(handler),
  ];
  look();
  await reached.promise;
  await Promise.all(registrations.map((registration) => registration.remove()));
}

/** What the cluster has. */
export const state = {
  get messages(): string[] {
    return configMapView.lister
      .list()
      .map(({ data }) => data?.["message"] ?? "")
      .toSorted();
  },
  get greeted(): number | undefined {
    return greetingView.lister.list()[0]?.status?.greeted;
  },
  get greetings(): number {
    return greetingView.lister.list().length;
  },
};

/** Why events were written, each reason once. */
export async function eventReasons(): Promise<string[]> {
  const path = `${server}/apis/events.k8s.io/v1/namespaces/default/events`;
  const answer: { items: { reason: string }[] } = await (
    await cluster.fetch(new Request(path))
  ).json();
  return [...new Set(answer.items.map(({ reason }) => reason))].toSorted();
}

export async function close(): Promise<void> {
  await factory[Symbol.asyncDispose]();
}
