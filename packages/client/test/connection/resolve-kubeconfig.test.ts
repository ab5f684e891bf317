import { ConfigError, resolveKubeconfig, type KubeconfigFile } from "@listwatch/client";
import { describe, expect, test } from "vitest";

type Members = Readonly<Record<string, unknown>>;

/** A kubeconfig with one context, as written by kind. */
function kubeconfig(user: Members, cluster: Members = {}, context: Members = {}): Members {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u", ...context } }],
    clusters: [{ name: "k", cluster: { server: "https://127.0.0.1:6443", ...cluster } }],
    users: [{ name: "u", user }],
    preferences: {},
  };
}

function resolve(user: Members, cluster?: Members, context?: Members) {
  const document = kubeconfig(user, cluster, context);
  return resolveKubeconfig([{ path: "/home/me/.kube/config", document }]);
}

function failureOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("Expected an error, got none");
}

const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "aws" };

describe("a context", () => {
  test("combines server, namespace and credentials (KCF-1)", () => {
    const config = resolve({ token: "abc" }, {}, { namespace: "team" });
    expect(config).toMatchObject({
      origin: 'kubeconfig /home/me/.kube/config, context "c"',
      server: "https://127.0.0.1:6443",
      namespace: "team",
      user: { token: "abc" },
    });
  });

  test("without a user is anonymous and keeps the authority of its cluster (KCF-2)", () => {
    const cluster = { "certificate-authority": "ca.crt" };
    const { ca, user } = resolve({}, cluster, { user: "" });
    expect(ca).toEqual({ file: "/home/me/.kube/ca.crt" });
    expect(user).toEqual({});
  });

  test("is selected by the given name before current-context (KCF-2)", () => {
    const document = {
      ...kubeconfig({ token: "abc" }),
      contexts: [
        { name: "c", context: { cluster: "k" } },
        { name: "d", context: { cluster: "k", namespace: "other" } },
      ],
    };
    const { namespace } = resolveKubeconfig([{ path: "config", document }], { context: "d" });
    expect(namespace).toBe("other");
  });
});

describe("several files", () => {
  const files = (...documents: readonly unknown[]): KubeconfigFile[] =>
    documents.map((document, index) => ({ path: `/${index}/config`, document }));

  test("the first that sets a value or names an entry wins (KCF-2)", () => {
    const first = kubeconfig({ token: "first" });
    const second = {
      ...kubeconfig({ token: "second" }, { server: "https://second" }),
      "current-context": "d",
      contexts: [{ name: "d", context: { cluster: "k", user: "u" } }],
    };
    const config = resolveKubeconfig(files(first, second));
    expect(config.user.token).toBe("first");
    expect(config.server).toBe("https://127.0.0.1:6443");
    const other = resolveKubeconfig(files(first, second), { context: "d" });
    expect(other.origin).toBe('kubeconfig /1/config, context "d"');
    expect(other.user.token).toBe("first");
  });

  test("an empty one is skipped (KCF-2)", () => {
    const config = resolveKubeconfig(files(null, undefined, kubeconfig({ token: "x" })));
    expect(config.user.token).toBe("x");
  });

  test("each resolves its paths against its own folder (KCF-2)", () => {
    const users = { users: [{ name: "u", user: { tokenFile: "token" } }] };
    const cluster = kubeconfig({}, { "certificate-authority": "pki/ca.crt" });
    const config = resolveKubeconfig(files(users, cluster));
    expect(config.user.tokenFile).toBe("/0/token");
    expect(config.ca).toEqual({ file: "/1/pki/ca.crt" });
  });
});

