import { FakeApiServer } from "@listwatch/fake-apiserver";
import { expect, test } from "vitest";
import { ApiClient, type Json } from "../support/api-client.ts";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const pem = "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n";

async function causesOf(spec: object): Promise<readonly string[]> {
  const client = new ApiClient(new FakeApiServer());
  const { body } = await client.call("POST", path, { metadata: { name: "a" }, spec });
  const causes = (body["details"]?.causes ?? []) as readonly Json[];
  return causes.map(({ field, reason }) => `${field}: ${reason}`);
}

test("a signing request needs a PEM block, a signer and known usages", async () => {
  const good = { request: btoa(pem), signerName: "example.net/a", usages: ["client auth"] };
  expect(await causesOf(good)).toEqual([]);
  expect(await causesOf({ ...good, request: btoa("x") })).toEqual([
    "spec.request: FieldValueInvalid",
  ]);
  expect(await causesOf({ ...good, usages: ["client auth", "x", "client auth"] })).toEqual([
    "spec.usages[1]: FieldValueNotSupported",
    "spec.usages[2]: FieldValueDuplicate",
  ]);
  const rest = { signerName: "kubernetes.io/legacy-unknown", expirationSeconds: 599 };
  expect(await causesOf({ ...good, ...rest })).toEqual([
    "spec.signerName: FieldValueInvalid",
    "spec.expirationSeconds: FieldValueInvalid",
  ]);
});
