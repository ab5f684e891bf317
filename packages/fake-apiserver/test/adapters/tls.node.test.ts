import { once } from "node:events";
import { connect, type ClientHttp2Session } from "node:http2";
import { request } from "node:https";
import { CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import type { Listener } from "@listwatch/fake-apiserver/node";
import { afterEach, describe, expect, test } from "vitest";
import { CertificateAuthority } from "../../src/certificates/certificate-authority.ts";
import type { Json } from "../support/api-client.ts";
import { listenHere, runtime } from "../support/listen-here.ts";

const open: Listener[] = [];

afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close();
});

async function listen(options: FakeApiServerOptions = {}): Promise<Listener> {
  const listener = await listenHere(new FakeApiServer(options), { tls: true });
  open.push(listener);
  return listener;
}

interface Shown {
  readonly certificate?: string;
  readonly key?: string;
  readonly token?: string;
}

/** Returns the user that the server authenticates. */
function whoAmI(
  { port, tls }: Listener,
  { certificate, key, token }: Shown = {},
  host = "127.0.0.1",
): Promise<{ readonly status: number | undefined; readonly body: Json }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    readonly status: number | undefined;
    readonly body: Json;
  }>();
  const outgoing = request(
    {
      host,
      port,
      path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      method: "POST",
      ca: tls?.authority,
      cert: certificate,
      key,
      agent: false,
      headers: {
        "content-type": "application/json",
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    },
    (incoming) => {
      let text = "";
      incoming.on("data", (chunk) => (text += String(chunk)));
      incoming.on("end", () => {
        resolve({ status: incoming.statusCode, body: JSON.parse(text) as Json });
      });
    },
  );
  outgoing.on("error", reject);
  outgoing.end("{}");
  return promise;
}

describe("a listener with TLS", () => {
  test("breaks watches that are reset, and continues to serve", async () => {
    const server = new FakeApiServer();
    const listener = await listenHere(server, { tls: true });
    open.push(listener);
    const { promise: broken, resolve, reject } = Promise.withResolvers<Error>();
    const { port, tls } = listener;
    const path = "/api/v1/namespaces?watch=true";
    const outgoing = request(
      { host: "127.0.0.1", port, path, ca: tls?.authority, agent: false },
      (incoming) => {
        incoming.once("data", () => server.control.watches.reset());
        incoming.once("error", resolve);
        incoming.once("end", () => reject(new Error("expected a break, got an end")));
      },
    );
    outgoing.once("error", resolve);
    outgoing.end();
    expect(await broken).toMatchObject({ code: "ECONNRESET" });
    expect((await whoAmI(listener)).status).toBe(201);
  });

  test("is trusted through its authority, at each name of the loopback address", async () => {
    const listener = await listen();
    expect(listener.url).toBe(`https://127.0.0.1:${listener.port}`);
    for (const host of ["127.0.0.1", "localhost"]) {
      expect((await whoAmI(listener, {}, host)).status).toBe(201);
    }
    const other = await CertificateAuthority.create("fake-apiserver");
    const stranger = { authority: other.certificate };
    await expect(whoAmI({ ...listener, tls: stranger } as Listener)).rejects.toThrow(
      /certificate/i,
    );
  });

  test("authenticates users by their tokens", async () => {
    const listener = await listen({ users: { t: { username: "jane" } } });
    expect((await whoAmI(listener)).status).toBe(401);
    const { body } = await whoAmI(listener, { token: "t" });
    expect(body["status"]["userInfo"]["username"]).toBe("jane");
  });

  test("does not affect a listener without TLS", async () => {
    const listener = await listenHere(new FakeApiServer());
    open.push(listener);
    expect(listener.tls).toBeUndefined();
    expect(listener.url).toMatch(/^http:/);
  });
});

