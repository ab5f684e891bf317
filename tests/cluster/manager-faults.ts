import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type Client } from "@listwatch/client";
import { Program } from "../demo/harness.ts";
import { configMaps, namespaced, namespaces } from "./programs/cluster.ts";
import { describe } from "./programs/checks.ts";
import type { Counts } from "./run-program.ts";
import { runtimes } from "./runtimes.ts";
import type { StormOptions } from "./storm.ts";

const leases = namespaced("coordination.k8s.io", "v1", "leases", "Lease");
const file = join(import.meta.dirname, "programs/operator-process.ts");
/**
 * Time for which the API server is away after its leader has ended. The simulations have ten
 * minutes; `MANAGER_OUTAGE_S=600` waits for them here.
 */
const outageMs = Number(process.env["MANAGER_OUTAGE_S"] ?? 0) * 1000;

interface Stage {
  readonly client: Client;
  readonly runtime: string;
  readonly stage: StormOptions;
}

/**
 * Ends operators in all ways, on a real server: `kill -9`, SIGTERM, a lost lease, an API server
 * that is away, and a full disk for their logs.
 */
export async function runManagerFaults(stage: StormOptions): Promise<Counts> {
  const client = createClient(stage.connection);
  const counts = { passed: 0, failed: 0 };
  for (const { runtime } of stage.infos) {
    for (const [name, run] of Object.entries(checks)) {
      try {
        await run({ client, runtime, stage });
        console.log(`ok   manager, ${runtime}: ${name}`);
        counts.passed++;
      } catch (error) {
        console.log(`FAIL manager, ${runtime}: ${name}: ${describe(error)}`);
        counts.failed++;
      } finally {
        for (const program of Program.running) program.kill();
      }
    }
  }
  return counts;
}

const checks: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  "after kill -9 in a reconcile, another replica takes over when the lease has ended": async (
    stage,
  ) => {
    const namespace = await createNamespace(stage, "killed");
    await createMap(stage, namespace, "slow");
    const first = operator(stage, namespace, "first", "leads");
    await first.until("a reconcile", () => first.output.includes(`reconciles ${namespace}/slow`));
    const second = operator(stage, namespace, "second", "leads");
    await second.until("a candidate", () => second.errors.includes("Manager works"));
    first.kill();
    assert.notEqual(await first.exited, 0);
    const { spec: left } = await leaseIn(stage, namespace);
    assert.equal(left.holderIdentity, "first");
    await second.until("a take-over", () => second.output.includes(`reconciles ${namespace}/slow`));
    const { spec: taken } = await leaseIn(stage, namespace);
    assert.equal(taken.holderIdentity, "second");
    assert.equal(taken.leaseTransitions, (left.leaseTransitions ?? 0) + 1);
    const waitedMs = Date.parse(taken.acquireTime) - Date.parse(left.renewTime);
    assert.ok(waitedMs >= left.leaseDurationSeconds * 1000, `taken over after ${waitedMs} ms`);
  },

  "SIGTERM in a reconcile lets it end, releases the lease, and exits with 0": async (stage) => {
    const namespace = await createNamespace(stage, "stopped");
    await createMap(stage, namespace, "slow");
    const program = operator(stage, namespace, "one", "leads");
    await program.until("a reconcile", () => program.output.includes("reconciles"));
    program.terminate();
    assert.equal(await program.exited, 0, program.errors);
    assert.match(program.output, /^reconciled .*\/slow\nended \{"by":"SIGTERM"\}$/m);
    const map = await stage.client.resource(configMaps).get(`${namespace}/slow`);
    assert.equal(map.data?.["by"], "one");
    assert.equal((await leaseIn(stage, namespace)).spec.holderIdentity ?? "", "");
  },

  "a lease that another takes aborts the reconcile, and the process exits with 1": async (
    stage,
  ) => {
    const namespace = await createNamespace(stage, "robbed");
    await createMap(stage, namespace, "slow");
    const program = operator(stage, namespace, "one", "leads");
    await program.until("a reconcile", () => program.output.includes("reconciles"));
    const spec = { holderIdentity: "thief" };
    await stage.client.resource(leases).patch(`${namespace}/operator`, { spec });
    assert.equal(await program.exited, 1, program.errors);
    assert.match(program.output, /^ended \{"code":"LW_LEADERSHIP_LOST"\}$/m);
    assert.doesNotMatch(program.output, /^reconciled/m);
    const map = await stage.client.resource(configMaps).get(`${namespace}/slow`);
    assert.equal(map.data?.["by"], undefined);
    assert.equal((await leaseIn(stage, namespace)).spec.holderIdentity, "thief");
  },

  "while the API server is away a leader exits with 1, and others wait for it": async (stage) => {
    const { plane } = stage.stage;
    const led = await createNamespace(stage, "led");
    const leader = operator(stage, led, "one", "leads");
    await leader.until("a leader", () => leader.errors.includes("Leader is elected"));
    const namespace = await createNamespace(stage, "free");
    const program = operator(stage, namespace, "one");
    await program.until("a manager", () => program.errors.includes("Manager works"));
    await plane.killApiServer();
    try {
      assert.equal(await leader.exited, 1, leader.errors);
      assert.match(leader.output, /^ended \{"code":"LW_LEADERSHIP_LOST"\}$/m);
      await sleep(outageMs);
      const port = /"message":"Server listens","port":(\d+)/.exec(program.errors)?.[1];
      for (const path of ["livez", "readyz"]) {
        const answer = await fetch(`http://127.0.0.1:${port}/${path}`);
        assert.equal(answer.status, 200, await answer.text());
      }
    } finally {
      await plane.startApiServer();
    }
    await createMap(stage, namespace, "later");
    await program.until("a reconcile", () =>
      program.output.includes(`reconciled ${namespace}/later`),
    );
    program.terminate();
    assert.equal(await program.exited, 0, program.errors);
  },

  "a full disk for the log stops nothing": async (stage) => {
    const namespace = await createNamespace(stage, "full");
    await createMap(stage, namespace, "one");
    const [command = "", ...args] = runtimes[stage.runtime] ?? [];
    const program = operatorOf(stage, [
      ...["sh", "-c", 'exec "$0" "$@" 2>/dev/full', command],
      ...[...args, file, namespace, "one", "leads"],
    ]);
    await program.until("a reconcile", () => program.output.includes("reconciled"));
    program.terminate();
    assert.equal(await program.exited, 0);
    assert.match(program.output, /^ended \{"by":"SIGTERM"\}$/m);
    assert.equal(program.errors, "");
    assert.equal((await leaseIn(stage, namespace)).spec.holderIdentity ?? "", "");
  },
};

function operator(
  stage: Stage,
  namespace: string,
  identity: string,
  role: "leads" | "alone" = "alone",
): Program {
  const command = runtimes[stage.runtime] ?? [];
  return operatorOf(stage, [...command, file, namespace, identity, role]);
}

function operatorOf({ stage }: Stage, command: readonly string[]): Program {
  const variables = Object.entries(stage.environment).map(([name, value]) => `${name}=${value}`);
  return new Program("env", [...variables, ...command]);
}

async function createNamespace({ client, runtime }: Stage, name: string): Promise<string> {
  const namespace = `manager-${name}-${runtime}`;
  await client.resource(namespaces).create({ metadata: { name: namespace } });
  return namespace;
}

async function createMap({ client }: Stage, namespace: string, name: string): Promise<void> {
  await client.resource(configMaps).create({ metadata: { namespace, name } });
}

function leaseIn({ client }: Stage, namespace: string) {
  return client.resource(leases).get(`${namespace}/operator`);
}
