import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import {
  ConfigError,
  createClient,
  type ClusterConfig,
  type ExecConfig,
  type UserCredentials,
} from "@listwatch/client";
import {
  createClusterConnection,
  inClusterConfig,
  isInCluster,
  loadKubeconfig,
} from "@listwatch/client/node";
import { silentLog, type Log } from "@listwatch/core-fifo";
import { SimulatedClock } from "@listwatch/core-fifo/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";
import { pem, startTlsServers, type TlsServers } from "../support/tls-servers.ts";

let servers: TlsServers;
let folder: string;
beforeAll(async () => {
  servers = await startTlsServers();
});
afterAll(() => servers[Symbol.asyncDispose]());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "listwatch-access-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const node = "Deno" in globalThis || "Bun" in globalThis ? "node" : process.execPath;
const program = join(import.meta.dirname, "../support/plugin.mjs");

function plugin(mode: string, rest: Partial<ExecConfig> = {}): UserCredentials {
  return {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: node,
      args: [program, join(folder, "runs"), mode],
      env: {},
      installHint: undefined,
      cluster: undefined,
      ...rest,
    },
  };
}

function runs(): number {
  return readFileSync(join(folder, "runs"), "utf8").split("\n").length - 1;
}

interface Options {
  readonly clock?: SimulatedClock;
  readonly log?: Log;
  readonly execTimeoutMs?: number;
}

function connect(user: UserCredentials, rest: Partial<ClusterConfig> = {}, options: Options = {}) {
  const config = { origin: "test", server: servers.plain, user, ...rest };
  // The error output of plugins is not that of the tests.
  const quiet = { log: silentLog, onExecStderr: () => undefined };
  return createClusterConnection(config, { ...quiet, ...options });
}

async function ask(
  connection: { readonly server: string; fetch(request: Request): Promise<Response> },
  path: string,
): Promise<{ readonly status: number; readonly authorization: string | undefined }> {
  const response = await connection.fetch(new Request(connection.server + path));
  const { authorization } = (await response.json()) as { authorization?: string };
  return { status: response.status, authorization };
}