// Deno.serve requests no client certificate, and Bun does not expose its content.
describe.skipIf(runtime !== "node")("a client certificate", () => {
  test("names the user and the groups, on every connection (AUT-6)", async () => {
    const listener = await listen({ users: {} });
    const jane = { username: "jane", groups: ["people", "ops"] };
    const shown = await listener.tls?.issueClientCertificate(jane);
    for (let connection = 0; connection < 3; connection++) {
      const { body } = await whoAmI(listener, shown);
      expect(body["status"]["userInfo"]).toMatchObject({
        username: "jane",
        groups: ["people", "ops", "system:authenticated"],
      });
    }
  });

  test("belongs to the administrator by default, as in the kubeconfig", async () => {
    const listener = await listen({ users: {} });
    const { body } = await whoAmI(listener, await listener.tls?.issueClientCertificate());
    expect(body["status"]["userInfo"]).toMatchObject({
      username: "kubernetes-admin",
      groups: ["system:masters", "system:authenticated"],
      extra: {
        "authentication.kubernetes.io/credential-id": [
          expect.stringMatching(/^X509SHA256=[0-9a-f]{64}$/) as string,
        ],
      },
    });
  });

  test("of another authority is ignored (AUT-1)", async () => {
    const listener = await listen({ users: {} });
    const other = await CertificateAuthority.create("fake-apiserver");
    const forged = await other.issueClient({
      commonName: "kubernetes-admin",
      organizations: ["system:masters"],
    });
    expect((await whoAmI(listener, forged)).status).toBe(401);
  });

  test("is sent by @kubernetes/client-node", async () => {
    const listener = await listen({ users: {} });
    const shown = await listener.tls?.issueClientCertificate();
    const base64 = (text = ""): string => Buffer.from(text).toString("base64");
    const config = new KubeConfig();
    config.loadFromClusterAndUser(
      {
        name: "fake",
        server: listener.url,
        caData: base64(listener.tls?.authority),
        skipTLSVerify: false,
      },
      { name: "fake", certData: base64(shown?.certificate), keyData: base64(shown?.key) },
    );
    const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
    expect(items.map(({ metadata }) => metadata?.name)).toContain("default");
  });
});

describe.runIf(runtime === "node")("over HTTP/2", () => {
  interface Http2Answer {
    readonly status: number | undefined;
    readonly text: string;
  }

  function ask(session: ClientHttp2Session, path: string, body?: string): Promise<Http2Answer> {
    const method = body === undefined ? "GET" : "POST";
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const stream = session.request({ ":path": path, ":method": method, ...headers });
    const { promise, resolve, reject } = Promise.withResolvers<Http2Answer>();
    let [status, text]: [number | undefined, string] = [undefined, ""];
    stream.on("response", (fields) => (status = fields[":status"]));
    stream.on("data", (chunk) => (text += String(chunk)));
    stream.on("end", () => resolve({ status, text }));
    stream.on("error", reject);
    stream.end(body);
    return promise;
  }

  test("requests of one connection are answered, and clients show certificates", async () => {
    const listener = await listen();
    const shown = await listener.tls?.issueClientCertificate({ username: "jane" });
    const ca = listener.tls?.authority;
    const session = connect(listener.url, { ca, cert: shown?.certificate, key: shown?.key });
    const review = JSON.stringify({
      apiVersion: "authentication.k8s.io/v1",
      kind: "SelfSubjectReview",
    });
    const [version, who] = await Promise.all([
      ask(session, "/version"),
      ask(session, "/apis/authentication.k8s.io/v1/selfsubjectreviews", review),
    ]);
    expect([version.status, who.status]).toEqual([200, 201]);
    expect(who.text).toContain('"jane"');
    session.destroy();
  });

  test("a reset of a watch ends its stream with an error, and no other", async () => {
    const server = new FakeApiServer();
    const listener = await listenHere(server, { tls: true });
    open.push(listener);
    const session = connect(listener.url, { ca: listener.tls?.authority });
    const stream = session.request({ ":path": "/api/v1/pods?watch=true" });
    await once(stream, "response");
    stream.resume();
    const failure = once(stream, "error");
    server.control.watches.reset();
    expect(String(await failure)).toContain("INTERNAL_ERROR");
    expect((await ask(session, "/version")).status).toBe(200);
    session.destroy();
  });
});
