import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeApiServer, type FakeApiServerOptions } from "@listwatch/fake-apiserver";
import { listen, type Listener } from "@listwatch/fake-apiserver/node";
import { test } from "../demo/harness.ts";
import { type KubeconfigContents, listwatch, withKubeconfig } from "./listwatch.ts";
import { type ProxyOptions, startProxy } from "./proxy.ts";

const token = "token-of-the-tests";
const admin = { username: "admin", groups: ["system:masters"] };
const checks =
  "configuration address tls clock credentials resource access watch-list streaming".split(" ");

interface Finding {
  readonly check: string;
  readonly outcome: "ok" | "failed" | "skipped";
  readonly message: string;
  readonly remedy?: string;
}

interface Report {
  readonly ok: boolean;
  readonly findings: readonly Finding[];
}

/** Examines a cluster. The exit code must match the report. */
async function examine(
  contents: KubeconfigContents,
  ...args: readonly string[]
): Promise<readonly Finding[]> {
  return withKubeconfig(contents, async () => {
    const program = listwatch("doctor", ...args, "--json");
    const code = await program.exited;
    assert.equal(program.errors, "");
    const report = JSON.parse(program.output) as Report;
    assert.deepEqual(
      report.findings.map(({ check }) => check),
      report.findings.length === 1 ? ["configuration"] : checks,
    );
    assert.equal(
      report.ok,
      report.findings.every(({ outcome }) => outcome !== "failed"),
    );
    assert.equal(code, report.ok ? 0 : 1);
    return report.findings;
  });
}

/** Asserts that only this check failed. */
function assertFailed(
  findings: readonly Finding[],
  check: string,
  message: RegExp,
  remedy: RegExp,
): void {
  const failures = findings.filter(({ outcome }) => outcome === "failed");
  assert.deepEqual(
    failures.map((finding) => finding.check),
    [check],
    JSON.stringify(failures),
  );
  assert.match(failures[0]?.message ?? "", message);
  assert.match(failures[0]?.remedy ?? "", remedy);
}

function assertWell(findings: readonly Finding[]): void {
  const others = findings.filter(({ outcome }) => outcome !== "ok");
  assert.deepEqual(others, []);
}

/** Runs on a server with TLS that accepts one token. */
async function onServer(
  options: FakeApiServerOptions,
  run: (contents: KubeconfigContents, server: FakeApiServer, listener: Listener) => Promise<void>,
): Promise<void> {
  const server = new FakeApiServer({ users: { [token]: admin }, ...options });
  await using listener = await listen(server, { tls: true });
  const contents = { server: listener.url, ca: listener.tls?.authority, user: { token } };
  await run(contents, server, listener);
}

async function behindProxy(
  proxyOptions: ProxyOptions,
  run: (contents: KubeconfigContents) => Promise<void>,
): Promise<void> {
  await using listener = await listen(new FakeApiServer({ users: { [token]: admin } }));
  await using proxy = await startProxy(listener.url, proxyOptions);
  await run({ server: proxy.url, user: { token } });
}