describe("members of users and clusters", () => {
  test("inline data takes precedence over files (KCF-2)", () => {
    const { ca, user } = resolve(
      {
        "client-certificate": "c.crt",
        "client-certificate-data": btoa("CERT"),
        "client-key": "c.key",
        "client-key-data": btoa("KEY"),
      },
      { "certificate-authority": "ca.crt", "certificate-authority-data": btoa("CA") },
    );
    expect([ca, user.cert, user.key]).toEqual([{ text: "CA" }, { text: "CERT" }, { text: "KEY" }]);
  });

  test("absolute paths are kept, on Windows too (KCF-2)", () => {
    for (const tokenFile of ["/etc/token", "C:\\token", "\\\\host\\token"]) {
      expect(resolve({ tokenFile }).user.tokenFile).toBe(tokenFile);
    }
  });

  test("impersonation includes user, groups, uid and extra (KCF-2)", () => {
    const user = {
      as: "jane",
      "as-groups": ["a", "b"],
      "as-uid": "7",
      "as-user-extra": { scopes: ["x"] },
    };
    expect(resolve(user).user.impersonate).toEqual({
      user: "jane",
      groups: ["a", "b"],
      uid: "7",
      extra: { scopes: ["x"] },
    });
  });

  test("the server's name, trust, proxy and compression are included (KCF-2)", () => {
    const cluster = {
      "tls-server-name": "kubernetes",
      "insecure-skip-tls-verify": true,
      "proxy-url": "http://proxy:1",
      "disable-compression": true,
    };
    expect(resolve({}, cluster)).toMatchObject({
      serverName: "kubernetes",
      insecureSkipVerify: true,
      proxy: "http://proxy:1",
      compression: false,
    });
  });

  test("a token of digits, which YAML parses as a number, becomes a string (KCF-2)", () => {
    expect(resolve({ token: 12345 }).user.token).toBe("12345");
  });

  test("an address without a scheme gets https when a TLS setting exists (KCF-2)", () => {
    type Fields = Record<string, unknown>;
    const serverOf = (user: Fields, cluster: Fields): string =>
      resolve(user, { server: "10.0.0.1:6443", ...cluster }).server;
    expect(serverOf({ token: "x" }, {})).toBe("http://10.0.0.1:6443");
    const ca = { "certificate-authority-data": btoa("CA") };
    expect(serverOf({}, ca)).toBe("https://10.0.0.1:6443");
    expect(serverOf({}, { "insecure-skip-tls-verify": true })).toBe("https://10.0.0.1:6443");
    const pair = { "client-certificate": "a", "client-key": "b" };
    expect(serverOf(pair, {})).toBe("https://10.0.0.1:6443");
  });

  test("names of digits, which some parsers return as numbers, become strings (KCF-2)", () => {
    const document = {
      "current-context": 1,
      contexts: [{ name: 1, context: { cluster: 2, user: 3 } }],
      clusters: [{ name: 2, cluster: { server: "https://a" } }],
      users: [{ name: 3, user: { token: "x" } }],
    };
    expect(resolveKubeconfig([{ path: "f", document }]).user.token).toBe("x");
  });

  test("unknown members are ignored (KCF-2)", () => {
    expect(resolve({ token: "x", future: { a: 1 } }, { extensions: [{ name: "x" }] }).user.token) //
      .toBe("x");
  });

  test("only a command with a slash is relative to the file (KCF-2)", () => {
    const commandOf = (command: string) =>
      resolve({ exec: { ...exec, command } }).user.exec?.command;
    expect(commandOf("aws")).toBe("aws");
    expect(commandOf("./bin/login")).toBe("/home/me/.kube/./bin/login");
    expect(commandOf("/usr/bin/login")).toBe("/usr/bin/login");
  });

  test("paths with .. are joined as text, like by Go (KCF-2)", () => {
    const fileOf = (tokenFile: string) => resolve({ tokenFile }).user.tokenFile;
    expect(fileOf("a/../token")).toBe("/home/me/.kube/token");
    expect(fileOf("../../you/token")).toBe("/home/you/token");
    expect(fileOf("../../../../token")).toBe("/../token");
    expect(fileOf("a..b/token")).toBe("/home/me/.kube/a..b/token");
  });

  test("a query of the server's address is dropped (KCF-2)", () => {
    expect(resolve({}, { server: "https://a/b?c=d" }).server).toBe("https://a/b");
  });

  test("the auth-provider oidc provides its tokens, and the settings to refresh them (KCF-2)", () => {
    const config = {
      "idp-issuer-url": "https://issuer.example.com",
      "client-id": "kubernetes",
      "client-secret": "s",
      "id-token": "a.b.c",
      "refresh-token": "r",
      "idp-certificate-authority-data": btoa("CA"),
    };
    expect(resolve({ "auth-provider": { name: "oidc", config } }).user.oidc).toEqual({
      issuer: "https://issuer.example.com",
      clientId: "kubernetes",
      clientSecret: "s",
      idToken: "a.b.c",
      refreshToken: "r",
      ca: { text: "CA" },
    });
  });

  test("a plugin receives the cluster on request (EXEC-1)", () => {
    const cluster = {
      "certificate-authority-data": btoa("CA"),
      extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "x" } }],
    };
    const user = {
      exec: { ...exec, provideClusterInfo: true, args: ["a"], env: [{ name: "N", value: "v" }] },
    };
    expect(resolve(user, cluster).user.exec).toEqual({
      apiVersion: "client.authentication.k8s.io/v1",
      command: "aws",
      args: ["a"],
      env: { N: "v" },
      installHint: undefined,
      interactiveMode: "IfAvailable",
      cluster: {
        server: "https://127.0.0.1:6443",
        "certificate-authority-data": btoa("CA"),
        config: { audience: "x" },
      },
    });
  });
});

