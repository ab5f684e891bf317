/**
 * Typical programs for `@kubernetes/client-node`, after its published examples of informers and
 * caches. `make` is the one import that changes.
 */
import { CoreV1Api, type KubeConfig, type V1Pod } from "@kubernetes/client-node";
import type { makeInformer } from "@listwatch/client-node";

/** Arguments of a program. */
export interface ProgramParts {
  /** `makeInformer` of either package. */
  readonly make: (
    ...values: [
      config: KubeConfig,
      path: string,
      list: () => ReturnType<CoreV1Api["listNamespacedPod"]>,
      labelSelector?: string,
    ]
  ) => Pick<
    ReturnType<typeof makeInformer<V1Pod>>,
    "get" | "list" | "off" | "on" | "start" | "stop"
  >;
  readonly config: KubeConfig;
  /** An empty namespace. */
  readonly namespace: string;
}

/** Printed lines, which can be awaited. */
class Lines {
  readonly all: string[] = [];
  #check: () => void = () => undefined;

  readonly print = (line: string): void => {
    this.all.push(line);
    this.#check();
  };

  readonly until = (line: string): Promise<void> =>
    new Promise((resolve) => {
      this.#check = () => {
        if (this.all.includes(line)) resolve();
      };
      this.#check();
    });
}

function podNamed(name: string, app: string): V1Pod {
  const spec = { containers: [{ name: "main", image: "registry.k8s.io/pause:3.10" }] };
  return { metadata: { name, labels: { app } }, spec };
}

const nameOf = (pod: V1Pod): string => pod.metadata?.name ?? "";

/** Prints the changes of pods, and restarts 5 s after an error. */
export async function followPods({ config, make, namespace }: ProgramParts): Promise<string[]> {
  const { all, print, until } = new Lines();
  const api = config.makeApiClient(CoreV1Api);
  await api.createNamespacedPod({ namespace, body: podNamed("first", "web") });
  const list = () => api.listNamespacedPod({ namespace });
  const informer = make(config, `/api/v1/namespaces/${namespace}/pods`, list);
  informer.on("add", (pod) => print(`added ${nameOf(pod)}`));
  informer.on("update", (pod) => print(`updated ${nameOf(pod)} ${pod.metadata?.labels?.["app"]}`));
  informer.on("delete", (pod) => print(`deleted ${nameOf(pod)}`));
  informer.on("error", () => {
    setTimeout(() => void informer.start(), 5000);
  });
  await informer.start();
  await api.createNamespacedPod({ namespace, body: podNamed("second", "web") });
  await until("added second");
  const first = await api.readNamespacedPod({ namespace, name: "first" });
  Object.assign(first.metadata ?? {}, { labels: { app: "api" } });
  await api.replaceNamespacedPod({ namespace, name: "first", body: first });
  await until("updated first api");
  await api.deleteNamespacedPod({ namespace, name: "second", gracePeriodSeconds: 0 });
  await until("deleted second");
  await informer.stop();
  return all;
}

/** Same as {@link followPods} with a label selector. */
export async function followSelectedPods(parts: ProgramParts): Promise<string[]> {
  const { config, make, namespace } = parts;
  const { all, print, until } = new Lines();
  const api = config.makeApiClient(CoreV1Api);
  const labelSelector = "app=shop";
  const list = () => api.listNamespacedPod({ namespace, labelSelector });
  const path = `/api/v1/namespaces/${namespace}/pods`;
  const informer = make(config, path, list, labelSelector);
  informer.on("add", (pod) => print(`added ${nameOf(pod)}`));
  informer.on("connect", () => print("connected"));
  await informer.start();
  await api.createNamespacedPod({ namespace, body: podNamed("other", "web") });
  await api.createNamespacedPod({ namespace, body: podNamed("selected", "shop") });
  await until("added selected");
  await informer.stop();
  return all;
}

/** Reads a cache of all namespaces' pods by namespace and by name. */
export async function readCache({ config, make, namespace }: ProgramParts): Promise<string[]> {
  const { all, print } = new Lines();
  const api = config.makeApiClient(CoreV1Api);
  const cache = make(config, "/api/v1/pods", () => api.listPodForAllNamespaces());
  const added = `added cached of ${namespace}`;
  const seen = new Lines();
  cache.on("add", (pod) => seen.print(`added ${nameOf(pod)} of ${pod.metadata?.namespace}`));
  await cache.start();
  await api.createNamespacedPod({ namespace, body: podNamed("cached", "web") });
  await seen.until(added);
  print(cache.list(namespace).map(nameOf).toSorted().join());
  print(cache.get("cached", namespace)?.metadata?.labels?.["app"] ?? "not there");
  print(cache.get("nothing", namespace)?.metadata?.name ?? "not there");
  await cache.stop();
  return all;
}