describe("an exec plugin", () => {
  test("runs once for all requests that wait for it, and again when its credentials are about to expire (EXEC-2)", async () => {
    const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
    const user = plugin("short", { env: { EXPIRES: "2026-01-01T01:00:00Z" } });
    await using connection = connect(user, {}, { clock });
    const first = await Promise.all(Array.from({ length: 10 }, () => ask(connection, "/who")));
    expect(new Set(first.map(({ authorization }) => authorization))).toEqual(
      new Set(["Bearer t1"]),
    );
    await clock.advance(3_589_000);
    expect((await ask(connection, "/who")).authorization).toBe("Bearer t1");
    await clock.advance(2000);
    expect((await ask(connection, "/who")).authorization).toBe("Bearer t2");
    expect(runs()).toBe(2);
  });

  test("runs again after a 401, and the request is repeated (AUTH-1)", async () => {
    const clock = new SimulatedClock();
    await using connection = connect(plugin("token"), {}, { clock });
    expect(await ask(connection, "/auth?accept=t1")).toEqual({
      status: 200,
      authorization: "Bearer t1",
    });
    await clock.advance(3000);
    const renewed = Array.from({ length: 5 }, () => ask(connection, "/auth?accept=t2"));
    for (const answer of await Promise.all(renewed)) expect(answer.status).toBe(200);
    expect(runs()).toBe(2);
  });

  test("does not run for a user with another credential (EXEC-1)", async () => {
    const user = { ...plugin("token"), token: "fixed" };
    await using connection = connect(user);
    expect((await ask(connection, "/who")).authorization).toBe("Bearer fixed");
    expect(existsSync(join(folder, "runs"))).toBe(false);
    const other = { ...plugin("token"), cert: { text: pem("client.crt") } };
    const certified = { ...other, key: { text: pem("client.key") } };
    await using second = connect(certified);
    expect((await ask(second, "/who")).authorization).toBeUndefined();
    expect(existsSync(join(folder, "runs"))).toBe(false);
  });

  test("runs again if its token is refused right after its run (EXEC-2)", async () => {
    const clock = new SimulatedClock();
    await using connection = connect(plugin("token"), {}, { clock });
    expect(await ask(connection, "/auth?accept=t2")).toEqual({
      status: 200,
      authorization: "Bearer t2",
    });
    expect(runs()).toBe(2);
  });

  test("with a long error output shows the end of it, and no part of a secret (EXEC-3, AUTH-2)", async () => {
    const text = `console.error(process.env.KEY + ".".repeat(1990)); process.exitCode = 1`;
    const user = plugin("", { args: ["-e", text], env: { KEY: "hunter2-hunter3" } });
    await using connection = connect(user);
    const { cause } = (await failureOf(ask(connection, "/who"))) as Error;
    expect(String(cause)).toMatch(/ended with code 1: …\.{1990}$/);
  });

  test("that returns invalid credentials is not run in a loop (EXEC-2)", async () => {
    const clock = new SimulatedClock();
    await using connection = connect(plugin("token"), {}, { clock });
    for (let request = 0; request < 20; request++) {
      expect((await ask(connection, "/auth?accept=none")).status).toBe(401);
      await clock.advance(200);
    }
    // 4 s, with one run allowed every 2 s.
    expect(runs()).toBeLessThanOrEqual(3);
  });

  test("renews a client certificate: open bodies continue, new requests use it (EXEC-4)", async () => {
    const clock = new SimulatedClock({ startMs: Date.UTC(2026, 0, 1) });
    const user = plugin("pair", { env: { EXPIRES: "2026-01-01T01:00:00Z" } });
    const tls = { server: servers.server, ca: { text: pem("ca.crt") } };
    await using connection = connect(user, tls, { clock });
    const client = async (): Promise<unknown> => {
      const response = await connection.fetch(new Request(`${servers.server}/who`));
      return ((await response.json()) as { client: string }).client;
    };
    const watch = await connection.fetch(new Request(`${servers.server}/quiet?ms=500`));
    expect(await client()).toBe("kubernetes-admin");
    expect(await client()).toBe("kubernetes-admin");
    await clock.advance(3_595_000);
    expect(await client()).toBe("renewed-admin");
    expect(await watch.text()).toBe("first\nlast\n");
    expect(runs()).toBe(2);
  });

  test("receives the protocol, the cluster, and its own variables (EXEC-1)", async () => {
    const user = plugin("info", { cluster: { server: "https://a" }, env: { EXTRA: "x" } });
    await using connection = connect(user);
    const { authorization = "" } = await ask(connection, "/who");
    expect(JSON.parse(authorization.replace("Bearer ", ""))).toEqual({
      spec: { cluster: { server: "https://a", config: null }, interactive: false },
      extra: "x",
    });
  });

  test("receives certificate authorities that the kubeconfig has in a file (EXEC-1)", async () => {
    const clusterCaFile = join(folder, "ca.crt");
    writeFileSync(clusterCaFile, "authorities");
    await using connection = connect(plugin("info", { cluster: { server: "a" }, clusterCaFile }));
    const { authorization = "" } = await ask(connection, "/who");
    expect(JSON.parse(authorization.replace("Bearer ", ""))).toMatchObject({
      spec: { cluster: { server: "a", "certificate-authority-data": btoa("authorities") } },
    });
  });

  test.each<[string, () => UserCredentials, RegExp, timeoutMs?: number]>([
    [
      "is missing",
      () => plugin("", { command: "no-such-login", installHint: "brew install it" }),
      /Cannot run the exec plugin no-such-login: it was not found\. brew install it/,
    ],
    ["fails", () => plugin("fail"), /ended with code 3: no login found: run login first/],
    ["hangs", () => plugin("hang"), /was ended, since it took longer than 1 s/, 1000],
    ["leaves a program behind", () => plugin("orphan"), /expected an ExecCredential as JSON/],
    ["prints without an end", () => plugin("flood"), /prints without an end/],
    ["fails with a hint", () => plugin("fail", { installHint: "see x" }), /login first\. see x/],
    ["cannot be started", () => plugin("", { command: "no\0such" }), /Cannot run the exec plugin/],
    [
      "prints something else",
      () => plugin("raw", { env: { PRINTED: "Please log in" } }),
      /expected an ExecCredential as JSON/,
    ],
    [
      "asks for a file that is not there",
      () => plugin("info", { cluster: { server: "https://a" }, clusterCaFile: "/no/ca.crt" }),
      /Cannot read \/no\/ca\.crt: .*ENOENT/,
    ],
  ])(
    "that %s fails the request with the reason (EXEC-3)",
    async (_, user, message, timeoutMs = 300_000) => {
      // A busy machine may take a second to start a program that ends at once.
      await using connection = connect(user(), {}, { execTimeoutMs: timeoutMs });
      const pods = createClient(connection).resource({
        group: "",
        version: "v1",
        resource: "pods",
      });
      const failure = await failureOf(pods.get("a/b"));
      const causes: string[] = [];
      for (let error = failure; error instanceof Error; error = error.cause)
        causes.push(error.message);
      expect(causes.join("\n")).toMatch(message);
    },
  );
});

