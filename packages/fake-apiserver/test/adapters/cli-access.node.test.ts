import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { AuthenticationV1Api, CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const command = fileURLToPath(new URL("../../src/adapters/node-cli.ts", import.meta.url));
// The command is a Node program, also when the test runs on Deno or Bun.
const node = "Deno" in globalThis || "Bun" in globalThis ? "node" : process.execPath;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fake-apiserver-access-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Output of a started server, and its kubeconfig. */
interface Started {
  readonly url: string;
  readonly errors: () => string;
  readonly config: KubeConfig;
}

async function withServer(
  options: readonly string[],
  use: (server: Started) => Promise<void>,
): Promise<void> {
  const path = join(folder, "kubeconfig");
  const child = spawn(node, [
    "--conditions=@listwatch/source",
    command,
    ...["--port", "0", "--kubeconfig", path],
    ...options,
  ]);
  let output = "";
  let errors = "";
  const started = Promise.withResolvers<void>();
  child.stderr.on("data", (chunk) => (errors += String(chunk)));
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
    if (output.includes("KUBECONFIG")) started.resolve();
  });
  const ended = new Promise<void>((resolve) => {
    child.on("close", () => {
      started.reject(new Error(`No server: ${errors}`));
      resolve();
    });
  });
  await started.promise;
  const config = new KubeConfig();
  config.loadFromFile(path);
  const url = /https?:\/\/\S+/.exec(output)?.[0] ?? "";
  try {
    await use({ url, config, errors: () => errors });
  } finally {
    process.kill(child.pid ?? 0, "SIGINT");
    await ended;
  }
}

async function namespacesSeenBy(config: KubeConfig): Promise<readonly (string | undefined)[]> {
  const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
  return items.map(({ metadata }) => metadata?.name);
}

describe("the written kubeconfig", () => {
  test("works in @kubernetes/client-node over plain HTTP", async () => {
    await withServer([], async ({ config, url }) => {
      expect(url).toMatch(/^http:/);
      expect(await namespacesSeenBy(config)).toContain("default");
    });
  });

  test.skipIf("Bun" in globalThis)("has certificates with --tls (AUT-6)", async () => {
    await withServer(["--tls"], async ({ config, url }) => {
      expect(url).toMatch(/^https:/);
      expect(await namespacesSeenBy(config)).toContain("default");
      const api = config.makeApiClient(AuthenticationV1Api);
      const { status } = await api.createSelfSubjectReview({ body: {} });
      expect(status?.userInfo?.extra).toHaveProperty("authentication.kubernetes.io/credential-id");
    });
  });

  test("has the token with --token, without which requests are refused (AUT-1)", async () => {
    const manifest = join(folder, "manifest.yaml");
    const text = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: loaded\n";
    await writeFile(manifest, text);
    await withServer(["--token", "secret-1", "--load", manifest], async ({ config, url }) => {
      expect((await fetch(`${url}/api/v1/namespaces`)).status).toBe(401);
      const headers = { authorization: "Bearer secret-1" };
      expect((await fetch(`${url}/api/v1/namespaces`, { headers })).status).toBe(200);
      expect(await namespacesSeenBy(config)).toContain("default");
    });
  });
});

describe("the command", () => {
  test("applies roles and bindings with --authorization-mode RBAC (AUT-6)", async () => {
    await withServer(["--authorization-mode", "RBAC"], async ({ url }) => {
      const headers = { "impersonate-user": "jane" };
      expect((await fetch(`${url}/api/v1/nodes`, { headers })).status).toBe(403);
      expect((await fetch(`${url}/api/v1/nodes`)).status).toBe(200);
    });
  });

  test.each([
    [["--authorization-mode", "ABAC"], "Expected --authorization-mode AlwaysAllow or RBAC"],
    [["--token", ""], "Expected --token with a text without white space"],
    [["--token", "a b"], "Expected --token with a text without white space"],
  ])("rejects %j", async (options, words) => {
    await expect(withServer(options, () => Promise.resolve())).rejects.toThrow(words);
  });
});
