import { chmodSync, lstatSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log } from "listwatch";
import { connect, type ConnectOptions } from "listwatch/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { idToken, startOneUseProvider, type OneUseProvider } from "../support/one-use-provider.ts";

let folder: string;
let path: string;
let provider: OneUseProvider;
const lines: string[] = [];
const keep = (message: string): void => void lines.push(message);
const log: Log = { debug: keep, info: keep, warn: keep, error: keep };
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "listwatch-oidc-"));
  path = join(folder, "config");
  provider = await startOneUseProvider();
  lines.length = 0;
});
afterEach(async () => {
  await provider[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Sends a request with the tokens of the kubeconfig, and returns the code of its response. */
async function ask(options: ConnectOptions = {}): Promise<number> {
  await using connection = await connect({ paths: [path], log, ...options });
  return (await connection.fetch(new Request(`${connection.server}/who`))).status;
}

const start = (): string => `# The cluster of the team
apiVersion: v1
kind: Config
current-context: x
contexts: [{ name: x, context: { cluster: c, user: u } }]
clusters:
- name: c
  cluster: { server: ${provider.address} } # local
`;

function block(rest: string): string {
  return `${start()}users:
- name: other
  user: { auth-provider: { name: oidc, config: { refresh-token: r0 } } }
- name: u
  user:
    auth-provider:
      name: oidc
      config:
        client-id: k # of the team
        idp-issuer-url: ${provider.address}
${rest}`;
}

function flow(rest: string): string {
  const issuer = `client-id: k, idp-issuer-url: "${provider.address}"`;
  const provided = `auth-provider: {name: oidc, config: {${issuer}, ${rest}}}`;
  return `${start()}users: [{name: u, user: {${provided}}}]
`;
}

function json(indent: number | undefined): string {
  const config = {
    "client-id": "k",
    "idp-issuer-url": provider.address,
    "id-token": idToken(-100),
    "refresh-token": "r0",
  };
  const document = {
    "current-context": "x",
    clusters: [{ name: "c", cluster: { server: provider.address } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    users: [{ name: "u", user: { "auth-provider": { name: "oidc", config } } }],
  };
  return JSON.stringify(document, undefined, indent);
}

describe("renewed tokens are written to the kubeconfig (KCF-2)", () => {
  const old = idToken(-100);
  test.each<[string, () => string]>([
    ["plain", () => block(`        id-token: ${old}\n        refresh-token: r0\n`)],
    ["quoted", () => block(`        "id-token": "${old}"\n        'refresh-token': 'r0'\n`)],
    ["without an ID token", () => block("        refresh-token: r0\n")],
    ["with an empty ID token", () => block('        id-token: ""\n        refresh-token: r0\n')],
    ["in a flow", () => flow(`id-token: ${old}, refresh-token: r0`)],
    ["in a flow without an ID token", () => flow("refresh-token: r0")],
    ["with an anchor", () => block("        refresh-token: &token r0\n")],
    ["of several lines", () => block("        refresh-token: >-\n          r0\n")],
    ["in JSON", () => json(undefined)],
    ["in indented JSON", () => json(2)],
    [
      "with Windows' line ends",
      () => block("        refresh-token: r0\n").replaceAll("\n", "\r\n"),
    ],
    ["after a byte order mark", () => `\ufeff${block("        refresh-token: r0\n")}`],
  ])("%s", async (_, text) => {
    writeFileSync(path, text());
    for (let program = 0; program < 3; program++) expect(await ask()).toBe(200);
    // The second program uses the ID token of the first one.
    expect(provider.renewals).toBe(1);
    const written = readFileSync(path, "utf8");
    expect(written).toContain(provider.token);
    expect(written).toContain("r1");
    expect(lines).toEqual([]);
  });

  test("and the rest of its text stays", async () => {
    const before = block(`        id-token: ${old}\n        refresh-token: r0 # secret\n`);
    writeFileSync(path, before);
    await ask();
    const expected = before
      .replace(old, `"${provider.token}"`)
      .replace("r0 # secret", '"r1" # secret');
    expect(readFileSync(path, "utf8")).toBe(expected);
  });

  test("with its mode and its links, without leaving other files", async () => {
    const target = join(folder, "target");
    writeFileSync(target, block("        refresh-token: r0\n"));
    chmodSync(target, 0o640);
    symlinkSync(target, path);
    expect(await ask()).toBe(200);
    expect(lstatSync(path).isSymbolicLink()).toBe(true);
    expect(statSync(target).mode & 0o777).toBe(0o640);
    expect(readFileSync(target, "utf8")).toContain("r1");
    expect(readdirSync(folder).toSorted()).toEqual(["config", "target"]);
  });
});

test("connections of one process that start together share one renewal (KCF-2)", async () => {
  writeFileSync(path, block("        refresh-token: r0\n"));
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([200, 200, 200]);
  expect(provider.renewals).toBe(1);
});

test("a token that another program has written is used first (KCF-2)", async () => {
  const old = idToken(-100);
  const rest = (token: string) => block(`        id-token: ${token}\n        refresh-token: r0\n`);
  writeFileSync(path, rest(old));
  await using connection = await connect({ paths: [path], log });
  const other = idToken(3600, "other");
  provider.accept(other);
  writeFileSync(path, rest(other));
  const response = await connection.fetch(new Request(`${connection.server}/who`));
  expect(response.status).toBe(200);
  expect(provider.renewals).toBe(0);
});

describe("a warning is logged (KCF-2)", () => {
  test("instead of a write, on request", async () => {
    const text = block("        refresh-token: r0\n");
    writeFileSync(path, text);
    expect(await ask({ refreshTokens: "warn" })).toBe(200);
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(lines.join()).toContain("which still has the old one: kubectl may ask to sign in again");
  });

  test("if kubectl's lock stays, and the request succeeds", async () => {
    writeFileSync(path, block("        refresh-token: r0\n"));
    writeFileSync(`${path}.lock`, "");
    expect(await ask()).toBe(200);
    expect(lines.join()).toMatch(/cannot be written: .*config\.lock/);
    expect(lines.join()).not.toContain("r1");
    expect(readdirSync(folder).toSorted()).toEqual(["config", "config.lock"]);
  });
});

test("an unknown handling of tokens is refused (KCF-3)", async () => {
  writeFileSync(path, block("        refresh-token: r0\n"));
  const wrong = "never" as "warn";
  await expect(ask({ refreshTokens: wrong })).rejects.toThrow(/refreshTokens.*write, warn/);
});
