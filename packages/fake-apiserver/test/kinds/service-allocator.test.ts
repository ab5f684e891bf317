import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
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

describe("ranges of addresses", () => {
  const start = (options: FakeApiServerOptions) => {
    const client = new ApiClient(new FakeApiServer(options));
    const create = async (name: string, spec: Json = {}) => {
      const { body } = await client.call("POST", collection, service(name, spec));
      return body["spec"] === undefined ? body["message"] : body["spec"];
    };
    return { client, create };
  };

  test("are settings, also of the objects that the server creates", async () => {
    const services = { ranges: ["10.96.0.0/12"], nodePorts: "31000-31001" };
    const { client, create } = start({ services, bootstrap: "full" });
    const own = await client.get(`${collection}/kubernetes`);
    expect(own.body["spec"]).toMatchObject({ clusterIP: "10.96.0.1", clusterIPs: ["10.96.0.1"] });
    const range = await client.get("/apis/networking.k8s.io/v1/servicecidrs/kubernetes");
    expect(range.body["spec"]).toEqual({ cidrs: ["10.96.0.0/12"] });
    expect(await create("a")).toMatchObject({ clusterIP: "10.96.0.2" });
    expect(await create("b", { clusterIP: "10.111.9.9" })).toMatchObject({
      clusterIPs: ["10.111.9.9"],
    });
    expect(await create("c", { clusterIP: "10.0.0.9" })).toMatch(/does not match the current/);
    const onNodes = (name: string) => create(name, { type: "NodePort" });
    expect(await onNodes("d")).toMatchObject({ ports: [{ nodePort: 31_000 }] });
    expect(await onNodes("e")).toMatchObject({ ports: [{ nodePort: 31_001 }] });
    expect(await onNodes("f")).toBe(
      "Internal error occurred: failed to allocate a nodePort: range is full",
    );
  });

  test("can be full, and take back what is released", async () => {
    const { client, create } = start({ services: { ranges: ["10.96.0.0/29"] } });
    for (const name of ["a", "b", "c", "d", "e"]) {
      expect(await create(name)).toMatchObject({ clusterIP: expect.any(String) });
    }
    const answer = await client.call("POST", collection, service("f"));
    expect(answer.body).toMatchObject({
      code: 500,
      message: "Internal error occurred: failed to allocate a serviceIP: range is full",
    });
    await client.call("DELETE", `${collection}/b`);
    expect(await create("f")).toMatchObject({ clusterIP: "10.96.0.3" });
    expect(await create("g", { clusterIP: "10.96.0.7" })).toMatch(
      /the provided network does not match the current range$/,
    );
  });

  test("are those of stored ServiceCIDRs", async () => {
    const cidr = (name: string, ...cidrs: string[]) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "ServiceCIDR",
      metadata: { name },
      spec: { cidrs },
    });
    const objects = [cidr("kubernetes", "172.20.0.0/30"), cidr("more", "172.21.0.0/30")];
    const { create } = start({ objects });
    expect(await create("a")).toMatchObject({ clusterIP: "172.20.0.2" });
    expect(await create("b")).toMatchObject({ clusterIP: "172.21.0.2" });
    expect(await create("c")).toMatch(/range is full/);
  });

  test("of two families give services two addresses if they want them", async () => {
    const { client, create } = start({ services: { ranges: ["fd00:96::/112", "10.96.0.0/16"] } });
    expect(await create("a")).toMatchObject({
      clusterIPs: ["fd00:96::2"],
      ipFamilies: ["IPv6"],
      ipFamilyPolicy: "SingleStack",
    });
    expect(await create("b", { ipFamilyPolicy: "RequireDualStack" })).toMatchObject({
      clusterIP: "fd00:96::3",
      clusterIPs: ["fd00:96::3", "10.96.0.2"],
      ipFamilies: ["IPv6", "IPv4"],
    });
    const given = { clusterIP: "10.96.0.9", clusterIPs: ["10.96.0.9", "fd00:96:0::9"] };
    expect(await create("c", { ...given, ipFamilyPolicy: "PreferDualStack" })).toMatchObject({
      ...given,
      ipFamilies: ["IPv4", "IPv6"],
    });
    expect(await create("d", { clusterIP: "fd00:96::9" })).toMatch(/already allocated$/);
    const change = { spec: { ipFamilyPolicy: "SingleStack" } };
    const { body } = await client.call("PATCH", `${collection}/b`, change);
    expect(body["spec"]).toMatchObject({ clusterIPs: ["fd00:96::3"], ipFamilies: ["IPv6"] });
    expect(await create("e", { clusterIP: "10.96.0.2" })).toMatchObject({ ipFamilies: ["IPv4"] });
  });

  test("of one family refuse services that require two", async () => {
    const { create } = start({});
    expect(await create("a", { ipFamilyPolicy: "RequireDualStack" })).toBe(
      'Service "a" is invalid: spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    );
    expect(await create("b", { ipFamilies: ["IPv6"] })).toBe(
      'Service "b" is invalid: spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    );
    expect(await create("c", { clusterIP: "fd00::1" })).toBe(
      'Service "c" is invalid: spec.clusterIPs[0]: Invalid value: ["fd00::1"]: IPv6 is not configured on this cluster',
    );
    expect(await create("d", { ipFamilyPolicy: "PreferDualStack" })).toMatchObject({
      clusterIPs: ["10.0.0.2"],
      ipFamilies: ["IPv4"],
    });
    expect(await create("e", { clusterIP: "None" })).toMatchObject({
      clusterIPs: ["None"],
      ipFamilies: ["IPv4", "IPv6"],
      ipFamilyPolicy: "RequireDualStack",
    });
  });

  test("are not taken by a dry run", async () => {
    const { client, create } = start({});
    await create("a", { clusterIP: "10.0.0.5" });
    const path = `${collection}?dryRun=All`;
    const dry = await client.call("POST", path, service("b", { clusterIP: "10.0.0.5" }));
    expect(dry.status).toBe(201);
  });

  test("are compared by a dry run with the range, node ports with those that are taken", async () => {
    const { client, create } = start({});
    const nodePort = (port: number) => ({ type: "NodePort", ports: [{ port: 1, nodePort: port }] });
    await create("a", nodePort(30011));
    const dryRun = async (spec: object) => {
      const { body } = await client.call("POST", `${collection}?dryRun=All`, service("b", spec));
      return body["message"] as string | undefined;
    };
    expect(await dryRun({ clusterIP: "1.2.3.4" })).toContain(
      "the provided IP (1.2.3.4) is not in the valid range. The range of valid IPs is 10.0.0.0/24",
    );
    expect(await dryRun(nodePort(30011))).toContain("provided port is already allocated");
    expect(await dryRun(nodePort(80))).toBeUndefined();
  });

  test.each([
    [{ ranges: ["10.0.0.0"] }, /services\.ranges/],
    [{ ranges: [] }, /services\.ranges/],
    [{ ranges: ["10.0.0.0/24", "10.1.0.0/24"] }, /services\.ranges/],
    [{ nodePorts: "9-1" }, /services\.nodePorts/],
    [{ nodePorts: "70000" }, /services\.nodePorts/],
  ])("rejects %j", (services, message) => {
    expect(() => new FakeApiServer({ services })).toThrow(message);
  });
});
