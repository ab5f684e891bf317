import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createClient, httpListerWatcher, SharedInformer } from "listwatch";
import { connect } from "listwatch/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import {
  startTlsCluster,
  writeFile,
  writeKubeconfig,
  type TlsCluster,
} from "../support/tls-cluster.ts";

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

interface UserInfo {
  readonly username: string;
}

/** Returns the user name that the server authenticates, with `~/.kube/config` of the home folder. */
async function whoAmI(): Promise<string> {
  await using connection = await connect({ environment: { HOME: home } });
  const review = await createClient(connection).request({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
  });
  const { status } = review as { readonly status: { readonly userInfo: UserInfo } };
  return status.userInfo.username;
}

/** Installs a program under the name of a plugin. It records its calls and prints a token. */
function installPlugin(name: string): void {
  const path = join(home, "bin", name);
  const calls = JSON.stringify(join(home, "calls"));
  const token = JSON.stringify(cluster.token);
  writeFile(
    path,
    `#!/usr/bin/env node
const { appendFileSync } = require("node:fs");
const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
const profile = process.env.AWS_PROFILE;
const args = process.argv.slice(2).join(" ");
const call = { args, profile, server: info.spec.cluster?.server };
appendFileSync(${calls}, JSON.stringify(call) + "\\n");
const { apiVersion } = info;
const expirationTimestamp = new Date(Date.now() + 840_000).toISOString();
const status = { token: ${token}, expirationTimestamp };
console.log(JSON.stringify({ kind: "ExecCredential", apiVersion, spec: {}, status }));
`,
  );
  chmodSync(path, 0o755);
  vi.stubEnv("PATH", join(home, "bin") + delimiter + String(process.env["PATH"]));
}

/** The arguments and environment of each run of the plugin. */
function pluginCalls(): readonly unknown[] {
  const lines = readFileSync(join(home, "calls"), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

test.each(["kind", "k3s", "aks-admin"])(
  "the kubeconfig of %s, with inline certificates, connects as it is (KCF-2, KCF-4)",
  async (name) => {
    writeKubeconfig(name, home, cluster);
    expect(await whoAmI()).toBe("kubernetes-admin");
  },
);

test("minikube's kubeconfig has file paths relative to its folder (KCF-2, KCF-4)", async () => {
  writeKubeconfig("minikube", home, cluster);
  expect(await whoAmI()).toBe("kubernetes-admin");
  await using connection = await connect({ environment: { HOME: home } });
  expect(connection.namespace).toBe("default");
});

const eksArgs = "--region eu-central-1 eks get-token --cluster-name dev --output json";
const aksArgs =
  "get-token --environment AzurePublicCloud --server-id 6dae42f8-4368-4678-94ff-3960e28e3630 --client-id 80faf920-1908-4b52-b5ef-a8e7bedfc67a --tenant-id 00000000-0000-0000-0000-000000000000 --login azurecli";

test.each([
  { name: "eks", plugin: "aws", args: eksArgs, profile: "work", knowsServer: false },
  { name: "gke", plugin: "gke-gcloud-auth-plugin", args: "", knowsServer: true },
  { name: "aks-kubelogin", plugin: "kubelogin", args: aksArgs, knowsServer: false },
])(
  "the kubeconfig of $name gets a token from $plugin, once for all requests (KCF-4, EXEC-1, EXEC-2)",
  async ({ name, plugin, args, profile, knowsServer }) => {
    vi.stubEnv("AWS_PROFILE", undefined);
    writeKubeconfig(name, home, cluster);
    installPlugin(plugin);
    await using connection = await connect({ environment: { HOME: home } });
    const client = createClient(connection);
    const namespaces = client.resource({ group: "", version: "v1", resource: "namespaces" });
    const lists = await Promise.all([namespaces.list(), namespaces.list(), namespaces.list()]);
    for (const { items } of lists) expect(items.length).toBeGreaterThan(0);
    const server = knowsServer ? cluster.server : undefined;
    expect(pluginCalls()).toEqual([{ args, profile, server }]);
  },
);

test("a plugin that is not installed fails with the install hint of the kubeconfig (EXEC-3)", async () => {
  writeKubeconfig("gke", home, cluster);
  // The machine may have the real plugin.
  vi.stubEnv("PATH", join(home, "bin"));
  const failure = await whoAmI().catch((error: unknown) => error);
  const messages: string[] = [];
  for (let error = failure; error instanceof Error; error = error.cause)
    messages.push(error.message);
  expect(messages.join("\n")).toMatch(
    /Cannot run the exec plugin gke-gcloud-auth-plugin: it was not found\. Install gke-gcloud-auth-plugin for use with kubectl/,
  );
});

test("an informer watches the cluster over the connection (KCF-4)", async () => {
  writeKubeconfig("kind", home, cluster);
  await using connection = await connect({ environment: { HOME: home }, namespace: "default" });
  const resource = { group: "", version: "v1", resource: "configmaps" };
  const listerWatcher = httpListerWatcher({ connection, resource });
  const informer = new SharedInformer({ listerWatcher });
  const added = Promise.withResolvers<void>();
  informer.addEventHandler({
    onAdd: ({ metadata }) => {
      if (metadata?.name === "made-later") added.resolve();
    },
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  await informer.synced;
  const client = createClient(connection).resource(resource);
  await client.create({ metadata: { namespace: connection.namespace, name: "made-later" } });
  await added.promise;
  expect(informer.store.listKeys()).toContain("default/made-later");
  stop.abort();
  await running;
});
