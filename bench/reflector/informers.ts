import { KubeConfig, makeInformer, CoreV1Api, type V1Pod } from "@kubernetes/client-node";
import type { KubernetesObject } from "@listwatch/core-fifo";
import { httpListerWatcher, jsonDecoder } from "@listwatch/reflector";
import { SharedInformer } from "@listwatch/shared-informer";
import { metaNamespaceIndexFunction } from "@listwatch/store-indexer";

/** What is told of the pods. */
export interface Told {
  added(): void;
  updated(pod: unknown): void;
  deleted(): void;
}

/** An informer at work. */
export interface Running {
  /** Pods in the cache. */
  count(): number;
  stop(): Promise<void>;
}

export type Kind = "plain" | "stripped" | "client-node";

/** Starts an informer of pods: ours with a namespace index and one handler, or the peer as its manual shows it. */
export async function startInformer(kind: Kind, server: string, told: Told): Promise<Running> {
  return kind === "client-node" ? startPeer(server, told) : startOurs(kind, server, told);
}

function startOurs(kind: "plain" | "stripped", server: string, told: Told): Running {
  const informer = new SharedInformer<KubernetesObject, { namespace: string }>({
    listerWatcher: httpListerWatcher({
      server,
      resource: { group: "", version: "v1", resource: "pods" },
      decoder: jsonDecoder({ stripManagedFields: kind === "stripped" }),
      watchListSupported: false,
    }),
    indexers: { namespace: metaNamespaceIndexFunction },
    freeze: false,
    // The peer lists again at once; the delay is not what is measured.
    backoff: { baseMs: 0 },
  });
  informer.addEventHandler({
    onAdd: () => told.added(),
    onUpdate: (_, pod) => told.updated(pod),
    onDelete: () => told.deleted(),
  });
  const controller = new AbortController();
  const ended = informer.run(controller.signal);
  return {
    count: () => informer.store.list().length,
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
  informer.on("error", () => undefined);
  await informer.start();
  return { count: () => informer.list().length, stop: () => informer.stop() };
}
