import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { KubeConfig, type User } from "@kubernetes/client-node";
import { createClient, type Connection } from "@listwatch/client";
import { connectKubeConfig, type ConnectKubeConfigOptions } from "@listwatch/client-node";
import type { Log } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import {
  startTlsCluster,
  writeFile,
  writeKubeconfig,
  type TlsCluster,
} from "../support/tls-cluster.ts";
import { startCountingProxy } from "../support/counting-proxy.ts";

let cluster: TlsCluster;
let home: string;
beforeAll(async () => {
  cluster = await startTlsCluster();
});
afterAll(() => cluster[Symbol.asyncDispose]());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "listwatch-home-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** Returns the user name that the server authenticates. */
async function whoAmI(connection: Connection): Promise<string> {
  const review = await createClient(connection).request({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  });
  const { status } = review as { status: { userInfo: { username: string } } };
  return status.userInfo.username;
}

async function whoIs(config: KubeConfig, options?: ConnectKubeConfigOptions): Promise<string> {
  await using connection = connectKubeConfig(config, options);
  return await whoAmI(connection);
}

function configOf(user: Partial<User>, server = cluster.server): KubeConfig {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: "test", server, caData: cluster.data.ca, skipTLSVerify: false },
    { name: "test", ...user },
  );
  return config;
}

/** The test server maps the token to this user, and certificates to the administrator. */
const userOfToken = "kubernetes-admin";

function loadFrom(tool: string): KubeConfig {
  writeKubeconfig(tool, home, cluster);
  const config = new KubeConfig();
  config.loadFromFile(join(home, ".kube/config"));
  return config;
}

/** Installs a program under the name of a cloud provider's plugin. */
function installPlugin(name: string): void {
  const path = join(home, "bin", name);
  writeFile(
    path,
    `#!/usr/bin/env node
require("node:fs").appendFileSync(${JSON.stringify(join(home, "runs"))}, "run\\n");
const { apiVersion } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const status = { token: ${JSON.stringify(cluster.token)} };
console.log(JSON.stringify({ kind: "ExecCredential", apiVersion, status }));
`,
  );
  chmodSync(path, 0o755);
  vi.stubEnv("PATH", join(home, "bin") + delimiter + String(process.env["PATH"]));
}

