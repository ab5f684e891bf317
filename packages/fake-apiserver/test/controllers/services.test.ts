import { describe, expect, test } from "vitest";
import { ControlledWorld, workloadWith } from "../support/controlled-world.ts";
import { podSpec } from "../support/valid-specs.ts";

describe("a service", () => {
  const spec = { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] };

  test("has a slice and endpoints with its pods", async () => {
    const world = new ControlledWorld();
    await world.create("services", "web", spec);
    const [empty] = await world.list("endpointslices");
    expect(empty?.["endpoints"]).toBeNull();
    await world.create("replicasets", "web", workloadWith("nginx", { replicas: 2 }));
    const slices = await world.list("endpointslices");
    expect(slices).toHaveLength(1);
    const [slice] = slices;
    expect(slice?.["metadata"]).toMatchObject({
      labels: {
        "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
        "kubernetes.io/service-name": "web",
      },
      ownerReferences: [{ kind: "Service", name: "web", controller: true }],
    });
    expect(slice?.["ports"]).toEqual([{ name: "", port: 8080, protocol: "TCP" }]);
    const [first] = await world.list("pods");
    expect(slice?.["endpoints"][0]).toEqual({
      addresses: [first?.["status"].podIP],
      conditions: { ready: true, serving: true, terminating: false },
      targetRef: {
        kind: "Pod",
        namespace: "default",
        name: first?.["metadata"].name,
        uid: first?.["metadata"].uid,
      },
    });
    const { subsets } = await world.get("endpoints", "web");
    expect(subsets[0].addresses).toHaveLength(2);
    expect(subsets[0].ports).toEqual([{ port: 8080, protocol: "TCP" }]);
    await world.delete("services", "web");
    expect(await world.names("endpointslices")).toEqual([]);
  });

  test("marks pods that are not ready, and drops those whose labels change", async () => {
    const world = new ControlledWorld({
      pods: () => ({ conditions: [{ type: "Ready", status: "False" }] }),
    });
    await world.create("services", "web", spec);
    await world.create("pods", "p", podSpec, { labels: { app: "web" } });
    const [slice] = await world.list("endpointslices");
    expect(slice?.["endpoints"][0].conditions.ready).toBe(false);
    expect((await world.get("endpoints", "web"))["subsets"][0].notReadyAddresses).toHaveLength(1);
    await world.patch("pods", "p", { metadata: { labels: { app: null } } });
    const [emptied] = await world.list("endpointslices");
    expect(emptied?.["endpoints"]).toBeNull();
  });

  test("spreads many pods over slices of 100", async () => {
    const world = new ControlledWorld();
    await world.create("services", "web", spec);
    await world.create("replicasets", "web", workloadWith("nginx", { replicas: 120 }));
    const slices = await world.list("endpointslices");
    const sizes = slices.map((slice): unknown => slice["endpoints"].length);
    expect(new Set(sizes)).toEqual(new Set([100, 20]));
  });
});

test("a namespace has a service account and a ConfigMap with the authority", async () => {
  const world = new ControlledWorld();
  await world.send("POST", "/api/v1/namespaces", { metadata: { name: "team" } });
  const accounts = await world.send("GET", "/api/v1/serviceaccounts");
  const namespaces = accounts["items"].map(
    ({ metadata }: { metadata: { name: string; namespace: string } }) =>
      `${metadata.namespace}/${metadata.name}`,
  );
  expect(namespaces).toEqual([
    "default/default",
    "kube-node-lease/default",
    "kube-public/default",
    "kube-system/default",
    "team/default",
  ]);
  expect(await world.names("configmaps")).toEqual(["kube-root-ca.crt"]);
  await world.delete("serviceaccounts", "default");
  expect(await world.names("serviceaccounts")).toEqual(["default"]);
  await world.send("DELETE", "/api/v1/namespaces/team");
  const left = await world.send("GET", "/api/v1/namespaces");
  expect(left["items"]).toHaveLength(4);
});