describe("a token file", () => {
  test("is reread once a minute, and immediately after a 401 (SA-1)", async () => {
    const clock = new SimulatedClock();
    const tokenFile = join(folder, "token");
    writeFileSync(tokenFile, "one\n");
    await using connection = connect({ tokenFile, token: "other" }, {}, { clock });
    expect((await ask(connection, "/who")).authorization).toBe("Bearer one");
    writeFileSync(tokenFile, "two");
    await clock.advance(59_000);
    expect((await ask(connection, "/who")).authorization).toBe("Bearer one");
    expect(await ask(connection, "/auth?accept=two")).toEqual({
      status: 200,
      authorization: "Bearer two",
    });
    writeFileSync(tokenFile, "three");
    await clock.advance(61_000);
    expect((await ask(connection, "/who")).authorization).toBe("Bearer three");
  });

  test("that cannot be read keeps the previous token, and is logged once (SA-1)", async () => {
    const clock = new SimulatedClock();
    const lines: string[] = [];
    const log: Log = { ...silentLog, warn: (message) => void lines.push(message) };
    const tokenFile = join(folder, "token");
    writeFileSync(tokenFile, "secret-one");
    await using connection = connect({ tokenFile }, {}, { clock, log });
    await ask(connection, "/who");
    rmSync(tokenFile);
    for (let request = 0; request < 3; request++) {
      await clock.advance(61_000);
      expect((await ask(connection, "/who")).authorization).toBe("Bearer secret-one");
    }
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(tokenFile);
    expect(lines[0]).not.toContain("secret-one");
  });

  test("that never existed fails the request with its name (KCF-3)", async () => {
    await using connection = connect({ tokenFile: join(folder, "none") });
    const failure = await failureOf(ask(connection, "/who"));
    expect(String((failure as Error).cause)).toContain(join(folder, "none"));
  });
});

describe("certificates in files", () => {
  test("are renewed together: half a new pair is not used (TLS-5)", async () => {
    const clock = new SimulatedClock();
    const cert = join(folder, "cert");
    const key = join(folder, "key");
    const write = (name: string, file: string, kind: string): void =>
      writeFileSync(file, pem(`${name}.${kind}`));
    write("client", cert, "crt");
    write("client", key, "key");
    const user = { cert: { file: cert }, key: { file: key } };
    const tls = { server: servers.server, ca: { text: pem("ca.crt") } };
    await using connection = connect(user, tls, { clock });
    const client = async (): Promise<unknown> => {
      const response = await connection.fetch(new Request(`${servers.server}/who`));
      return ((await response.json()) as { client: string }).client;
    };
    expect(await client()).toBe("kubernetes-admin");
    write("renewed", cert, "crt");
    await clock.advance(61_000);
    expect(await client()).toBe("kubernetes-admin");
    write("renewed", key, "key");
    await clock.advance(2000);
    expect(await client()).toBe("renewed-admin");
  });

  test("are reread immediately after a 401 (AUTH-1)", async () => {
    const clock = new SimulatedClock();
    const [cert, key] = [join(folder, "cert"), join(folder, "key")];
    writeFileSync(cert, pem("client.crt"));
    writeFileSync(key, pem("client.key"));
    const user = { cert: { file: cert }, key: { file: key } };
    const tls = { server: servers.server, ca: { text: pem("ca.crt") } };
    await using connection = connect(user, tls, { clock });
    const path = "/client?accept=renewed-admin";
    const refused = await failureOf(
      createClient(connection, { retries: 0 }).request({ method: "GET", path }),
    );
    expect(String(refused)).not.toContain("renewed after");
    writeFileSync(cert, pem("renewed.crt"));
    writeFileSync(key, pem("renewed.key"));
    expect((await ask(connection, path)).status).toBe(200);
  });

  test("next to inline data are reread if they were missing (KCF-2)", async () => {
    const key = join(folder, "key");
    const user = { cert: { text: pem("client.crt") }, key: { file: key } };
    const tls = { server: servers.server, ca: { text: pem("ca.crt") } };
    await using connection = connect(user, tls);
    expect(String(await failureOf(ask(connection, "/who")))).toContain(`Cannot read ${key}`);
    writeFileSync(key, pem("client.key"));
    expect((await ask(connection, "/who")).status).toBe(200);
  });
});