describe("an unusable entry is reported with file, entry and field", () => {
  const path = "Cannot use the kubeconfig /home/me/.kube/config";

  test.each<[string, () => unknown, string]>([
    [
      "a user that does not exist",
      () => resolve({}, {}, { user: "b" }),
      `${path}: context "c": names the user "b", which does not exist; there are the users "u"`,
    ],
    [
      "a context that does not exist",
      () => resolveKubeconfig([{ path: "f", document: kubeconfig({}) }], { context: "x" }),
      'Cannot use the kubeconfig f: there is no context "x"; it has the contexts "c"',
    ],
    [
      "no current-context",
      () => resolveKubeconfig([{ path: "f", document: { contexts: [] } }]),
      "Cannot use the kubeconfig f: no current-context is set, and no context was asked for; it has no contexts",
    ],
    ["no server", () => resolve({}, { server: "" }), `${path}: cluster "k": has no server`],
    [
      "a removed auth-provider",
      () => resolve({ "auth-provider": { name: "gcp" } }),
      `${path}: user "u": uses the auth-provider "gcp", which Kubernetes has removed: use an exec plugin of the provider (for Google gke-gcloud-auth-plugin, for Azure kubelogin)`,
    ],
    [
      "an auth-provider oidc without an issuer",
      () => resolve({ "auth-provider": { name: "oidc", config: { "client-id": "x" } } }),
      `${path}: user "u", auth-provider, config: expected idp-issuer-url to be an address of the identity provider`,
    ],
    [
      "an auth-provider oidc without a client",
      () =>
        resolve({ "auth-provider": { name: "oidc", config: { "idp-issuer-url": "https://i" } } }),
      `${path}: user "u", auth-provider, config: has no client-id`,
    ],
    [
      "an auth-provider beside a plugin",
      () => resolve({ exec, "auth-provider": { name: "oidc" } }),
      `${path}: user "u": has both an exec plugin and an auth-provider; only one of them can be used`,
    ],
    [
      "token and password",
      () => resolve({ token: "x", username: "y", password: "z" }),
      `${path}: user "u": has both a token and a password; only one of them can be used`,
    ],
    [
      "a certificate without key",
      () => resolve({ "client-certificate": "a" }),
      `${path}: user "u": has a client-certificate without client-key`,
    ],
    [
      "a plugin of an old protocol",
      () => resolve({ exec: { ...exec, apiVersion: "client.authentication.k8s.io/v1alpha1" } }),
      `${path}: user "u", exec: expected apiVersion to be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1, got "client.authentication.k8s.io/v1alpha1"`,
    ],
    [
      "a plugin with an unknown mode",
      () => resolve({ exec: { ...exec, interactiveMode: "Sometimes" } }),
      `${path}: user "u", exec: expected interactiveMode to be Never, IfAvailable, Always`,
    ],
    [
      "data that are no base64",
      () => resolve({}, { "certificate-authority-data": "%%" }),
      `${path}: cluster "k": expected certificate-authority-data to be base64`,
    ],
    [
      "a name that is used twice",
      () =>
        resolveKubeconfig([
          { path: "f", document: { users: [{ name: "u", user: {} }, { name: "u" }] } },
        ]),
      'Cannot use the kubeconfig f: document: has two users with the name "u"',
    ],
    [
      "a document that is a list",
      () => resolveKubeconfig([{ path: "f", document: [] }]),
      "Cannot use the kubeconfig f: expected an object, got a list",
    ],
  ])("%s (KCF-3)", (_, action, message) => {
    expect(failureOf(action)).toBe(message);
  });

  test("never with a credential in the wrong place (AUTH-2)", () => {
    const message = failureOf(() => resolve({ token: { secret: "hunter2hunter2" } }));
    expect(message).toContain("expected token to be a text");
    expect(message).not.toContain("hunter2");
  });
});