describe("connectKubeConfig", () => {
  test.each(["kind", "minikube", "k3s", "aks-admin"])(
    "connects with the certificates in the kubeconfig of %s (CKC-1)",
    async (tool) => {
      expect(await whoIs(loadFrom(tool))).toBe("kubernetes-admin");
    },
  );

  test.each([
    { tool: "eks", plugin: "aws" },
    { tool: "gke", plugin: "gke-gcloud-auth-plugin" },
    { tool: "aks-kubelogin", plugin: "kubelogin" },
  ])("runs the plugin of $tool once for ten requests (CKC-1, EXEC-2)", async ({ plugin, tool }) => {
    installPlugin(plugin);
    await using connection = connectKubeConfig(loadFrom(tool));
    const users = await Promise.all(Array.from({ length: 10 }, () => whoAmI(connection)));
    expect(new Set(users)).toEqual(new Set([userOfToken]));
    expect(readFileSync(join(home, "runs"), "utf8")).toBe("run\n");
  });

  test("accepts a token, and an exec plugin that client-node keeps as an auth-provider (CKC-1)", async () => {
    expect(await whoIs(configOf({ token: cluster.token }))).toBe(userOfToken);
    installPlugin("plugin");
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "plugin" };
    const config = configOf({ authProvider: { name: "exec", config: { exec } } });
    expect(await whoIs(config)).toBe(userOfToken);
  });

  test("accepts a certificate authority with skipTLSVerify, and verifies nothing", async () => {
    for (const authority of [{ caData: "Q0FEQVRB" }, { caFile: join(home, "missing.crt") }]) {
      const config = new KubeConfig();
      config.loadFromClusterAndUser(
        { name: "test", server: cluster.server, ...authority, skipTLSVerify: true },
        { name: "test", token: cluster.token },
      );
      expect(await whoIs(config)).toBe(userOfToken);
    }
  });

  test("prefers a token or a token file to a password", async () => {
    const password = { username: "a", password: "b" };
    expect(await whoIs(configOf({ token: cluster.token, ...password }))).toBe(userOfToken);
    const tokenFile = join(home, "token");
    writeFile(tokenFile, cluster.token);
    const authProvider = { name: "tokenFile", config: { tokenFile } };
    expect(await whoIs(configOf({ authProvider, ...password }))).toBe(userOfToken);
  });

  test("runs a plugin of v1alpha1 as client-node does", async () => {
    const path = join(home, "bin", "old");
    const credential = JSON.stringify({ status: { token: cluster.token } });
    writeFile(path, `#!/bin/sh\necho '${credential}'\n`);
    chmodSync(path, 0o755);
    const exec = { apiVersion: "client.authentication.k8s.io/v1alpha1", command: path };
    expect(await whoIs(configOf({ exec }))).toBe(userOfToken);
  });

  test("accepts a loadFromCluster config and rereads its token (CKC-1, SA-1)", async () => {
    const folder = join(home, "var/run/secrets/kubernetes.io/serviceaccount");
    writeFile(join(folder, "ca.crt"), atob(cluster.data.ca));
    writeFile(join(folder, "namespace"), "shop");
    writeFile(join(folder, "token"), "old");
    const { hostname, port } = new URL(cluster.server);
    vi.stubEnv("KUBERNETES_SERVICE_HOST", hostname);
    vi.stubEnv("KUBERNETES_SERVICE_PORT", port);
    const config = new KubeConfig();
    config.loadFromCluster(home);
    await using connection = connectKubeConfig(config);
    expect(connection.namespace).toBe("shop");
    await expect(whoAmI(connection)).rejects.toThrow(/401|Unauthorized/i);
    writeFile(join(folder, "token"), `${cluster.token}\n`);
    expect(await whoAmI(connection)).toBe(userOfToken);
  });

  test("takes a snapshot (CKC-2)", async () => {
    const config = configOf({ token: cluster.token });
    await using connection = connectKubeConfig(config);
    config.setCurrentContext("other");
    config.loadFromOptions({ clusters: [], users: [], contexts: [], currentContext: "none" });
    expect(await whoAmI(connection)).toBe(userOfToken);
  });

  test("selects another context by name (CKC-2)", async () => {
    const config = configOf({ token: "wrong" });
    config.addUser({ name: "right", token: cluster.token });
    config.addContext({ name: "right", cluster: "test", user: "right", namespace: "shop" });
    await using connection = connectKubeConfig(config, { context: "right" });
    expect(connection.namespace).toBe("shop");
    expect(await whoAmI(connection)).toBe(userOfToken);
  });

  // Reads: on Deno each write gets a new connection.
  test("a hundred requests in a row share one or two connections (CKC-3)", async () => {
    await using proxy = await startCountingProxy(cluster.server);
    await using connection = connectKubeConfig(configOf({ token: cluster.token }, proxy.server));
    for (let request = 0; request < 100; request++) {
      const answer = await connection.fetch(new Request(`${connection.server}/version`));
      await answer.text();
    }
    expect(proxy.connections).toBeLessThanOrEqual(2);
  });

  test("an error names the context, the user and the unsupported provider", () => {
    const connect = (user: Partial<User>) => () => connectKubeConfig(configOf(user));
    expect(connect({ authProvider: { name: "openstack", config: {} } })).toThrow(
      'Cannot use the kubeconfig given as a KubeConfig: user "test": uses the auth-provider "openstack"',
    );
    expect(connect({ certData: cluster.data.cert })).toThrow(
      /client-certificate without client-key/,
    );
    const config = configOf({ token: "t" });
    expect(() => connectKubeConfig(config, { context: "staging" })).toThrow(
      'there is no context "staging"; it has the contexts "loaded-context"',
    );
    config.addContext({ name: "lost", cluster: "test", user: "ghost" });
    expect(() => connectKubeConfig(config, { context: "lost" })).toThrow(
      /names the user "ghost", which does not exist/,
    );
    expect(() => connectKubeConfig({} as KubeConfig)).toThrow(/Cannot use the option config/);
  });

  test("an HTTPS user without credentials, such as one with a tokenFile, is logged", async () => {
    const lines: string[] = [];
    const note = (message: string): void => void lines.push(message);
    const log: Log = { debug: note, error: note, info: note, warn: note };
    const config = new KubeConfig();
    const user = { tokenFile: "/token" };
    const document = {
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: cluster.server } }],
      users: [{ name: "u", user }],
    };
    config.loadFromString(JSON.stringify(document));
    await connectKubeConfig(config, { log })[Symbol.asyncDispose]();
    expect(lines).toEqual(["User of a KubeConfig has no credentials"]);
    await connectKubeConfig(configOf({}, "http://127.0.0.1:8001"), { log })[Symbol.asyncDispose]();
    expect(lines).toHaveLength(1);
  });
});

