// Compiles the same operator with each tool of the table "Compared with others", and runs it
// against the fake API server: a step of `npm run test:field`. A language that is not installed is
// named and skipped. The last line is `N passed, N failed`.
//
//   npm run test:field -- operators [PART OF A NAME...]
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { get as getPlain } from "node:http";
import { get as getSecure } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text as readText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, createConnection, isNotFound, type Client } from "@listwatch/client";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { deployments } from "@listwatch/resources/apps/v1";
import { leases } from "@listwatch/resources/coordination.k8s.io/v1";
import { configmaps } from "@listwatch/resources/core/v1";
import { writeKubeconfig } from "../../packages/fake-apiserver/src/adapters/node-kubeconfig.ts";
import { objects } from "./operators/objects.ts";
import { tools, type Tool } from "./operators/tools.ts";

/** After this time, a check that waits for a program fails. */
const hangMs = 60_000;
/** How long a config map must stay changed. Tools that repair it do so within milliseconds. */
const untouchedMs = 3000;

interface Stage {
  readonly client: Client;
  readonly stop: () => Promise<number | null>;
}

type Check = (stage: Stage) => Promise<unknown>;

const leaseEnds = {
  releases: "releases its lease",
  leaves: "leaves its lease",
  none: "has no lease",
};

/** The checks of a tool. Each depends on what those before it have done. */
const checksOf = (tool: Tool): Readonly<Record<string, Check>> => ({
  "keeps a config map beside each deployment": async ({ client }) => {
    await until(async () => (await replicasIn(client)) === "3");
    const { metadata } = await client.resource(configmaps).get("shop/web-note");
    assert.equal(metadata.ownerReferences?.[0]?.name, "web");
    await client.resource(deployments).patch("shop/web", { spec: { replicas: 4 } });
    await until(async () => (await replicasIn(client)) === "4");
  },

  [`${tool.repairs ? "repairs" : "leaves"} a config map that was changed`]: async ({ client }) => {
    await client.resource(configmaps).patch("shop/web-note", { data: { replicas: "9" } });
    if (tool.repairs) return until(async () => (await replicasIn(client)) === "4");
    await sleep(untouchedMs);
    assert.equal(await replicasIn(client), "9");
  },

  "answers probes, and has metrics": async () => {
    for (const address of [tool.live, tool.ready]) {
      await until(async () => (await read(address)).status === 200);
    }
    const { status, text } = await read(tool.metrics);
    assert.equal(status, 200);
    assert.ok(text.includes(tool.metric), text);
  },

  [`ends on SIGTERM with ${tool.exitCode}, and ${leaseEnds[tool.lease]}`]: async (stage) => {
    assert.equal(await isLeaseHeld(stage.client), tool.lease !== "none");
    assert.equal(await stage.stop(), tool.exitCode);
    assert.equal(await isLeaseHeld(stage.client), tool.lease === "leaves");
  },
});

async function replicasIn(client: Client): Promise<string | undefined> {
  try {
    return (await client.resource(configmaps).get("shop/web-note")).data?.["replicas"];
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function isLeaseHeld(client: Client): Promise<boolean> {
  const { items } = await client.resource(leases).list();
  return items.some(({ spec }) => (spec?.holderIdentity ?? "") !== "");
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + hangMs; !(await isTrue()); await sleep(50)) {
    assert.ok(Date.now() < end, `not true within ${hangMs / 1000} s`);
  }
}

/** Reads a page; the status is 0 while nothing listens. */
async function read(address: string): Promise<{ readonly status: number; readonly text: string }> {
  const request = address.startsWith("https:")
    ? getSecure(address, { rejectUnauthorized: false, agent: false })
    : getPlain(address, { agent: false });
  try {
    const [response] = await once(request, "response");
    return { status: response.statusCode, text: await readText(response) };
  } catch {
    return { status: 0, text: "" };
  }
}

/** Runs checks of a tool with one process; returns how many passed. */
async function runChecks(tool: Tool, checks: Readonly<Record<string, Check>>): Promise<number> {
  assert.equal((await read(tool.live)).status, 0, `${tool.live} is used by another program`);
  const home = mkdtempSync(join(tmpdir(), "operators-"));
  await using listener = await listen(new FakeApiServer({ objects }));
  const kubeconfig = join(home, "kubeconfig");
  await writeKubeconfig(kubeconfig, { url: listener.url });
  const [command = "", ...args] = tool.run;
  const env = { ...process.env, ...tool.environment, KUBECONFIG: kubeconfig };
  const child = spawn(command, args, { cwd: tool.folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => (output += String(text)));
  }
  const ended = once(child, "close");
  const stop = async (): Promise<number | null> => {
    child.kill("SIGTERM");
    const limit = setTimeout(() => child.kill("SIGKILL"), hangMs);
    const [code] = await ended;
    clearTimeout(limit);
    return code;
  };
  const client = createClient(createConnection({ server: listener.url }));
  let passed = 0;
  for (const [name, run] of Object.entries(checks)) {
    try {
      await run({ client, stop });
      console.log(`ok   ${tool.name}: ${name}`);
      passed++;
    } catch (error) {
      console.log(`FAIL ${tool.name}: ${name}: ${String(error)}\n${output.slice(0, 4000)}`);
      break;
    }
  }
  if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
  await ended;
  rmSync(home, { recursive: true });
  return passed;
}

/** Why a tool cannot be compiled; undefined if it was. */
function problemOfBuild({ build, folder }: Tool): string | undefined {
  for (const [command = "", ...args] of build) {
    const options = { cwd: folder, encoding: "utf8" } as const;
    const { error, status, stderr, stdout } = spawnSync(command, args, options);
    if (status !== 0) return `${command} ${args.join(" ")}: ${error?.message ?? stdout + stderr}`;
  }
  return undefined;
}

const wanted = process.argv.slice(2).map((part) => part.toLowerCase());
const missing: string[] = [];
let [passed, failed] = [0, 0];
for (const tool of tools) {
  const name = tool.name.toLowerCase();
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  if (!tool.needs.every(([command = "", ...args]) => spawnSync(command, args).status === 0)) {
    missing.push(tool.name);
    continue;
  }
  const problem = problemOfBuild(tool);
  console.log(
    problem === undefined ? `ok   ${tool.name}: compiles` : `FAIL ${tool.name}: ${problem}`,
  );
  const checks = checksOf(tool);
  const done = problem === undefined ? 1 + (await runChecks(tool, checks)) : 0;
  passed += done;
  failed += 1 + Object.keys(checks).length - done;
}
if (missing.length > 0) console.log(`not on this machine: the compilers of ${missing.join(", ")}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
