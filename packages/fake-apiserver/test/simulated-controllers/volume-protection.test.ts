import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";
import { claimSpec, podSpec, volumeSpec } from "../support/valid-specs.ts";

const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
const pods = "/api/v1/namespaces/default/pods";
const volumes = "/api/v1/persistentvolumes";

function setUp(): ApiClient {
  return new ApiClient(new FakeApiServer());
}

describe("volume protection", () => {
  test("a deleted claim is removed when no pod uses it", async () => {
    const client = setUp();
    await client.call("POST", claims, { metadata: { name: "data" }, spec: claimSpec });
    const volume = { name: "v", persistentVolumeClaim: { claimName: "data" } };
    const spec = { ...podSpec, volumes: [volume] };
    await client.call("POST", pods, { metadata: { name: "user" }, spec });
    await client.call("DELETE", `${claims}/data`);
    const held = await client.get(`${claims}/data`);
    expect(held.body["metadata"].finalizers).toEqual(["kubernetes.io/pvc-protection"]);
    await client.call("DELETE", `${pods}/user`);
    expect((await client.get(`${claims}/data`)).status).toBe(404);
  });

  test("a deleted volume is removed when it is not bound", async () => {
    const client = setUp();
    for (const name of ["bound", "free"]) {
      await client.call("POST", volumes, { metadata: { name }, spec: volumeSpec });
    }
    await client.call("PATCH", `${volumes}/bound/status`, { status: { phase: "Bound" } });
    await client.call("DELETE", `${volumes}/bound`);
    await client.call("DELETE", `${volumes}/free`);
    expect((await client.get(`${volumes}/free`)).status).toBe(404);
    expect((await client.get(`${volumes}/bound`)).status).toBe(200);
    await client.call("PATCH", `${volumes}/bound/status`, { status: { phase: "Released" } });
    expect((await client.get(`${volumes}/bound`)).status).toBe(404);
  });

  test("a namespace with claims can be deleted", async () => {
    const client = setUp();
    await client.call("POST", "/api/v1/namespaces", { metadata: { name: "shop" } });
    const inShop = "/api/v1/namespaces/shop/persistentvolumeclaims";
    await client.call("POST", inShop, { metadata: { name: "data" }, spec: claimSpec });
    await client.call("DELETE", "/api/v1/namespaces/shop");
    expect((await client.get("/api/v1/namespaces/shop")).status).toBe(404);
  });
});