/** A token that is valid for a year, so that no renewal starts. */
function idToken(): string {
  const part = (value: object): string => btoa(JSON.stringify(value)).replaceAll("=", "");
  const exp = Math.floor(Date.now() / 1000) + 31_536_000;
  return [part({ alg: "none" }), part({ exp }), "signature"].join(".");
}

describe("credentials that only code can get", () => {
  /** An authenticator that counts its calls. */
  class Added {
    calls = 0;
    token = cluster.token;

    isAuthProvider(user: User): boolean {
      return user.name === "test";
    }

    async applyAuthentication(_user: User, options: { headers?: unknown }): Promise<void> {
      this.calls++;
      Object.assign(options.headers as object, { Authorization: `Bearer ${this.token}` });
    }
  }

  function withAdded(added: Added, user: Partial<User> = {}): KubeConfig {
    const config = new KubeConfig();
    config.addAuthenticator(added);
    const { clusters, contexts, currentContext } = configOf({});
    const users = [{ name: "test", ...user }];
    config.loadFromOptions({ clusters, contexts, currentContext, users });
    return config;
  }

  test("of an added authenticator are requested once in 30 s, and again after a 401 (CKC-1)", async () => {
    const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
    const added = new Added();
    const config = withAdded(added);
    await using connection = connectKubeConfig(config, { clock });
    config.setCurrentContext("other");
    await Promise.all([whoAmI(connection), whoAmI(connection), whoAmI(connection)]);
    expect(await whoAmI(connection)).toBe(userOfToken);
    expect(added.calls).toBe(1);
    await clock.advance(30_000);
    added.token = "ended";
    await expect(whoAmI(connection)).rejects.toThrow(/401|Unauthorized/i);
    expect(added.calls).toBe(3);
    added.token = cluster.token;
    expect(await whoAmI(connection)).toBe(userOfToken);
    expect(added.calls).toBe(4);
  });

  test("are combined with the certificates of the KubeConfig (CKC-1)", async () => {
    const { cert, key } = cluster.data;
    const added = new Added();
    vi.spyOn(added, "applyAuthentication").mockResolvedValue();
    expect(await whoIs(withAdded(added, { certData: cert, keyData: key }))).toBe(
      "kubernetes-admin",
    );
  });

  test("of OpenID Connect come from client-node (CKC-1)", async () => {
    const token = idToken();
    const sent: string[] = [];
    const authProvider = { name: "oidc", config: { "id-token": token } };
    const config = configOf({ authProvider }, "http://127.0.0.1:1");
    const send = vi.spyOn(config.constructor.prototype as KubeConfig, "applyToHTTPSOptions");
    await using connection = connectKubeConfig(config);
    await connection.fetch(new Request(`${connection.server}/version`)).catch((error: unknown) => {
      sent.push(String(error));
    });
    const [options] = send.mock.calls[0] as [{ headers: Record<string, string> }];
    expect(options.headers["Authorization"]).toBe(`Bearer ${token}`);
    expect(sent.join()).not.toContain(token);
    send.mockRestore();
  });

  test("that are not PEM are rejected", async () => {
    const added = new Added();
    vi.spyOn(added, "applyAuthentication").mockImplementation(async (_user, options) => {
      Object.assign(options, { pfx: "x" });
    });
    const failure = await whoIs(withAdded(added)).catch((error: unknown) => error);
    let text = "";
    for (let error = failure; error instanceof Error; error = error.cause) text += error.message;
    expect(text).toContain("expected certificate and key as PEM, got pfx");
  });
});
