import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";

const collection = "/api/v1/namespaces/default/services";

function createClient(validation: "full" | "off" = "full"): ApiClient {
  return new ApiClient(new FakeApiServer({ validation }));
}

const service = (name: string, spec: Json = {}) => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});

describe("addresses of services (EFF-1, VAL-12)", () => {
  test("are rejected when they are taken or out of range", async () => {
    const client = createClient();
    const create = (name: string, clusterIP: string) =>
      client.call("POST", collection, service(name, { clusterIP }));
    expect((await create("a", "10.0.0.77")).status).toBe(201);
    expect((await create("b", "10.0.0.77")).body).toMatchObject({
      code: 422,
      message:
        'Service "b" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.77"]: failed to allocate IP 10.0.0.77: provided IP is already allocated',
    });
    expect((await create("c", "192.168.9.9")).body).toMatchObject({
      message:
        'Service "c" is invalid: spec.clusterIPs: Invalid value: ["192.168.9.9"]: failed to allocate IP 192.168.9.9: the provided network does not match the current range',
    });
    await client.call("DELETE", `${collection}/a`);
    expect((await create("b", "10.0.0.77")).status).toBe(201);
  });

  test("are accepted as they are by a server without validation", async () => {
    const client = createClient("off");
    const { body } = await client.call(
      "POST",
      collection,
      service("a", { clusterIP: "192.168.9.9" }),
    );
    expect(body).toMatchObject({ spec: { clusterIPs: ["192.168.9.9"] } });
  });

  test("on nodes must be in their range, and free", async () => {
    const client = createClient();
    const create = (name: string, nodePort: number) =>
      client.call(
        "POST",
        collection,
        service(name, { type: "NodePort", ports: [{ port: 80, nodePort }] }),
      );
    expect((await create("a", 30_080)).status).toBe(201);
    expect((await create("b", 30_080)).body["message"]).toBe(
      'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
    );
    expect((await create("b", 80)).body["message"]).toBe(
      'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is not in the valid range. The range of valid ports is 30000-32767',
    );
  });

  test("are removed with the type that requires them, together with its other fields", async () => {
    const client = createClient();
    const patch = async (spec: Json) =>
      (await client.call("PATCH", `${collection}/a`, { spec })).body["spec"];
    await client.call("POST", collection, service("a", { type: "LoadBalancer" }));
    const plain = await patch({ type: "ClusterIP" });
    expect(plain).not.toHaveProperty("allocateLoadBalancerNodePorts");
    expect(plain).not.toHaveProperty("externalTrafficPolicy");
    expect(plain).toMatchObject({ ports: [{ port: 80, protocol: "TCP", targetPort: 80 }] });
    expect(plain).not.toHaveProperty("ports.0.nodePort");
    expect(await patch({ externalIPs: ["1.2.3.4"] })).toMatchObject({
      externalTrafficPolicy: "Cluster",
    });
  });

  test("cannot be changed through clusterIP alone", async () => {
    const client = createClient();
    await client.call("POST", collection, service("a", { clusterIP: "10.0.0.5" }));
    const change = { spec: { clusterIP: "10.0.0.6" } };
    const { body } = await client.call("PATCH", `${collection}/a`, change);
    expect(body["message"]).toBe(
      'Service "a" is invalid: spec.clusterIPs[0]: Invalid value: ["10.0.0.6"]: may not change once set',
    );
  });
});
