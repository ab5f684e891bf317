// The official JavaScript client against the fake API server.
// oxlint-disable no-underscore-dangle -- The client calls what the API calls "continue" so.
import { deepEqual, equal, match, rejects } from "node:assert/strict";
import {
  ApiextensionsV1Api,
  ApiException,
  AppsV1Api,
  CoordinationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
  PatchStrategy,
  V1MicroTime,
  Watch,
  makeInformer,
  setHeaderOptions,
} from "@kubernetes/client-node";
import { check, until } from "./checks.mjs";
import { configMap, deployment, namespace, widgetDefinition } from "./objects.mjs";

const config = new KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(CoreV1Api);
const apps = config.makeApiClient(AppsV1Api);
const objects = KubernetesObjectApi.makeApiClient(config);

const patchAs = (strategy) => setHeaderOptions("Content-Type", strategy);

function isRefusal(code, text) {
  return (error) => {
    equal(error instanceof ApiException, true);
    equal(error.code, code);
    match(JSON.stringify(error.body), text);
    return true;
  };
}

await check("create, with defaults in the answer", async () => {
  const { spec } = await apps.createNamespacedDeployment({ namespace, body: deployment("web") });
  equal(spec.strategy.type, "RollingUpdate");
  equal(spec.template.spec.restartPolicy, "Always");
  equal(spec.template.spec.containers[0].ports[0].protocol, "TCP");
});

await check("update, and a conflict of an old copy", async () => {
  const old = await core.createNamespacedConfigMap({
    namespace,
    body: configMap("settings", { color: "blue" }),
  });
  const name = "settings";
  old.data.color = "red";
  const replaced = await core.replaceNamespacedConfigMap({ name, namespace, body: old });
  deepEqual(replaced.data, { color: "red" });
  const again = core.replaceNamespacedConfigMap({ name, namespace, body: old });
  await rejects(again, isRefusal(409, /Conflict/));
});

await check("default patch of the typed client, a list of operations", async () => {
  const body = [{ op: "replace", path: "/spec/replicas", value: 3 }];
  const patched = await apps.patchNamespacedDeployment({ name: "web", namespace, body });
  equal(patched.spec.replicas, 3);
});

await check("default patch of the object client, which is strategic", async () => {
  const { apiVersion, kind, metadata } = deployment("web");
  const containers = [{ name: "side", image: "side:1" }];
  const spec = { template: { spec: { containers } } };
  const patched = await objects.patch({ apiVersion, kind, metadata, spec });
  const names = patched.spec.template.spec.containers.map(({ name }) => name);
  deepEqual(names, ["side", "main"]);
});

await check("merge patch", async () => {
  const body = { data: { color: null, size: "large" } };
  const patched = await core.patchNamespacedConfigMap(
    { name: "settings", namespace, body },
    patchAs(PatchStrategy.MergePatch),
  );
  deepEqual(patched.data, { size: "large" });
});

await check("apply, a conflict, and force", async () => {
  const apply = (fieldManager, color, force) => {
    const body = configMap("applied", { color });
    const request = { name: "applied", namespace, body, fieldManager, force };
    return core.patchNamespacedConfigMap(request, patchAs(PatchStrategy.ServerSideApply));
  };
  deepEqual((await apply("one", "blue")).data, { color: "blue" });
  await rejects(apply("two", "red"), isRefusal(409, /conflict with .{0,4}one/));
  const forced = await apply("two", "red", true);
  deepEqual(forced.data, { color: "red" });
  deepEqual(
    forced.metadata.managedFields.map(({ manager }) => manager),
    ["two"],
  );
});

await check("scale and status", async () => {
  const patch = [{ op: "replace", path: "/spec/replicas", value: 5 }];
  const where = { name: "web", namespace };
  const scaled = await apps.patchNamespacedDeploymentScale({ ...where, body: patch });
  equal(scaled.spec.replicas, 5);
  const body = await apps.readNamespacedDeployment(where);
  body.status = { replicas: 5, readyReplicas: 4 };
  const replaced = await apps.replaceNamespacedDeploymentStatus({ ...where, body });
  equal(replaced.status.readyReplicas, 4);
});

await check("list in pages, by labels", async () => {
  const names = Array.from({ length: 5 }, (_, index) => `page-${index}`);
  for (const name of names) {
    const body = configMap(name, {}, { labels: { set: "paged" } });
    await core.createNamespacedConfigMap({ namespace, body });
  }
  const seen = [];
  let page;
  do {
    const _continue = page?.metadata._continue;
    const request = { namespace, labelSelector: "set=paged", limit: 2, _continue };
    page = await core.listNamespacedConfigMap(request);
    seen.push(...page.items.map(({ metadata }) => metadata.name));
  } while (page.metadata._continue);
  deepEqual(seen, names);
});

const path = `/api/v1/namespaces/${namespace}/configmaps`;

