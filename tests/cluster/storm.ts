import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createClient, type Client, type Connection } from "@listwatch/client";
import type { ControlPlane, TokenUser } from "./control-plane.ts";
import {
  clusterScoped,
  namespaced,
  namespaces,
  pem,
  type ClusterInfo,
} from "./programs/cluster.ts";
import { signToken, type TokenSubject } from "./programs/service-account-token.ts";
import { runProgram, type Counts } from "./run-program.ts";
import { StormWriters } from "./storm-writers.ts";

const objects = 5000;
/** Namespace of the objects, and of the marker that ends the storm. */
const namespace = "storm";
/** Lifetime of tokens, which are renewed several times before they expire. */
const tokenSeconds = 20;
const renewMs = 5000;
const syncLimitMs = 120_000;
/** Users whose tokens are in the API server's file. */
export const stormUsers: readonly TokenUser[] = [{ name: "storm-before" }, { name: "storm-after" }];

export interface StormOptions {
  readonly plane: ControlPlane;
  readonly connection: Connection;
  /** Descriptions for the programs, one for each runtime, with the same folder. */
  readonly infos: readonly ClusterInfo[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs an informer on each runtime that watches thousands of objects. Meanwhile several writers
 * change them, the API server and etcd are killed, the history is compacted and tokens expire.
 * Finally each program compares its cache with the server's list.
 */
export async function runStorm(options: StormOptions): Promise<Counts> {
  const { connection, environment, infos, plane } = options;
  const [info] = infos;
  assert.ok(info);
  const client = createClient(connection);
  const token = new TokenFile(join(info.folder, "token"), await prepare(client, info));
  const writers = new StormWriters(connection, namespace);
  const started = performance.now();
  await writers.fill(objects);
  console.log(`storm: ${objects} objects created in ${secondsSince(started)}`);
  const programs = infos.map((one) => runProgram("storm", one, environment));
  try {
    await untilFiles(infos.map(({ folder, runtime }) => join(folder, `synced-${runtime}`)));
    const begun = performance.now();
    writers.start();
    await disturb(plane, token);
    await writers.stop();
    console.log(`storm: ${writers.summary} in ${secondsSince(begun)}`);
  } finally {
    token.stop();
    writeFileSync(join(info.folder, "over"), "");
  }
  const counts = await Promise.all(programs);
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Causes every failure of a control plane, one after the other. */
async function disturb(plane: ControlPlane, token: TokenFile): Promise<void> {
  const step = async (what: string, run: () => Promise<void>): Promise<void> => {
    const started = performance.now();
    await run();
    console.log(`storm: ${what} (${secondsSince(started)})`);
    await delay(4000);
  };
  const restart = async (): Promise<void> => {
    await plane.killApiServer();
    await plane.startApiServer();
  };
  await delay(4000);
  await step("API server killed and started", restart);
  await step("history removed, API server killed and started", async () => {
    await plane.compact();
    await restart();
  });
  await step("etcd killed and started", async () => {
    await plane.killEtcd();
    await plane.startEtcd();
  });
  await step("tokens ended while the API server was away", async () => {
    token.stop();
    await plane.killApiServer();
    await delay(tokenSeconds * 1000);
    await plane.startApiServer();
    await delay(5000);
    token.start();
  });
  await step("history removed, both killed and started", async () => {
    await plane.compact();
    await plane.killApiServer();
    await plane.killEtcd();
    await plane.startEtcd();
    await plane.startApiServer();
  });
  await step("token revoked, and another one given 5 s later", async () => {
    token.stop();
    token.write(plane.tokenOf("storm-before"));
    await restart();
    await delay(3000);
    plane.replaceTokens(stormUsers.slice(1));
    await restart();
    await delay(5000);
    token.write(plane.tokenOf("storm-after"));
  });
}

/** Creates the namespace, and the users with their rights. */
async function prepare(client: Client, { issuer, pki }: ClusterInfo): Promise<TokenSubject> {
  await client.resource(namespaces).create({ metadata: { name: namespace } });
  const accounts = client.resource(namespaced("", "v1", "serviceaccounts", "ServiceAccount"));
  const { metadata } = await accounts.create({ metadata: { namespace, name: "storm" } });
  const rbac = ["rbac.authorization.k8s.io", "v1"] as const;
  const roles = client.resource(clusterScoped(...rbac, "clusterroles", "ClusterRole"));
  const verbs = ["get", "list", "watch"];
  const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs }];
  await roles.create({ metadata: { name: "storm" }, rules } as never);
  const bindings = client.resource(
    clusterScoped(...rbac, "clusterrolebindings", "ClusterRoleBinding"),
  );
  const users = stormUsers.map(({ name }) => ({ apiGroup: rbac[0], kind: "User", name }));
  const subjects = [{ kind: "ServiceAccount", namespace, name: "storm" }, ...users];
  const roleRef = { apiGroup: rbac[0], kind: "ClusterRole", name: "storm" };
  await bindings.create({ metadata: { name: "storm" }, roleRef, subjects } as never);
  const key = pem({ pki }, "server.key");
  return { issuer, key, namespace, name: "storm", uid: metadata.uid ?? "" };
}

/** A file with a short-lived token, renewed like by a kubelet. */
class TokenFile {
  readonly #path: string;
  readonly #subject: TokenSubject;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(path: string, subject: TokenSubject) {
    this.#path = path;
    this.#subject = subject;
    this.start();
  }

  start(): void {
    const renew = (): void => this.write(signToken(this.#subject, tokenSeconds));
    renew();
    this.#timer = setInterval(renew, renewMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  write(token: string): void {
    writeFileSync(this.#path, token, { mode: 0o600 });
  }
}

async function untilFiles(paths: readonly string[]): Promise<void> {
  const endMs = Date.now() + syncLimitMs;
  for (;;) {
    const missing = paths.filter((path) => !existsSync(path));
    if (missing.length === 0) return;
    if (Date.now() > endMs) throw new Error(`Expected ${missing.join(", ")} within 2 min`);
    await delay(100);
  }
}

function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