describe("in a pod", () => {
  const environment = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };

  test("the server, the namespace and the service account's files are found (SA-1)", async () => {
    writeFileSync(join(folder, "namespace"), "team\n");
    expect(await inClusterConfig({ folder, environment })).toMatchObject({
      server: "https://[fd00::1]:443",
      namespace: "team",
      ca: { file: `${folder}/ca.crt` },
      user: { tokenFile: `${folder}/token` },
    });
    expect([isInCluster(environment), isInCluster({})]).toEqual([true, false]);
  });

  test("a program runs with the documented permissions (SA-2)", async () => {
    writeFileSync(join(folder, "namespace"), "team");
    writeFileSync(join(folder, "token"), "of-the-pod");
    writeFileSync(join(folder, "ca.crt"), pem("ca.crt"));
    const condition = "--conditions=@listwatch/source";
    const rights = ["--allow-net", "--allow-read", "--allow-env"];
    const options = "Deno" in globalThis ? ["run", "--no-lock", "--no-prompt", ...rights] : [];
    const file = join(import.meta.dirname, "../support/in-cluster-program.ts");
    const { hostname, port } = new URL(servers.server);
    const env = {
      ...process.env,
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
    };
    const run = promisify(execFile);
    const { stdout } = await run(process.execPath, [...options, condition, file, folder], { env });
    expect(stdout).toMatch(/^team \{.*"authorization":"Bearer of-the-pod"/);
  });

  test("without a service account, or outside of a pod, an error names the reason (KCF-3)", async () => {
    await expect(inClusterConfig({ folder, environment })).rejects.toThrow(
      "holds no service account",
    );
    await expect(inClusterConfig({ folder, environment: {} })).rejects.toThrow("this is no pod");
  });
});

describe("kubeconfig files", () => {
  const document = (token: string): string =>
    JSON.stringify({
      "current-context": "c",
      contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
      clusters: [{ name: "k", cluster: { server: "https://a" } }],
      users: [{ name: "u", user: { token } }],
    });

  test("are read in order, and missing ones are skipped (KCF-2)", async () => {
    const paths = ["missing", "first", "second"].map((name) => join(folder, name));
    writeFileSync(join(folder, "first"), document("one"));
    writeFileSync(join(folder, "second"), document("two"));
    expect((await loadKubeconfig({ paths })).user.token).toBe("one");
  });

  test("that cannot be parsed are named, and their content is not shown (AUTH-2)", async () => {
    const path = join(folder, "config");
    writeFileSync(path, "token: hunter2hunter2");
    const failure = await failureOf(loadKubeconfig({ paths: [path] }));
    expect(failure).toBeInstanceOf(ConfigError);
    expect(String(failure)).toContain("pass a YAML parser as parse");
    expect(String(failure)).not.toContain("hunter2");
    await expect(loadKubeconfig({ paths: [join(folder, "none")] })).rejects.toThrow("there is no");
  });
});

test("a fixed token that is refused is sent once, and no renewal is claimed (AUTH-1)", async () => {
  await using connection = connect({ token: "old" });
  const client = createClient(connection, { retries: 0 });
  const failure = await failureOf(client.request({ method: "GET", path: "/auth?accept=new" }));
  expect(failure).toMatchObject({ httpCode: 401 });
  expect(String(failure)).not.toContain("renewed after");
});

test("a Unix socket can replace the server's address (TLS-10)", async () => {
  await using connection = connect({}, { server: `unix://${servers.socketPath}` });
  expect((await ask(connection, "/who")).status).toBe(200);
});