test("doctor reports no problem on a healthy cluster, and prints one line per check", () =>
  onServer({}, async (contents) => {
    await withKubeconfig({ ...contents, namespace: "shop" }, async () => {
      const program = listwatch("doctor", "deploy");
      assert.equal(await program.exited, 0, program.output);
      const lines = program.output.trimEnd().split("\n");
      assert.deepEqual(
        lines.map((line) => line.split(/ +/)[1]),
        checks,
      );
      for (const line of lines) assert.match(line, /^✓ [a-z-]+ +\S/);
      assert.match(program.output, /^✓ configuration kubeconfig \S+config, context "test"$/m);
      assert.match(
        program.output,
        /^✓ tls +issued by "fake-apiserver", until 20\d\d-\S+ \S+ UTC$/m,
      );
      assert.match(program.output, /^✓ credentials +token of admin \(system:masters, /m);
      assert.match(program.output, /^✓ access +may list, watch, get deployments\.apps in shop$/m);
      assert.ok(!program.output.includes(token), "expected no credentials");
    });
  }));

test("doctor --server examines a server without credentials", async () => {
  await using listener = await listen(new FakeApiServer());
  const program = listwatch("doctor", "ns", "-A", "--server", listener.url);
  assert.equal(await program.exited, 0, program.output);
  assert.match(program.output, /^✓ tls +not needed on this machine$/m);
  assert.match(program.output, /^✓ access +may list, watch, get namespaces$/m);
});

test("doctor --server: an untrusted authority, then its advice applied", async () => {
  await using listener = await listen(new FakeApiServer(), { tls: true });
  const refused = listwatch("doctor", "--server", listener.url);
  assert.equal(await refused.exited, 1);
  assert.match(refused.output, /^✗ tls +the certificate is issued by "fake-apiserver", which is/m);
  assert.match(refused.output, /→ Name a file .* in NODE_EXTRA_CA_CERTS, or take a kubeconfig/);
  const folder = mkdtempSync(join(tmpdir(), "listwatch-authority-"));
  const file = join(folder, "authority.pem");
  writeFileSync(file, listener.tls?.authority ?? "");
  process.env["NODE_EXTRA_CA_CERTS"] = file;
  const trusted = listwatch("doctor", "--server", listener.url);
  assert.equal(await trusted.exited, 0, trusted.output);
  delete process.env["NODE_EXTRA_CA_CERTS"];
  rmSync(folder, { recursive: true });
});

test("doctor: no kubeconfig, and a missing context", async () => {
  await withKubeconfig({ server: "https://127.0.0.1:1" }, async (path) => {
    const [finding] = await examine({ server: "https://127.0.0.1:1" }, "--context", "nonsense");
    assert.match(finding?.message ?? "", /no context "nonsense"; it has the contexts? "test"$/);
    process.env["KUBECONFIG"] = `${path}-missing`;
    const program = listwatch("doctor");
    assert.equal(await program.exited, 1);
    assert.match(program.output, /^✗ configuration Cannot find a kubeconfig: there is no /);
    assert.match(program.output, /\n +→ Name a kubeconfig in KUBECONFIG, a context of it with /);
  });
});

test("doctor: a closed port, an unknown host name", async () => {
  const refused = await examine({ server: "https://127.0.0.1:1", user: { token } });
  assertFailed(refused, "address", /ECONNREFUSED/, /^No process listens there: start the cluster/);
  const unknown = await examine({ server: "https://nowhere.invalid" });
  assertFailed(unknown, "address", /ENOTFOUND|EAI_AGAIN/, /^The name is not known: check .* DNS/);
});

test("doctor: servers that are not API servers", async () => {
  const answers: Readonly<Record<string, [number, Readonly<Record<string, string>>]>> = {
    "/page": [200, {}],
    "/login": [302, { location: "https://login.example.com/" }],
    "/gateway": [502, {}],
  };
  const server = createServer(({ url = "" }, response) => {
    const [status, headers] = answers[url.replace("/version", "")] ?? [404, {}];
    response.writeHead(status, headers).end("<html>");
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => {
    server.once("listening", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const at = (path: string) => examine({ server: `http://127.0.0.1:${port}${path}` });
  assertFailed(await at("/page"), "address", /answers 200, but is no API server/, /cluster-info/);
  assertFailed(
    await at("/login"),
    "address",
    /leads to https:\/\/login/,
    /^No API server redirects/,
  );
  assertFailed(await at("/gateway"), "address", /answers 502/, /no API server behind it/);
  server.close();
});

test("doctor: the authority of another cluster, and none", () =>
  onServer({}, async (contents) => {
    await using other = await listen(new FakeApiServer(), { tls: true });
    const wrong = await examine({ ...contents, ca: other.tls?.authority });
    const notTrusted =
      /^the certificate is issued by "fake-apiserver", which is not trusted \([A-Z_]+\)$/;
    assertFailed(wrong, "tls", notTrusted, /has another authority.* \(kind export kubeconfig/);
    const none = await examine({ ...contents, ca: undefined });
    assertFailed(none, "tls", notTrusted, /^Put the certificate of that authority into certif/);
    const cluster = { "insecure-skip-tls-verify": true };
    const skipping = await examine({ ...contents, ca: undefined, cluster });
    assertFailed(
      skipping,
      "tls",
      /any certificate is taken/,
      /^Replace insecure-skip-tls-verify by cert/,
    );
  }));

test("doctor: a certificate for other host names", async () => {
  const server = new FakeApiServer({ users: { [token]: admin } });
  await using listener = await listen(server, { tls: true, host: "0.0.0.0" });
  const url = `https://127.0.0.2:${listener.port}`;
  const contents = { server: url, ca: listener.tls?.authority, user: { token } };
  const remedy = /^Use one of these names in the address, or as tls-server-name/;
  assertFailed(await examine(contents), "tls", /is for .*localhost/, remedy);
  assertWell(await examine({ ...contents, cluster: { "tls-server-name": "localhost" } }));
});

test("doctor: an expired certificate, and one that is not yet valid", async () => {
  const day = 86_400_000;
  const expired = /^the certificate of the server expired at 20\d\d-\S+ \S+ UTC$/;
  assertFailed(await examineAt(-800 * day), "tls", expired, /^Renew it \(kubeadm certs renew all/);
  const early = /^the certificate of the server is valid from 20\d\d-\S+ \S+ UTC$/;
  assertFailed(await examineAt(800 * day), "tls", early, /^Set the clocks/);
});

/** Examines a server whose certificates were issued with a wrong clock. */
async function examineAt(differenceMs: number): Promise<readonly Finding[]> {
  const server = new FakeApiServer({ users: { [token]: admin } });
  const { now } = Date;
  Date.now = () => now() + differenceMs;
  let listener: Listener;
  try {
    listener = await listen(server, { tls: true });
  } finally {
    Date.now = now;
  }
  try {
    return await examine({ server: listener.url, ca: listener.tls?.authority, user: { token } });
  } finally {
    await listener.close();
  }
}

test("doctor: http instead of https, and the reverse", () =>
  onServer({}, async (contents, server) => {
    const plain = await examine({ ...contents, server: contents.server.replace("https", "http") });
    assertFailed(plain, "address", /ECONNRESET|hang up/, /It may expect TLS: write https:/);
    await using listener = await listen(server);
    const encrypted = await examine({ server: listener.url.replace("http", "https") });
    assertFailed(encrypted, "tls", /does not speak TLS/, /^Write http:\/\/ in the address/);
  }));

test("doctor: refused tokens, one of them expired, and no token", () =>
  onServer({}, async (contents) => {
    const at = (user: object) => examine({ ...contents, user });
    const wrong = await at({ token: "wrong-token-of-the-tests" });
    assertFailed(
      wrong,
      "credentials",
      /^token: refused \(401\)$/,
      /^Put a new token into kubeconf/,
    );
    const claims = Buffer.from(JSON.stringify({ exp: 1_600_000_000 })).toString("base64url");
    const expired = await at({ token: `eyJhbGciOiJub25lIn0.${claims}.c2lnbmF0dXJl` });
    const message = /refused \(401\): the token expired at 2020-09-13 12:26 UTC$/;
    assertFailed(expired, "credentials", message, /such as one of kubectl create token$/);
    const none = await at({});
    assertFailed(none, "credentials", /^no credentials: refused/, /^Add a user to the context/);
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "no-such-login",
      args: ["get-token"],
      interactiveMode: "Never",
      installHint: "Install it from example.com",
    };
    const remedy = /^Run this in a shell, and log in: no-such-login get-token; Install it from/;
    assertFailed(await at({ exec }), "credentials", /^credentials of no-such-login: /, remedy);
  }));

test("doctor: a client certificate of another authority", () =>
  onServer({}, async (contents) => {
    await using other = await listen(new FakeApiServer(), { tls: true });
    const issued = await other.tls?.issueClientCertificate();
    const base64 = (text = "") => Buffer.from(text).toString("base64");
    const user = {
      "client-certificate-data": base64(issued?.certificate),
      "client-key-data": base64(issued?.key),
    };
    const message = /^client certificate: refused \(401\), until 20\d\d-/;
    const remedy = /^Put a certificate of an authority that the server trusts/;
    assertFailed(await examine({ ...contents, user }), "credentials", message, remedy);
  }));

test("doctor: a user without rights gets the commands that grant these rights", () =>
  onServer(
    { authorization: "rbac", users: { [token]: { username: "jane@example.com" } } },
    async (contents) => {
      const remedy =
        /kubectl create role -n shop watch-pods --verb=list,watch,get --resource=pods && kubectl create rolebinding -n shop watch-pods --role=watch-pods --user=jane@example\.com$/;
      const findings = await examine({ ...contents, namespace: "shop" });
      assertFailed(findings, "access", /^may not list, watch, get pods in shop/, remedy);
      const everywhere = await examine(contents, "leases", "-A");
      const role = /clusterrole watch-leases .*--resource=leases\.coordination\.k8s\.io .*--user=/;
      assertFailed(everywhere, "access", /^may not list, watch, get leases/, role);
    },
  ));

test("doctor: a missing resource, and one without watches", () =>
  onServer({}, async (contents) => {
    const absent = await examine(contents, "widgets");
    assertFailed(absent, "resource", /^https:\S+ has no widgets$/, /kubectl api-resources/);
    const unwatched = await examine(contents, "selfsubjectreviews");
    assertFailed(unwatched, "resource", /has the verbs create$/, /cannot be listed and watched/);
  }));

test("doctor: a server that refuses or ignores streamed lists", () =>
  onServer({}, async (contents, server) => {
    const remedy = /^Informers list in pages instead.*feature gate WatchList/;
    server.control.watchList = "refused";
    const refused = await examine(contents, "namespaces");
    assertFailed(refused, "watch-list", /unless the WatchList feature gate is enabled/, remedy);
    server.control.watchList = "ignored";
    const ignored = await examine(contents, "namespaces");
    assertFailed(ignored, "watch-list", /does not stream lists: they are ignored$/, remedy);
    assert.equal(ignored.at(-1)?.outcome, "ok");
  }));

test("doctor: a wrong clock", async () => {
  const remedy = /^Set the clocks by NTP/;
  await behindProxy({ skewMs: 300_000 }, async (contents) => {
    // Half of the time that the answer took may be wrong, and an answer may take ten seconds.
    const behind = /^the clock of this machine is (29[5-9]|30[0-5]) s behind the server's$/;
    assertFailed(await examine(contents), "clock", behind, remedy);
  });
  await behindProxy({ skewMs: -300_000 }, async (contents) => {
    const ahead = /^the clock of this machine is (29[5-9]|30[0-5]) s ahead of the server's$/;
    assertFailed(await examine(contents), "clock", ahead, remedy);
  });
  await behindProxy({ skewMs: 30_000 }, async (contents) => assertWell(await examine(contents)));
});

test("doctor: a proxy that holds events back", () =>
  behindProxy({ isBuffering: true }, async (contents) => {
    const remedy = /^Switch buffering off in the proxy between \(nginx: proxy_buffering off/;
    const message = /came after \d+ ms, with the end of the watch: a proxy holds events back$/;
    assertFailed(await examine(contents), "streaming", message, remedy);
  }));
