import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type Client, type Connection } from "@listwatch/client";
import { parse, stringify } from "yaml";
import { Program } from "../demo/harness.ts";
import { describe } from "./programs/checks.ts";
import type { Counts } from "./run-program.ts";

/** A cluster with RBAC, for the commands `watch` and `doctor`. */
export interface CommandCluster {
  /** Path of an administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** The administrator's connection. */
  readonly connection: Connection;
  /** Token of the user `reader`, who has no rights. */
  readonly token: string;
}

/** The changed parts of a kubeconfig. */
interface Kubeconfig {
  clusters: [{ cluster: Record<string, unknown> }];
  users: [{ user: object }];
}

const cli = "packages/listwatch/src/node-cli.ts";
const namespace = "listwatch-command";
const configMaps = { group: "", version: "v1", resource: "configmaps" };

/** Runs the commands on a cluster, prints a line for each check, and counts them. */
export async function runCommandChecks(cluster: CommandCluster): Promise<Counts> {
  const checks = {
    "watch prints what happens": checkWatch,
    "doctor finds nothing wrong": checkDoctor,
    "doctor says which rights are missing, and its commands grant them": checkRights,
    "doctor says that token and authority are wrong": checkCredentials,
  };
  const counts = { passed: 0, failed: 0 };
  const client = createClient(cluster.connection);
  const folder = mkdtempSync(join(tmpdir(), "listwatch-command-"));
  await client.request({ method: "POST", path: "/api/v1/namespaces", body: named(namespace) });
  for (const [name, run] of Object.entries(checks)) {
    try {
      await run({ ...cluster, client, folder });
      counts.passed++;
      console.log(`ok   command: ${name}`);
    } catch (error) {
      counts.failed++;
      console.log(`FAIL command: ${name}: ${describe(error)}`);
    } finally {
      for (const program of Program.running) program.kill();
    }
  }
  await client.request({ method: "DELETE", path: `/api/v1/namespaces/${namespace}` });
  rmSync(folder, { recursive: true });
  return counts;
}

interface Stage extends CommandCluster {
  readonly client: Client;
  /** Folder for kubeconfigs. */
  readonly folder: string;
}

async function checkWatch({ client, kubeconfig }: Stage): Promise<void> {
  const program = listwatch(kubeconfig, "watch", "cm", "-n", namespace, "-l", "by=command");
  await program.until("the note", () => program.errors.includes("no configmaps"));
  const metadata = { namespace, name: "flags", labels: { by: "command" } };
  await client.resource(configMaps).create({ metadata });
  await program.until("the object", () => program.output.includes(`ADDED    ${namespace}/flags`));
  await client.resource(configMaps).patch(`${namespace}/flags`, { data: { beta: "on" } });
  await program.until("the change", () => program.output.includes('data none → {"beta":"on"}'));
  await client.resource(configMaps).delete(`${namespace}/flags`);
  await program.until("the end", () => program.output.includes(`DELETED  ${namespace}/flags`));
  program.interrupt();
  assert.equal(await program.exited, 130);
}

async function checkDoctor({ kubeconfig }: Stage): Promise<void> {
  // Every cluster has namespaces, so there is something to stream.
  const program = listwatch(kubeconfig, "doctor", "namespaces");
  assert.equal(await program.exited, 0, program.output);
  assert.doesNotMatch(program.output, /^[✗–]/m);
}

async function checkRights(stage: Stage): Promise<void> {
  const { client, token } = stage;
  const kubeconfig = rewrite(stage, "reader", (config) => (config.users[0].user = { token }));
  const args = ["doctor", "configmaps", "-n", namespace] as const;
  const refused = listwatch(kubeconfig, ...args);
  assert.equal(await refused.exited, 1, refused.output);
  assert.match(refused.output, /^✗ access +may not list, watch, get configmaps in listwatch-com/m);
  assert.match(refused.output, /--role=watch-configmaps --user=reader$/m);
  // The objects that the two commands of the advice create.
  const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["list", "watch", "get"] }];
  const role = { ...named("watch-configmaps"), rules };
  await client.request({ method: "POST", path: `${path}/roles`, body: role });
  const apiGroup = "rbac.authorization.k8s.io";
  const roleRef = { apiGroup, kind: "Role", name: "watch-configmaps" };
  const subjects = [{ apiGroup, kind: "User", name: "reader" }];
  const binding = { ...named("watch-configmaps"), roleRef, subjects };
  await client.request({ method: "POST", path: `${path}/rolebindings`, body: binding });
  // The authorizer of a real server learns about them through its own watch.
  for (let attempt = 0, code: number | null = 1; code !== 0; attempt++) {
    const granted = listwatch(kubeconfig, ...args);
    code = await granted.exited;
    assert.ok(code === 0 || attempt < 5, granted.output);
  }
}

async function checkCredentials(stage: Stage): Promise<void> {
  const token = "a-token-of-another-cluster";
  const wrong = rewrite(stage, "token", (config) => (config.users[0].user = { token }));
  const refused = listwatch(wrong, "doctor");
  assert.equal(await refused.exited, 1, refused.output);
  assert.match(refused.output, /^✗ credentials +token: refused \(401\)\n +→ Put a new token into/m);
  const without = rewrite(stage, "authority", ({ clusters }) => {
    delete clusters[0].cluster["certificate-authority-data"];
  });
  const untrusted = listwatch(without, "doctor");
  assert.equal(await untrusted.exited, 1, untrusted.output);
  assert.match(untrusted.output, /^✗ tls +the certificate is issued by .* not trusted/m);
}

function rewrite(stage: Stage, name: string, change: (config: Kubeconfig) => void): string {
  const config: Kubeconfig = parse(readFileSync(stage.kubeconfig, "utf8"));
  change(config);
  const path = join(stage.folder, name);
  writeFileSync(path, stringify(config), { mode: 0o600 });
  return path;
}

function listwatch(kubeconfig: string, ...args: readonly string[]): Program {
  const command = [process.execPath, "--conditions=@listwatch/source", cli, ...args];
  return new Program("env", [`KUBECONFIG=${kubeconfig}`, ...command]);
}

function named(name: string): { readonly metadata: { readonly name: string } } {
  return { metadata: { name } };
}