test("impersonation sends four kinds of headers (KCF-2)", async () => {
  const extra = { "example.com/Scopes": ["x y", "z"] };
  const impersonate = { user: "jane", groups: ["a", "b"], uid: "7", extra };
  await using connection = connect({ impersonate });
  const response = await connection.fetch(new Request(`${servers.plain}/who`));
  expect(await response.json()).toMatchObject({
    impersonation: {
      "impersonate-user": ["jane"],
      "impersonate-uid": ["7"],
      "impersonate-group": ["a", "b"],
      "impersonate-extra-example.com%2fscopes": ["x y", "z"],
    },
  });
});

test("impersonation reaches the server in UTF-8, as Go sends it (KCF-2)", async () => {
  const impersonate = {
    user: "jürgen",
    groups: ["группа"],
    uid: undefined,
    extra: { "a(b)": ["ш"] },
  };
  await using connection = connect({ impersonate });
  const response = await connection.fetch(new Request(`${servers.plain}/who`));
  const { impersonation } = (await response.json()) as {
    impersonation: Record<string, readonly string[]>;
  };
  const textOf = (name: string): string => {
    const [value = ""] = impersonation[name] ?? [];
    return new TextDecoder().decode(Uint8Array.from(value, (character) => character.charCodeAt(0)));
  };
  expect(textOf("impersonate-user")).toBe("jürgen");
  expect(textOf("impersonate-group")).toBe("группа");
  expect(textOf("impersonate-extra-a%28b%29")).toBe("ш");
});

test("a password in Unicode reaches the server (KCF-2)", async () => {
  await using connection = connect({ username: "jürgen", password: "pässword" });
  const { authorization = "" } = await ask(connection, "/who");
  const bytes = Uint8Array.from(atob(authorization.replace("Basic ", "")), (c) => c.charCodeAt(0));
  expect(new TextDecoder().decode(bytes)).toBe("jürgen:pässword");
});

describe("unusable credentials stay out of the error", () => {
  const secret = "hunter2hunter2";
  const shell = (script: string, rest: Partial<ExecConfig> = {}): UserCredentials =>
    plugin("unused", { command: node, args: ["-e", script], ...rest });

  async function shownBy(user: UserCredentials): Promise<string> {
    const config = { origin: "a test", server: "http://127.0.0.1:1", user };
    const quiet = { log: silentLog, onExecStderr: () => undefined };
    await using connection = createClusterConnection(config, quiet);
    const pods = createClient(connection, { retries: 0 }).resource({
      group: "",
      version: "v1",
      resource: "pods",
    });
    return inspect(await failureOf(pods.get("shop/web")), { depth: Infinity, showHidden: true });
  }

  test.each(["\nx", "\u0000", "…", "\r\n"])("a token that contains %j", async (rest) => {
    const shown = await shownBy({ token: `${secret}${rest}x` });
    expect(shown).toContain("expected the value of the header authorization to be one line");
    expect(shown).not.toContain(secret);
    const file = join(folder, "token");
    writeFileSync(file, `${secret}${rest}x`);
    expect(await shownBy({ tokenFile: file })).not.toContain(secret);
  });

  test("the arguments and variables of an exec plugin that cannot be started", async () => {
    const missing = { command: "listwatch-no-such-plugin", args: [`--secret=${secret}`] };
    expect(await shownBy(plugin("x", missing))).not.toContain(secret);
    expect(await shownBy(plugin("x", { args: [`${secret}\u0000`] }))).not.toContain(secret);
    expect(await shownBy(plugin("x", { env: { A: `${secret}\u0000` } }))).not.toContain(secret);
  });

  test("the error output of an exec plugin, where it contains its variables or a token", async () => {
    const env = { PLUGIN_PASSWORD: secret };
    const script =
      "console.error('cannot sign in with', process.env.PLUGIN_PASSWORD); process.exit(1)";
    const shown = await shownBy(shell(script, { env }));
    expect(shown).toContain("cannot sign in with …");
    expect(shown).not.toContain(secret);
    for (const said of [
      `{\\"token\\":\\"${secret}\\"}`,
      `password=${secret}`,
      `http://me:${secret}@issuer refused`,
    ]) {
      const complaint = await shownBy(shell(`console.error("${said}"); process.exit(1)`));
      expect(complaint).toContain("ended with code 1");
      expect(complaint).not.toContain(secret);
    }
  });
});
