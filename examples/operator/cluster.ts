// The cluster of the operator: replicas that can be killed, and a view of the objects.
import { createClient, createConnection, ensureDefinition } from "listwatch";
import { SharedInformerFactory, type FetchFunction } from "listwatch";
import { FakeApiServer } from "listwatch/fake-apiserver";
import { configmaps } from "listwatch/resources/core/v1";
import { events } from "listwatch/resources/events.k8s.io/v1";
import { definition, greetings, greetingType } from "./greeting.ts";
import { runOperator } from "./operator.ts";

const server = new FakeApiServer(); // instead of a cluster
const connection = createConnection({ server: "http://cluster", fetch: server.fetch });
const client = createClient(connection, { fieldManager: "listwatch-examples" });
await ensureDefinition(client, definition);
const namespace = "default";
const factory = new SharedInformerFactory({ connection, namespace });
const greetingView = factory.informer(greetings);
const configMapView = factory.informer(configmaps);
factory.start();
await factory.waitForCacheSync();

const greetingClient = client.resource(greetings);

export async function createGreeting(name: string, people: readonly string[]): Promise<void> {
  await greetingClient.create({ ...greetingType, metadata: { namespace, name }, spec: { people } });
}

/** Changes the people of a greeting. */
export async function greet(name: string, people: readonly string[]): Promise<void> {
  await greetingClient.patch(`${namespace}/${name}`, { spec: { people } });
}

export async function deleteGreeting(name: string): Promise<void> {
  await greetingClient.delete(`${namespace}/${name}`);
}

/** A replica of the operator, and the network between it and the cluster. */
export interface Replica {
  readonly leading: Promise<void>;
  /** Cuts its network after this many more config maps, as if its machine had lost power. */
  killAfter(configMapsCreated: number): Promise<void>;
  /** Ends it in an orderly way: it releases its lease. */
  stop(): Promise<void>;
}

export function startReplica(identity: string): Replica {
  const leading = Promise.withResolvers<void>();
  const killed = Promise.withResolvers<void>();
  const stop = new AbortController();
  let left = Infinity;
  const fetch: FetchFunction = async (request) => {
    if (left <= 0) throw new TypeError("connection refused");
    const response = await connection.fetch(request);
    if (request.method === "POST" && request.url.includes("/configmaps") && --left === 0) {
      killed.resolve();
      throw new TypeError("connection reset");
    }
    return response;
  };
  const ownConnection = { ...connection, fetch };
  const ended = runOperator(
    { connection: ownConnection, namespace, identity, onLeading: leading.resolve },
    stop.signal,
  );
  // The error of a replica without a network is irrelevant: the others have to do its work.
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

/** Waits until the view of the cluster is as expected. */
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

/** The objects in the cluster. */
export const state = {
  get messages(): string[] {
    const messages = configMapView.lister.list().flatMap(({ data }) => data?.["message"] ?? []);
    return messages.toSorted();
  },
  get greeted(): number | undefined {
    return greetingView.lister.list()[0]?.status?.greeted;
  },
  get greetings(): number {
    return greetingView.lister.list().length;
  },
};

/** The reasons of the written events, each once. */
export async function eventReasons(): Promise<string[]> {
  const { items } = await client.resource(events).list({ namespace });
  return [...new Set(items.flatMap(({ reason }) => reason ?? []))].toSorted();
}

export async function close(): Promise<void> {
  await factory[Symbol.asyncDispose]();
}