await check("watch", async () => {
  const { metadata } = await core.listNamespacedConfigMap({ namespace });
  const events = [];
  const controller = await new Watch(config).watch(
    path,
    { resourceVersion: metadata.resourceVersion },
    (type, object) => events.push(`${type} ${object.metadata.name}`),
    () => {},
  );
  await core.createNamespacedConfigMap({ namespace, body: configMap("seen") });
  await core.deleteNamespacedConfigMap({ name: "seen", namespace });
  await until("two events", () => events.length >= 2);
  controller.abort();
  deepEqual(events, ["ADDED seen", "DELETED seen"]);
});

await check("an informer follows what is written", async () => {
  const informer = makeInformer(config, path, () => core.listNamespacedConfigMap({ namespace }));
  const updated = [];
  informer.on("update", ({ metadata }) => updated.push(metadata.name));
  await informer.start();
  await core.createNamespacedConfigMap({ namespace, body: configMap("followed", { size: "1" }) });
  await until("the object", () => informer.get("followed", namespace) !== undefined);
  const body = configMap("followed", { size: "2" });
  await core.replaceNamespacedConfigMap({ name: "followed", namespace, body });
  await until("the change", () => updated.includes("followed"));
  await core.deleteNamespacedConfigMap({ name: "followed", namespace });
  await until("the end", () => informer.get("followed", namespace) === undefined);
  await informer.stop();
});

await check("custom resources: create, apply, status", async () => {
  const body = widgetDefinition();
  await config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({ body });
  const custom = config.makeApiClient(CustomObjectsApi);
  const where = { group: "example.com", version: "v1", namespace, plural: "widgets" };
  const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "first" } };
  const spec = { color: "red" };
  await custom.createNamespacedCustomObject({ ...where, body: { ...widget, spec } });
  const applied = await custom.patchNamespacedCustomObject(
    { ...where, name: "first", body: { ...widget, spec: { size: 2 } }, fieldManager: "one" },
    patchAs(PatchStrategy.ServerSideApply),
  );
  deepEqual(applied.spec, { color: "red", size: 2 });
  const stored = await custom.patchNamespacedCustomObjectStatus(
    { ...where, name: "first", body: { status: { phase: "Ready" } } },
    patchAs(PatchStrategy.MergePatch),
  );
  deepEqual(stored.status, { phase: "Ready" });
});

await check("delete an owner in the background: what it owns goes too", async () => {
  const owner = await core.createNamespacedConfigMap({ namespace, body: configMap("owner") });
  const { uid } = owner.metadata;
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid }];
  const owned = configMap("owned", {}, { ownerReferences });
  await core.createNamespacedConfigMap({ namespace, body: owned });
  const propagationPolicy = "Background";
  await core.deleteNamespacedConfigMap({ name: "owner", namespace, propagationPolicy });
  await until("the end of the dependent", async () => {
    const { items } = await core.listNamespacedConfigMap({ namespace });
    return items.every(({ metadata }) => metadata.name !== "owned");
  });
});

await check("evict a pod", async () => {
  const metadata = { name: "victim", namespace };
  const spec = { containers: [{ name: "main", image: "nginx:1.28" }] };
  await core.createNamespacedPod({ namespace, body: { metadata, spec } });
  const body = { apiVersion: "policy/v1", kind: "Eviction", metadata };
  await core.createNamespacedPodEviction({ name: "victim", namespace, body });
  await until("the end of the pod", async () => {
    return (await core.listNamespacedPod({ namespace })).items.length === 0;
  });
});

await check("errors: not found, already exists, invalid", async () => {
  await rejects(core.readNamespacedPod({ name: "missing", namespace }), isRefusal(404, /NotFound/));
  const existing = { namespace, body: configMap("settings") };
  await rejects(core.createNamespacedConfigMap(existing), isRefusal(409, /AlreadyExists/));
  const wrong = { namespace, body: configMap("Wrong_Name") };
  await rejects(core.createNamespacedConfigMap(wrong), isRefusal(422, /Invalid/));
});

// The client has no elector, so the test uses the Lease directly.
await check("one of two candidates gets a Lease, and the other one after it", async () => {
  const leases = config.makeApiClient(CoordinationV1Api);
  const metadata = { name: "leader", namespace };
  const create = (holderIdentity) => {
    const spec = { holderIdentity, leaseDurationSeconds: 1, renewTime: new V1MicroTime() };
    return leases.createNamespacedLease({ namespace, body: { metadata, spec } });
  };
  const asked = await Promise.allSettled([create("one"), create("two")]);
  equal(asked.filter(({ status }) => status === "fulfilled").length, 1);
  const held = await leases.readNamespacedLease({ name: "leader", namespace });
  held.spec.holderIdentity = "three";
  const take = () => leases.replaceNamespacedLease({ ...metadata, body: held });
  equal((await take()).spec.holderIdentity, "three");
  await rejects(take(), isRefusal(409, /Conflict/));
});
