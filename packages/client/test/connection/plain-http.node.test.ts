// A proxy stands for the network: it hears everything that would leave this machine.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type ClusterConfig, type UserCredentials } from "@listwatch/client";
import { createClusterConnection, type ClusterConnectionOptions } from "@listwatch/client/node";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { failureOf } from "../support/answering.ts";
import { pem } from "../support/tls-servers.ts";

const pods = { group: "", version: "v1", resource: "pods" };
const folder = mkdtempSync(join(tmpdir(), "listwatch-http-"));
let code = 401;
let heard: Record<string, unknown>[] = [];
const network = createServer(({ headers }, response) => {
  heard.push(headers);
  response.writeHead(code, { "content-type": "application/json" });
  response.end('{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[]}');
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => network.listen(0, "127.0.0.1", resolve));
  const address = network.address();
  port = typeof address === "object" && address !== null ? address.port : 0;
});
beforeEach(() => {
  code = 401;
  heard = [];
});
afterAll(() => {
  network.close().closeAllConnections();
  rmSync(folder, { recursive: true });
});

const exec = {
  apiVersion: "client.authentication.k8s.io/v1",
  command: process.execPath,
  args: ["-e", `require("node:fs").writeFileSync(${JSON.stringify(join(folder, "ran"))}, "")`],
  env: {},
  installHint: undefined,
  cluster: undefined,
};
const impersonate = { user: "jane", groups: ["dev"], uid: undefined, extra: {} };
const cert = { text: pem("client.crt") };
const key = { text: pem("client.key") };

function list(
  user: UserCredentials,
  config: Partial<ClusterConfig> = {},
  options: ClusterConnectionOptions = {},
): Promise<unknown> {
  const server = "http://10.1.2.3:8080";
  const proxy = `http://127.0.0.1:${port}`;
  const connection = createClusterConnection(
    { origin: "a test", server, proxy, user, ...config },
    options,
  );
  return createClient(connection, { retries: 0 }).resource(pods).list();
}

function credentialsHeard(): readonly string[] {
  const names = heard.flatMap((headers) => Object.keys(headers));
  return names.filter((name) => /^(authorization|impersonate-)/.test(name));
}

describe("a server without TLS", () => {
  test.each<readonly [string, UserCredentials]>([
    ["the token was withheld", { token: "secret" }],
    ["the token was withheld", { tokenFile: join(folder, "missing") }],
    ["the user name with its password was withheld", { username: "me", password: "secret" }],
    ["the token of the auth-provider oidc was withheld", { oidc: { issuer: "x", clientId: "y" } }],
    [`the output of the plugin ${exec.command} was withheld`, { exec }],
    ["the client certificate was withheld", { cert, key }],
    [
      "the token and the client certificate and the impersonation of jane were withheld",
      { token: "secret", cert, key, impersonate },
    ],
  ])("gets no credentials; the error of a refusal says that %s", async (words, user) => {
    const failure = await failureOf(list(user));
    expect(String(failure)).toContain(words);
    expect(String(failure)).toContain("http://10.1.2.3:8080 is not encrypted");
    expect(String(failure)).not.toContain("secret");
    expect(failure).toMatchObject({ code: "LW_STATUS" });
    expect([heard.length, credentialsHeard()]).toEqual([1, []]);
    expect(existsSync(join(folder, "ran"))).toBe(false);
  });

  test("answers anonymous requests, as with kubectl", async () => {
    code = 200;
    await list({ token: "secret" });
    expect([heard.length, credentialsHeard()]).toEqual([1, []]);
  });

  test("gets the credentials if an option says so", async () => {
    code = 200;
    const user = { token: "secret", impersonate };
    await list(user, {}, { sendCredentialsOverHttp: true });
    const names = ["authorization", "impersonate-user", "impersonate-group"];
    expect(credentialsHeard().toSorted()).toEqual(names.toSorted());
  });

  test.each(["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])(
    "gets the credentials at %s, which is this machine",
    async (host) => {
      code = 200;
      const server = `http://${host}:${port}`;
      await list({ token: "secret" }, { server, proxy: undefined });
      expect(heard).toMatchObject([{ authorization: "Bearer secret" }]);
    },
  );

  test("gets none through a proxy, whose localhost is another machine", async () => {
    code = 200;
    await list({ token: "secret" }, { server: "http://localhost:8080" });
    expect([heard.length, credentialsHeard()]).toEqual([1, []]);
  });

  test.each(["http://localhost.:8080", "http://127.0.0.1.nip.io:8080", "http://0.0.0.0:8080"])(
    "is not on this machine because of its name: %s",
    async (server) => {
      code = 200;
      await list({ token: "secret" }, { server });
      expect(credentialsHeard()).toEqual([]);
    },
  );

  test("causes no note if there was nothing to withhold, or the failure is another", async () => {
    expect(String(await failureOf(list({})))).not.toContain("withheld");
    code = 500;
    expect(String(await failureOf(list({ token: "secret" })))).not.toContain("withheld");
  });
});
