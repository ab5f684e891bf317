import { KubeConfig, makeInformer, CoreV1Api, type V1Pod } from "@kubernetes/client-node";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { metadataOf, recordOf } from "@listwatch/core-fifo/base";
import { jsonDecoder, createConnection, type Connection } from "@listwatch/client";
import { nodeTransport } from "@listwatch/client/node";
import { httpListerWatcher } from "@listwatch/reflector";
import { Informer, ReflectorSource } from "@listwatch/shared-informer";
import { namespaceIndex } from "@listwatch/store-indexer";

/** Called with the changes of the pods. */
export interface Told {
  added(): void;
  updated(pod: unknown): void;
  deleted(): void;
  /** The peer said that something failed; ours goes on by itself. */
  failed(error: unknown): void;
}

/** An informer at work. */
export interface Running {
  /** ResourceVersion of each pod in the cache by its key. */
  versions(): Map<string, string>;
  stop(): Promise<void>;
}

/** Built-in kinds in protobuf, of which `status` is read by the handler, or three fields are kept. */
export type ProtobufForm =
  | "protobuf lazy"
  | "protobuf lazy stripped"
  | "protobuf status"
  | "protobuf projected";

/** What ours makes of objects. */
export type Form = "plain" | "stripped" | "lazy" | "lazy stripped" | "projected" | ProtobufForm;

export type Kind = Form | "client-node";

/** The runtime's `fetch`, or the transport for Node. */
export type Transport = "fetch" | "node";

/** A connection of ours to the server. */
export function connectTo(server: string, transport: Transport): Connection {
  return transport === "fetch"
    ? createConnection({ server })
    : createConnection({ server, fetch: nodeTransport() });
}

/**
 * How long a connection of ours may be silent. The peer's limit is 30 s and no option of its
 * informer; ours is an option, 90 s by default.
 */
const silenceMs = 10_000;

/**
 * Starts an informer of pods: ours with a namespace index and one handler, or the peer as its
 * manual shows it.
 */
export async function startInformer(
  kind: Kind,
  server: string,
  told: Told,
  options: SourceOptions,
): Promise<Running> {
  return kind === "client-node" ? startPeer(server, told) : startOurs(kind, server, told, options);
}

/** What the handler reads of each object. */
export type Reads = "nothing" | "labels" | "status.phase" | "everything";

/** How ours reads. */
export interface SourceOptions {
  readonly isStreamed: boolean;
  readonly transport: Transport;
  readonly reads: Reads;
}

const readers: Readonly<Record<Reads, (pod: object) => unknown>> = {
  nothing: () => undefined,
  labels: (pod) => metadataOf(pod)?.labels,
  "status.phase": (pod) => recordOf(Reflect.get(pod, "status"))["phase"],
  everything: (pod) => JSON.stringify(pod).length,
};

/** The fields that a typical controller reads. */
const threeFields = ["metadata.labels", "spec.nodeName", "status.phase"] as const;

function startOurs(
  form: Form,
  server: string,
  told: Told,
  { isStreamed, reads, transport }: SourceOptions,
): Running {
  const read = form === "protobuf status" ? readers["status.phase"] : readers[reads];
  const source = {
    connection: connectTo(server, transport),
    resource: { group: "", version: "v1", resource: "pods" },
    decoder: jsonDecoder({ stripManagedFields: /stripped|status/.test(form) }),
    lazy: form.startsWith("lazy"),
    encoding: form.startsWith("protobuf") ? ("protobuf" as const) : ("json" as const),
    watchListSupported: isStreamed,
  };
  const reflecting = new ReflectorSource<KubernetesObject>({
    listerWatcher: form.endsWith("projected")
      ? httpListerWatcher({ ...source, fields: threeFields })
      : httpListerWatcher(source),
    // The peer lists again at once; the delay is not what is measured.
    retry: { backoff: { baseMs: 0 } },
    watch: { silenceMs },
  });
  const informer = new Informer<KubernetesObject, { namespace: string }>(reflecting, {
    indexers: namespaceIndex,
    // A handler that throws is one of the faults, and reported here.
    onError: () => undefined,
  });
  informer.addEventHandler({
    onAdd: (pod) => {
      read(pod);
      told.added();
    },
    onUpdate: (_, pod) => {
      read(pod);
      told.updated(pod);
    },
    onDelete: () => told.deleted(),
  });
  const controller = new AbortController();
  const ended = informer.run(controller.signal);
  return {
    versions: () => versionsOf(informer.store.list()),
    stop: async () => {
      controller.abort();
      await ended;
    },
  };
}

async function startPeer(server: string, told: Told): Promise<Running> {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "bench", server, skipTLSVerify: true }],
    users: [{ name: "bench" }],
    contexts: [{ name: "bench", cluster: "bench", user: "bench" }],
    currentContext: "bench",
  });
  const api = config.makeApiClient(CoreV1Api);
  const informer = makeInformer<V1Pod>(config, "/api/v1/pods", () => api.listPodForAllNamespaces());
  informer.on("add", () => told.added());
  informer.on("update", (pod) => told.updated(pod));
  informer.on("delete", () => told.deleted());
  informer.on("error", (error) => told.failed(error));
  await informer.start();
  return { versions: () => versionsOf(informer.list()), stop: () => informer.stop() };
}

function versionsOf(
  pods: readonly { readonly metadata?: KubernetesObject["metadata"] | V1Pod["metadata"] }[],
): Map<string, string> {
  return new Map(
    pods.map(({ metadata }) => [
      `${metadata?.namespace}/${metadata?.name}`,
      metadata?.resourceVersion ?? "",
    ]),
  );
}
