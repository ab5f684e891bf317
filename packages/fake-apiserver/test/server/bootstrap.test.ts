import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";

function start(options: ConstructorParameters<typeof FakeApiServer>[0] = {}): ApiClient {
  return new ApiClient(new FakeApiServer({ seed: 1, bootstrap: "full", ...options }));
}

async function count(client: ApiClient, path: string): Promise<number> {
  return (await client.get(path)).body["items"].length;
}

describe("the objects that a server creates (API-1.17)", () => {
  // As in a new kube-apiserver 1.37.2 without controllers.
  test.each([
    ["/api/v1/namespaces", 4],
    ["/api/v1/configmaps", 2],
    ["/api/v1/endpoints", 1],
    ["/api/v1/services", 1],
    ["/api/v1/componentstatuses", 3],
    ["/api/v1/serviceaccounts", 0],
    ["/api/v1/secrets", 0],
    ["/apis/apiregistration.k8s.io/v1/apiservices", 22],
    ["/apis/networking.k8s.io/v1/ipaddresses", 1],
    ["/apis/networking.k8s.io/v1/servicecidrs", 1],
    [`${rbac}/clusterroles`, 73],
    [`${rbac}/clusterrolebindings`, 54],
    [`${rbac}/roles`, 7],
    [`${rbac}/rolebindings`, 7],
    ["/apis/scheduling.k8s.io/v1/priorityclasses", 2],
    ["/apis/coordination.k8s.io/v1/leases", 1],
    ["/apis/discovery.k8s.io/v1/endpointslices", 1],
    ["/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas", 11],
    ["/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations", 8],
  ])("%s has %i", async (path, expected) => {
    expect(await count(start(), path)).toBe(expected);
  });

  test("are only the four namespaces by default", async () => {
    const client = start({ bootstrap: undefined });
    const { body } = await client.get("/api/v1/namespaces");

    expect(body["items"].map(({ metadata }: Json) => metadata.name)).toEqual([
      "default",
      "kube-node-lease",
      "kube-public",
      "kube-system",
    ]);
    expect(await count(client, `${rbac}/clusterroles`)).toBe(0);
    expect(await count(client, "/api/v1/services")).toBe(0);
  });

  test("the service kubernetes has the first address, which is reserved", async () => {
    const client = start();
    const { body } = await client.get("/api/v1/namespaces/default/services/kubernetes");
    const spec = { clusterIP: "10.0.0.1", ports: [{ port: 80 }] };
    const taken = await client.call("POST", "/api/v1/namespaces/default/services", {
      metadata: { name: "mine" },
      spec,
    });

    expect(body["spec"].clusterIP).toBe("10.0.0.1");
    expect(body["metadata"].labels).toEqual({ component: "apiserver", provider: "kubernetes" });
    expect(taken.body["message"]).toContain("provided IP is already allocated");
  });

  test("have times of the clock, and uids of the seed", async () => {
    const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678) });
    const [first, second, other] = [
      start({ clock }),
      start({ clock }),
      start({ clock, seed: 2 }),
    ].map((client) => client.get("/apis/coordination.k8s.io/v1/leases"));
    const [lease] = (await first)?.body["items"] ?? [];

    expect(lease.metadata.creationTimestamp).toBe("2026-01-02T03:04:05Z");
    expect(lease.metadata.managedFields[0].time).toBe("2026-01-02T03:04:05Z");
    expect(lease.spec.renewTime).toBe("2026-01-02T03:04:05.678000Z");
    expect(lease.spec.holderIdentity).toMatch(new RegExp(`^${lease.metadata.name}_[0-9a-f-]{36}$`));
    expect((await second)?.body).toEqual((await first)?.body);
    expect((await other)?.body["items"][0].metadata.uid).not.toBe(lease.metadata.uid);
  });

  test("are older than all history: watches begin after them", async () => {
    const server = new FakeApiServer({ seed: 1, bootstrap: "full" });
    const client = new ApiClient(server);
    const list = await client.get("/api/v1/services");
    const version = list.body["metadata"].resourceVersion;
    const watch = await client.watch(`/api/v1/services?watch=1&resourceVersion=${version}`);
    await client.call("POST", "/api/v1/namespaces/default/services", {
      metadata: { name: "mine" },
      spec: { ports: [{ port: 80 }] },
    });

    expect(await watch.take(1)).toEqual(["ADDED mine"]);
    await watch.cancel();
    const service = list.body["items"][0].metadata;
    expect(Number(service.resourceVersion)).toBeLessThanOrEqual(Number(version));
    expect(server.control.eventLog("services").map(({ name }) => name)).toEqual(["mine"]);
  });

  test("survive a restored snapshot", async () => {
    const server = new FakeApiServer({ seed: 1, bootstrap: "full" });
    const client = new ApiClient(server);
    const snapshot = server.control.snapshot();
    await client.call("DELETE", `${rbac}/clusterroles/view`);
    expect((await client.get(`${rbac}/clusterroles/view`)).status).toBe(404);
    server.control.restore(snapshot);

    expect((await client.get(`${rbac}/clusterroles/view`)).status).toBe(200);
  });

  test("can be changed like other objects, also by apply", async () => {
    const client = start();
    const path = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/probes";
    const { body } = await client.call("PATCH", `${path}?fieldManager=me`, {
      spec: { matchingPrecedence: 3 },
    });
    const owners = body["metadata"].managedFields.map((entry: Json) => [
      entry["manager"],
      entry["fieldsV1"]["f:spec"] === undefined
        ? undefined
        : Object.hasOwn(entry["fieldsV1"]["f:spec"], "f:matchingPrecedence"),
    ]);

    expect(body["metadata"].generation).toBe(2);
    expect(owners).toContainEqual(["me", true]);
    expect(owners).toContainEqual(["api-priority-and-fairness-config-producer-v1", false]);
  });

  test("roles and bindings grant the same rights as on a real server", async () => {
    const server = new FakeApiServer({
      seed: 1,
      bootstrap: "full",
      authorization: "rbac",
      users: {
        admin: { username: "root", groups: ["system:masters"] },
        scheduler: { username: "system:kube-scheduler", groups: ["system:authenticated"] },
        jane: { username: "jane", groups: ["system:authenticated"] },
      },
    });
    const client = new ApiClient(server);
    const get = async (token: string, path: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await client.call("GET", path, undefined, { headers })).status;
    };

    expect(await get("scheduler", "/api/v1/nodes")).toBe(200);
    expect(await get("scheduler", "/api/v1/secrets")).toBe(403);
    expect(await get("jane", "/api/v1/nodes")).toBe(403);
    expect(await get("jane", "/apis")).toBe(200);
  });

  test("the priority classes can be used by pods", async () => {
    const client = start();
    const pod = await client.call("POST", "/api/v1/namespaces/kube-system/pods", {
      metadata: { name: "p" },
      spec: {
        containers: [{ name: "c", image: "i" }],
        priorityClassName: "system-node-critical",
      },
    });

    expect(pod.body["spec"].priority).toBe(2_000_001_000);
    expect(pod.body["spec"].preemptionPolicy).toBe("PreemptLowerPriority");
  });

  test("IPAddress objects exist for services, and are deleted with them", async () => {
    const client = start();
    const path = "/api/v1/namespaces/default/services";
    const metadata = { name: "mine" };
    const service = await client.call("POST", path, { metadata, spec: { ports: [{ port: 80 }] } });
    const address = `/apis/networking.k8s.io/v1/ipaddresses/${service.body["spec"].clusterIP}`;
    const { body } = await client.get(address);
    await client.call("DELETE", `${path}/mine`);

    expect(body["spec"].parentRef).toEqual({
      resource: "services",
      namespace: "default",
      name: "mine",
    });
    expect(body["metadata"].labels["ipaddress.kubernetes.io/managed-by"]).toBe(
      "ipallocator.k8s.io",
    );
    expect(body["metadata"].managedFields[0].fieldsV1["f:spec"]).toEqual({
      "f:parentRef": { ".": {}, "f:name": {}, "f:namespace": {}, "f:resource": {} },
    });
    expect((await client.get(address)).status).toBe(404);
  });

  test("each version of custom resources has its APIService while it is served", async () => {
    const client = start();
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const schema = { openAPIV3Schema: { type: "object" } };
    const versions = [
      { name: "v1", served: true, storage: true, schema },
      { name: "v1beta1", served: true, storage: false, schema },
    ];
    const names = { plural: "gadgets", kind: "Gadget" };
    const spec = { group: "k.example.com", scope: "Namespaced", names, versions };
    const ours = async (): Promise<readonly string[]> => {
      const { body } = await client.get("/apis/apiregistration.k8s.io/v1/apiservices");
      const all: readonly string[] = body["items"].map(({ metadata }: Json) => metadata.name);
      return all.filter((name) => name.endsWith(".k.example.com"));
    };

    await client.call("POST", path, { metadata: { name: "gadgets.k.example.com" }, spec });
    expect(await ours()).toEqual(["v1.k.example.com", "v1beta1.k.example.com"]);
    await client.call("PATCH", `${path}/gadgets.k.example.com`, {
      spec: { versions: [versions[0], { ...versions[1], served: false }] },
    });
    expect(await ours()).toEqual(["v1.k.example.com"]);
    await client.call("DELETE", `${path}/gadgets.k.example.com`);
    expect(await ours()).toEqual([]);
  });

  test("an unknown mode is rejected", () => {
    const bootstrap = "all" as "full";
    expect(() => new FakeApiServer({ bootstrap })).toThrow(/bootstrap/);
  });
});
