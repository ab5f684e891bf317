import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";

const services = "/api/v1/namespaces/default/services";

test("a service that drops its session affinity loses the settings for it (DEF-8)", async () => {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const spec = { ports: [{ port: 80 }], sessionAffinity: "ClientIP" };
  const created = await client.call("POST", services, { metadata: { name: "s" }, spec });
  const sessionAffinityConfig = { clientIP: { timeoutSeconds: 10_800 } };
  expect(created.body["spec"]).toMatchObject({ sessionAffinityConfig });
  const change = { spec: { sessionAffinity: "None" } };
  const { body } = await client.call("PATCH", `${services}/s`, change);
  expect(body["spec"]).not.toHaveProperty("sessionAffinityConfig");
});

test("the addresses of a load balancer get an IP mode (DEF-8)", async () => {
  const client = new ApiClient(new FakeApiServer({ seed: 1 }));
  const spec = { ports: [{ port: 80 }], type: "LoadBalancer" };
  await client.call("POST", services, { metadata: { name: "s" }, spec });
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }, { hostname: "a.b" }] } };
  const { body } = await client.call("PATCH", `${services}/s/status`, { status });
  expect(body["status"]).toEqual({
    loadBalancer: { ingress: [{ ip: "192.0.2.7", ipMode: "VIP" }, { hostname: "a.b" }] },
  });
});
