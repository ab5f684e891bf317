import { createPrivateKey, X509Certificate } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { CertificateAuthority } from "../../src/certificates/certificate-authority.ts";

let authority: CertificateAuthority;

beforeAll(async () => {
  authority = await CertificateAuthority.create("test");
});

function root(): X509Certificate {
  return new X509Certificate(authority.certificate);
}

describe("a certificate authority", () => {
  test("signs itself", () => {
    expect(root().subject).toBe("CN=test");
    expect(root().ca).toBe(true);
    expect(root().verify(root().publicKey)).toBe(true);
  });

  test("signs a server for its names and addresses", async () => {
    const hosts = ["localhost", "127.0.0.1", "::1", "fe80::1:2"];
    const { certificate, key } = await authority.issueServer(hosts);
    const server = new X509Certificate(certificate);
    expect(server.checkIssued(root())).toBe(true);
    expect(server.verify(root().publicKey)).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.checkHost("localhost")).toBe("localhost");
    expect(server.checkHost("example.com")).toBeUndefined();
    for (const address of ["127.0.0.1", "::1", "fe80::1:2"]) {
      expect([address, server.checkIP(address)]).toEqual([address, address]);
    }
    expect(server.checkIP("127.0.0.2")).toBeUndefined();
    expect(server.checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  test("signs a client for its name and groups, for a year", async () => {
    const subject = { commonName: "jane", organizations: ["a", "b"] };
    const { certificate } = await authority.issueClient(subject);
    const client = new X509Certificate(certificate);
    expect(client.subject).toBe("O=a\nO=b\nCN=jane");
    expect(client.verify(root().publicKey)).toBe(true);
    const days = (Date.parse(client.validTo) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(364);
    expect(Date.parse(client.validFrom)).toBeLessThan(Date.now());
  });

  test("differs from another one of the same name", async () => {
    const other = await CertificateAuthority.create("test");
    const { certificate } = await other.issueClient({ commonName: "jane" });
    expect(new X509Certificate(certificate).verify(root().publicKey)).toBe(false);
  });
});
