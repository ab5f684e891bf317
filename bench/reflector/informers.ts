import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  makeInformer,
  type KubernetesListObject,
  type V1Pod,
} from "@kubernetes/client-node";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { metadataOf, recordOf } from "@listwatch/core-fifo/base";
import { jsonDecoder, createConnection, type Connection } from "@listwatch/client";
import { nodeTransport } from "@listwatch/client/node";
import { httpListerWatcher } from "@listwatch/reflector";
import { Informer, ReflectorSource } from "@listwatch/shared-informer";
import { namespaceIndex } from "@listwatch/store-indexer";

export interface Told {
  added(): void;
  updated(pod: unknown): void;
  deleted(): void;
  /** Called when the peer reports a failure; ours retries by itself. */
  failed(error: unknown): void;
}

export interface Running {
  /** Returns the resourceVersions of cached pods by key. */
  versions(): Map<string, string>;
  stop(): Promise<void>;
}

/** Forms over protobuf: a handler reads `status`, or three fields are kept. */
export type ProtobufForm =
  | "protobuf lazy"
  | "protobuf lazy stripped"
  | "protobuf status"
  | "protobuf projected";

/** Object forms of ours. */
export type Form = "default" | "stripped" | "whole" | "whole stripped" | "projected" | ProtobufForm;

export type Kind = Form | "client-node";

export type Transport = "fetch" | "node";

export function connectTo(server: string, transport: Transport): Connection {
  return transport === "fetch"
    ? createConnection({ server })
    : createConnection({ server, fetch: nodeTransport() });
}

/**
 * Limit for a silent connection. The peer's is 30 s and not configurable; ours is an option, 90 s
 * by default.
 */
const silenceMs = 10_000;

/**
 * Starts an informer of pods: ours with a namespace index and one handler, or the peer as in its
 * documentation.
 */
export async function startInformer(
  kind: Kind,
  server: string,
  told: Told,
  options: SourceOptions,
): Promise<Running> {
  return kind === "client-node"
    ? startPeer(server, told, options.resource)
    : startOurs(kind, server, told, options);
}

/**
 * The part of each object that the handler reads: `spec` is that of a controller, `everything` of a
 * dashboard. Or the part that indexes or a transform read.
 */
export type Reads =
  | "nothing"
  | "labels"
  | "status.phase"
  | "spec"
  | "everything"
  | "indexes"
  | "transform";

export interface SourceOptions {
  readonly isStreamed: boolean;
  readonly transport: Transport;
  readonly reads: Reads;
  /** @default pods */
  readonly resource?: Collection | undefined;
  /** Connection of several informers. @default a new one */
  readonly connection?: Connection | undefined;
}

type Collection = Readonly<Record<"group" | "version" | "resource", string>>;

const readers: Readonly<Record<Reads, (pod: object) => unknown>> = {
  nothing: () => undefined,
  labels: (pod) => metadataOf(pod)?.labels,
  "status.phase": (pod) => recordOf(Reflect.get(pod, "status"))["phase"],
  spec: (pod) => recordOf(Reflect.get(pod, "spec"))["containers"],
  indexes: () => undefined,
  transform: () => undefined,
  everything: (pod) => JSON.stringify(pod).length,
};

/** Index functions that read `spec` of each object. */
const specIndexes = {
  node: (pod: object) => [String(recordOf(Reflect.get(pod, "spec"))["nodeName"])],
  account: (pod: object) => [String(recordOf(Reflect.get(pod, "spec"))["serviceAccountName"])],
};

/** A transform that copies each object without its annotations. */
function withoutAnnotations(pod: KubernetesObject): KubernetesObject {
  return { ...pod, metadata: { ...pod.metadata, annotations: {} } };
}

const threeFields = ["metadata.labels", "spec.nodeName", "status.phase"] as const;

function startOurs(
  form: Form,
  server: string,
  told: Told,
  { connection, isStreamed, reads, resource, transport }: SourceOptions,
): Running {
  const read = form === "protobuf status" ? readers["status.phase"] : readers[reads];
  const source = {
    connection: connection ?? connectTo(server, transport),
    resource: resource ?? { group: "", version: "v1", resource: "pods" },
    decoder: jsonDecoder({ stripManagedFields: /stripped|status/.test(form) }),
    lazy: form.startsWith("whole") ? false : undefined,
    encoding: form.startsWith("protobuf") ? ("protobuf" as const) : ("json" as const),
    watchListSupported: isStreamed,
  };
  const reflecting = new ReflectorSource<KubernetesObject>({
    listerWatcher: form.endsWith("projected")
      ? httpListerWatcher({ ...source, fields: threeFields })
      : httpListerWatcher(source),
    cache: { transform: reads === "transform" ? withoutAnnotations : undefined },
    // The peer relists immediately; the delay is not measured.
    retry: { backoff: { baseMs: 0 } },
    watch: { silenceMs },
  });
  const informer = new Informer<KubernetesObject, Record<string, string>>(reflecting, {
    indexers: reads === "indexes" ? { ...namespaceIndex, ...specIndexes } : namespaceIndex,
    // A handler that throws is one of the faults, and is reported here.
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

async function startPeer(
  server: string,
  told: Told,
  resource: Collection | undefined,
): Promise<Running> {
  const config = new KubeConfig();
  config.loadFromOptions({
    clusters: [{ name: "bench", server, skipTLSVerify: true }],
    users: [{ name: "bench" }],
    contexts: [{ name: "bench", cluster: "bench", user: "bench" }],
    currentContext: "bench",
  });
  const pods = config.makeApiClient(CoreV1Api);
  const custom = config.makeApiClient(CustomObjectsApi);
  const informer =
    resource === undefined
      ? makeInformer<V1Pod>(config, "/api/v1/pods", () => pods.listPodForAllNamespaces())
      : makeInformer<V1Pod>(
          config,
          `/apis/${resource.group}/${resource.version}/${resource.resource}`,
          async () => {
            const { group, version, resource: resourcePlural } = resource;
            const parts = { group, version, resourcePlural };
            const list: unknown = await custom.listCustomObjectForAllNamespaces(parts);
            return list as KubernetesListObject<V1Pod>;
          },
        );
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
