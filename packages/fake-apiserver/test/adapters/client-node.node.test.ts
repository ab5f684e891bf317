import {
  ApiextensionsV1Api,
  AppsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  Watch,
  type V1ConfigMap,
  type V1Pod,
} from "@kubernetes/client-node";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen, type Listener } from "@listwatch/fake-apiserver/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

let server: FakeApiServer;
let listener: Listener;
let config: KubeConfig;

beforeEach(async () => {
  server = new FakeApiServer({ seed: 1 });
  listener = await listen(server);
  config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: "fake", server: listener.url, skipTLSVerify: true },
    { name: "fake" },
  );
});

afterEach(async () => {
  await listener.close();
});

const namespace = "default";
const configMap = (name: string, data: Record<string, string> = {}): V1ConfigMap => ({
  metadata: { name, namespace },
  data,
});

/** Collects the arguments of a callback, and waits for them. */
class Collected<T> {
  readonly items: T[] = [];
  #waiting: (() => void) | undefined;

  readonly add = (item: T): void => {
    this.items.push(item);
    this.#waiting?.();
  };

  async until(count: number): Promise<readonly T[]> {
    while (this.items.length < count) {
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
    return this.items;
  }
}

describe("@kubernetes/client-node", () => {
  test("creates, reads, replaces, patches, lists and deletes", async () => {
    const api = config.makeApiClient(CoreV1Api);
    const created = await api.createNamespacedConfigMap({
      namespace,
      body: configMap("a", { x: "1" }),
    });
    expect(created.metadata?.creationTimestamp).toBeInstanceOf(Date);
    const read = await api.readNamespacedConfigMap({ namespace, name: "a" });
    read.data = { x: "2" };
    const replace = { namespace, name: "a", body: read };
    const replaced = await api.replaceNamespacedConfigMap(replace);
    expect(Number(replaced.metadata?.resourceVersion)).toBeGreaterThan(
      Number(read.metadata?.resourceVersion),
    );
    await expect(api.replaceNamespacedConfigMap(replace)).rejects.toMatchObject({ code: 409 });
    const patched = await api.patchNamespacedConfigMap(
      { namespace, name: "a", body: [{ op: "add", path: "/data/y", value: "3" }] },
      setHeaderOptions("Content-Type", PatchStrategy.JsonPatch),
    );
    expect(patched.data).toEqual({ x: "2", y: "3" });
    const merged = await api.patchNamespacedConfigMap(
      { namespace, name: "a", body: { data: { x: null } } },
      setHeaderOptions("Content-Type", PatchStrategy.MergePatch),
    );
    expect(merged.data).toEqual({ y: "3" });
    await api.createNamespacedConfigMap({ namespace, body: configMap("b") });
    const first = await api.listNamespacedConfigMap({ namespace, limit: 1 });
    expect(first.items.map((item) => item.metadata?.name)).toEqual(["a"]);
    const { _continue: token = "" } = first.metadata ?? {};
    const second = await api.listNamespacedConfigMap({ namespace, _continue: token });
    expect(second.items.map((item) => item.metadata?.name)).toEqual(["b"]);
    await api.deleteNamespacedConfigMap({ namespace, name: "a" });
    await expect(api.readNamespacedConfigMap({ namespace, name: "a" })).rejects.toMatchObject({
      code: 404,
    });
  });

  test("scales a deployment", async () => {
    const api = config.makeApiClient(AppsV1Api);
    const labels = { app: "api" };
    await api.createNamespacedDeployment({
      namespace,
      body: {
        metadata: { name: "api" },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
        },
      },
    });
    const scale = await api.readNamespacedDeploymentScale({ namespace, name: "api" });
    scale.spec = { replicas: 4 };
    await api.replaceNamespacedDeploymentScale({ namespace, name: "api", body: scale });
    const deployment = await api.readNamespacedDeployment({ namespace, name: "api" });
    expect(deployment.spec?.replicas).toBe(4);
  });

  test("watches", async () => {
    const api = config.makeApiClient(CoreV1Api);
    const seen = new Collected<string>();
    const abort = await new Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`,
      { allowWatchBookmarks: true },
      (type: string, object: V1ConfigMap) =>
        seen.add(`${type} ${object.metadata?.name ?? ""}`.trim()),
      () => undefined,
    );
    await seen.until(1);
    await api.createNamespacedConfigMap({ namespace, body: configMap("a") });
    await api.deleteNamespacedConfigMap({ namespace, name: "a" });
    expect(await seen.until(3)).toEqual(["BOOKMARK", "ADDED a", "DELETED a"]);
    abort.abort();
    await server.control.when.watchesClosed();
    expect(server.control.watches.list()).toEqual([]);
  });

  test("keeps an informer in sync across ended, broken and expired watches", async () => {
    const api = config.makeApiClient(CoreV1Api);
    const seen = new Collected<string>();
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const pod = (name: string): V1Pod => ({
      metadata: { name },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    const informer = makeInformer(config, path, () => api.listNamespacedPod({ namespace }));
    informer.on("add", ({ metadata }) => seen.add(`add ${metadata?.name}`));
    informer.on("delete", ({ metadata }) => seen.add(`delete ${metadata?.name}`));
    informer.on("error", () => void informer.start());
    await api.createNamespacedPod({ namespace, body: pod("a") });
    await informer.start();
    await server.control.when.watchOpen({ resource: "pods" });
    await api.createNamespacedPod({ namespace, body: pod("b") });
    expect(await seen.until(2)).toEqual(["add a", "add b"]);
    // "a" is deleted while there is no watch, and the version expires: the informer must relist.
    server.control.watches.end();
    await server.control.when.watchOpen({ resource: "pods" });
    await api.createNamespacedPod({ namespace, body: pod("c") });
    expect(await seen.until(3)).toEqual(["add a", "add b", "add c"]);

    // Away while "a" goes, and its version expires: it has to list again.
    const blocked = server.control.faults.add({
      match: { verb: "watch" },
      action: { type: "status", status: { code: 410 } },
    });
    await api.deleteNamespacedPod({ namespace, name: "a" });
    expect(await seen.until(4)).toContain("delete a");
    server.control.watches.end();
    await server.control.when.watchOpen({ resource: "pods" });
    expect(blocked.consumed).toBe(true);
    await api.createNamespacedPod({ namespace, body: pod("d") });
    expect(await seen.until(5)).toContain("add d");
    await informer.stop();
    expect(informer.list(namespace).map(({ metadata }) => metadata?.name)).toEqual(["b", "c", "d"]);
  });

  test("defines a custom resource and works with its objects", async () => {
    const group = "example.com";
    const version = "v1";
    const plural = "widgets";
    await config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({
      body: {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: `${plural}.${group}` },
        spec: {
          group,
          scope: "Namespaced",
          names: { plural, singular: "widget", kind: "Widget", listKind: "WidgetList" },
          versions: [
            {
              name: version,
              served: true,
              storage: true,
              schema: {
                openAPIV3Schema: {
                  type: "object",
                  properties: {
                    spec: { type: "object", properties: { size: { type: "integer" } } },
                  },
                },
              },
            },
          ],
        },
      },
    });
    const custom = config.makeApiClient(CustomObjectsApi);
    const at = { group, version, namespace, plural };
    const widget = { apiVersion: `${group}/${version}`, kind: "Widget", metadata: { name: "w" } };
    await custom.createNamespacedCustomObject({ ...at, body: { ...widget, spec: { size: 3 } } });
    const stored: unknown = await custom.getNamespacedCustomObject({ ...at, name: "w" });
    expect(stored).toMatchObject({ spec: { size: 3 }, metadata: { generation: 1 } });
    await expect(
      custom.createNamespacedCustomObject({
        ...at,
        body: { ...widget, metadata: { name: "x" }, spec: { size: "big" } },
      }),
    ).rejects.toMatchObject({ code: 422 });
    const objects = KubernetesObjectApi.makeApiClient(config);
    const patched = await objects.patch(
      { ...widget, metadata: { name: "w", namespace }, spec: { size: 4 } } as typeof widget,
      undefined,
      undefined,
      undefined,
      undefined,
      PatchStrategy.MergePatch,
    );
    expect(patched).toMatchObject({ spec: { size: 4 } });
    const listed = await objects.list(`${group}/${version}`, "Widget", namespace);
    expect(listed.items.map(({ metadata }) => metadata?.name)).toEqual(["w"]);
  });
});
