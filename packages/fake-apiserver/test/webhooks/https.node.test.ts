import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:https";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CertificateAuthority } from "../../src/certificates/certificate-authority.ts";
import { ApiClient } from "../support/api-client.ts";
import { configuration, webhook } from "../support/webhook-handler.ts";

let authority: CertificateAuthority;
let certificate: string;
let server: Server;
let origin: string;
const hosts: string[] = [];

beforeAll(async () => {
  authority = await CertificateAuthority.create("webhooks");
  const issued = await authority.issueServer(["hooks.system.svc"]);
  certificate = issued.certificate;
  server = createServer({ cert: certificate, key: issued.key }, (incoming, outgoing) => {
    hosts.push(`${incoming.headers.host} ${incoming.url}`);
    if (incoming.url?.startsWith("/moved") === true) {
      outgoing.writeHead(307, { location: incoming.url.replace("/moved", "/check") }).end();
      return;
    }
    if (incoming.url?.startsWith("/round") === true) {
      outgoing.writeHead(308, { location: incoming.url }).end();
      return;
    }
    let body = "";
    incoming.on("data", (chunk) => (body += String(chunk)));
    incoming.on("end", () => {
      const { apiVersion, kind, request } = JSON.parse(body) as {
        apiVersion: string;
        kind: string;
        request: { uid: string };
      };
      const response = { uid: request.uid, allowed: false, status: { message: "over TLS" } };
      outgoing.setHeader("content-type", "application/json");
      outgoing.end(JSON.stringify({ apiVersion, kind, response }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  origin = `https://127.0.0.1:${port}`;
});

afterAll(() => {
  server.close();
});

function clientFor(clientConfig: object, services: Record<string, string> = {}): ApiClient {
  const objects = [configuration("Validating", "v", webhook("a", { clientConfig }))];
  return new ApiClient(new FakeApiServer({ seed: 1, objects, webhooks: { services } }));
}

async function refusalOf(client: ApiClient): Promise<string> {
  const { body } = await client.createConfigMap("a");
  const prefix =
    'Internal error occurred: failed calling webhook "a.example.com": failed to call webhook: Post ';
  return String(body["message"]).replace(prefix, "");
}

const service = { name: "hooks", namespace: "system", path: "/check" };

describe("a webhook over HTTPS", () => {
  test("is found by the address of its service and trusted by its bundle (ADM-11)", async () => {
    const caBundle = btoa(authority.certificate);
    const client = clientFor({ service, caBundle }, { "system/hooks": origin });
    expect(await refusalOf(client)).toBe(
      'admission webhook "a.example.com" denied the request: over TLS',
    );
    expect(hosts).toEqual(["hooks.system.svc:443 /check?timeout=10s"]);
  });

  test("is trusted by a bundle with its own certificate, as Go trusts it (ADM-11)", async () => {
    const client = clientFor({ service, caBundle: btoa(certificate) }, { "system/hooks": origin });
    // Deno trusts authorities only.
    const expected =
      "Deno" in globalThis ? "signed by unknown authority" : "denied the request: over TLS";
    expect(await refusalOf(client)).toContain(expected);
  });

  test("is followed when it has moved (ADM-11)", async () => {
    hosts.length = 0;
    const caBundle = btoa(authority.certificate);
    const moved = { service: { ...service, path: "/moved" }, caBundle };
    const client = clientFor(moved, { "system/hooks": origin });
    expect(await refusalOf(client)).toContain("denied the request: over TLS");
    expect(hosts.map((host) => host.replace(/^\S+ /, ""))).toEqual([
      "/moved?timeout=10s",
      "/check?timeout=10s",
    ]);
    const round = { service: { ...service, path: "/round" }, caBundle };
    expect(await refusalOf(clientFor(round, { "system/hooks": origin }))).toBe(
      '"https://hooks.system.svc:443/round?timeout=10s": stopped after 10 redirects',
    );
    expect(hosts).toHaveLength(13);
  });

  test("is not trusted without a bundle (ADM-11)", async () => {
    const client = clientFor({ service }, { "system/hooks:443": origin });
    expect(await refusalOf(client)).toBe(
      '"https://hooks.system.svc:443/check?timeout=10s": ' +
        "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    );
  });

  test("needs a certificate for its name (ADM-11)", async () => {
    const caBundle = btoa(authority.certificate);
    const client = clientFor({ url: `${origin}/check`, caBundle });
    // Bun does not tell for which names a certificate is.
    const reason =
      "Bun" in globalThis
        ? "Hostname/IP does not match certificate's altnames: IP: 127.0.0.1 is not in the cert's list: "
        : "tls: failed to verify certificate: x509: certificate is valid for hooks.system.svc, not 127.0.0.1";
    expect(await refusalOf(client)).toBe(`"${origin}/check?timeout=10s": ${reason}`);
  });

  test("that does not listen is reported as by Go (ADM-11)", async () => {
    const client = clientFor({ url: "https://127.0.0.1:1/check" });
    expect(await refusalOf(client)).toBe(
      '"https://127.0.0.1:1/check?timeout=10s": dial tcp 127.0.0.1:1: connect: connection refused',
    );
  });
});
