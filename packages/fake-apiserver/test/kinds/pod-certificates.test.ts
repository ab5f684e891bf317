import { describe, expect, test } from "vitest";
import { FakeApiServer } from "../../src/index.ts";
import { ApiClient } from "../support/api-client.ts";

const certificates = "/apis/certificates.k8s.io/v1";

function createClient(): ApiClient {
  return new ApiClient(new FakeApiServer());
}

const pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const requestSpec = {
  signerName: "example.com/pods",
  podName: "web-0",
  podUID: "u1",
  serviceAccountName: "web",
  serviceAccountUID: "u2",
  nodeName: "n",
  nodeUID: "u3",
  stubPKCS10Request: "AA==",
};

// The kinds that 1.37 serves and 1.36 did not; the words are those of its source, not recorded.
describe("kinds that are new in 1.37", () => {
  test("bundles of trust are named after their signer", async () => {
    const client = createClient();
    const path = `${certificates}/clustertrustbundles`;
    const create = (name: string, spec: object) =>
      client.call("POST", path, { metadata: { name }, spec });
    expect(await create("roots", { trustBundle: pem })).toMatchObject({ status: 201 });
    expect(
      await create("example.com:pods:a", { signerName: "example.com/pods", trustBundle: pem }),
    ).toMatchObject({ status: 201 });
    const { body, status } = await create("a", { signerName: "example.com/pods", trustBundle: "" });
    expect(status).toBe(422);
    expect(body["details"]["causes"]).toMatchObject([
      { field: "metadata.name", reason: "FieldValueInvalid" },
      {
        field: "spec.trustBundle",
        message: expect.stringContaining("at least one trust anchor") as unknown,
      },
    ]);
  });

  test("requests for certificates of pods last a day, and are immutable", async () => {
    const client = createClient();
    const path = `${certificates}/namespaces/default/podcertificaterequests`;
    const { body, status } = await client.call("POST", path, {
      metadata: { name: "a" },
      spec: requestSpec,
    });
    expect([status, body["spec"].maxExpirationSeconds, body["status"]]).toEqual([201, 86_400, {}]);
    const changed = await client.call("PATCH", `${path}/a`, { spec: { podName: "web-1" } });
    expect(changed.status).toBe(422);
    const short = await client.call("POST", path, {
      metadata: { name: "b" },
      spec: { ...requestSpec, maxExpirationSeconds: 5 },
    });
    expect(short.body["message"]).toContain("must be in the range [3600, 7862400]");
  });

  test("migrations of stored versions name a resource", async () => {
    const client = createClient();
    const path = "/apis/storagemigration.k8s.io/v1/storageversionmigrations";
    const create = (name: string, resource: object) =>
      client.call("POST", path, { metadata: { name }, spec: { resource } });
    expect((await create("a", { group: "apps", resource: "deployments" })).status).toBe(201);
    expect((await create("b", {})).body["message"]).toBe(
      'StorageVersionMigration.storagemigration.k8s.io "b" is invalid: spec.resource.resource: Required value: resource is required to be set',
    );
  });
});
