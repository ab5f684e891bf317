// Special behaviour of small kinds.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import { ApiClient } from "../support/api-client.ts";

function createClient(): ApiClient {
  return new ApiClient(new FakeApiServer());
}

test("a Secret for TLS without certificate or key is stored with a warning", async () => {
  const client = createClient();
  const pem = (type: string) => btoa(`-----BEGIN ${type}-----\nMA==\n-----END ${type}-----\n`);
  const create = async (name: string, crt: string, key: string) => {
    const data = { "tls.crt": crt, "tls.key": key };
    const secret = { metadata: { name }, type: "kubernetes.io/tls", data };
    const path = "/api/v1/namespaces/default/secrets";
    return (await client.call("POST", path, secret)).headers.get("warning");
  };
  const problem = (input: string) => `299 - "tls: failed to find any PEM data in ${input} input"`;
  expect(await create("a", "", "")).toBe(problem("certificate"));
  expect(await create("b", pem("CERTIFICATE"), "")).toBe(problem("key"));
  expect(await create("c", pem("CERTIFICATE"), pem("PRIVATE KEY"))).toBeNull();
});

test("a Lease drops the fields of coordinated leader election", async () => {
  const client = createClient();
  const spec = { holderIdentity: "a", preferredHolder: "b", strategy: "OldestEmulationVersion" };
  const path = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  const { body } = await client.call("POST", path, { metadata: { name: "l" }, spec });
  expect(body["spec"]).toEqual({ holderIdentity: "a" });
});

describe("the label with the name of a namespace (STA-4)", () => {
  test("belongs to the namespace's creator, and cannot be changed", async () => {
    const client = createClient();
    const created = await client.call("POST", "/api/v1/namespaces", { metadata: { name: "a" } });
    const labels = { "kubernetes.io/metadata.name": "x" };
    const patch = { metadata: { labels } };
    const { body } = await client.call("PATCH", "/api/v1/namespaces/a", patch);
    expect(body["metadata"].labels).toEqual({ "kubernetes.io/metadata.name": "a" });
    expect(body["metadata"].resourceVersion).toBe(created.body["metadata"].resourceVersion);
  });

  test("is added for a generated name too", async () => {
    const metadata = { generateName: "a-" };
    const { body } = await createClient().call("POST", "/api/v1/namespaces", { metadata });
    const { labels, name } = body["metadata"];
    expect(labels).toEqual({ "kubernetes.io/metadata.name": name });
  });
});

test("an Event of the core group without a reporter has none in events.k8s.io", async () => {
  const client = createClient();
  await client.call("POST", "/api/v1/namespaces/default/events", {
    metadata: { name: "e" },
    involvedObject: { kind: "Pod", name: "p", namespace: "default" },
  });
  const path = "/apis/events.k8s.io/v1/namespaces/default/events/e";
  const { body } = await client.get(path);
  expect(body).not.toHaveProperty("reportingController");
  expect(body).not.toHaveProperty("reportingInstance");
});

test("a table marks pods that have ended", async () => {
  const client = createClient();
  const pods = "/api/v1/namespaces/default/pods";
  const spec = { containers: [{ name: "c", image: "i" }] };
  for (const [name, phase] of [
    ["a", "Failed"],
    ["b", "Running"],
  ]) {
    await client.call("POST", pods, { metadata: { name }, spec });
    await client.call("PATCH", `${pods}/${name}/status`, { status: { phase } });
  }
  const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
  const { body } = await client.call("GET", pods, undefined, { headers });
  expect(body["rows"].map(({ conditions }: { conditions?: unknown }) => conditions)).toEqual([
    [{ type: "Completed", status: "True", reason: "Failed", message: "The pod failed." }],
    undefined,
  ]);
});
