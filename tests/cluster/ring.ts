import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@listwatch/client";
import { endWithProgram } from "./child-processes.ts";
import { describe } from "./programs/checks.ts";
import { configMaps, namespaces } from "./programs/cluster.ts";
import type { Counts } from "./run-program.ts";
import { runtimes } from "./runtimes.ts";
import type { StormOptions } from "./storm.ts";

const namespace = "listwatch-ring";
const objects = 40;
const slots = 32;
/** Lease of 15 s and two renewals of 2 s, as the ring promises, and 3 s for a busy machine. */
const takeOverMs = 22_000;

interface Reconciled {
  readonly key: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** A process of the operator in programs/ring-replica.ts. */
class Replica {
  readonly reconciled: Reconciled[] = [];
  slots = 0;
  readonly #child: ChildProcess;

  constructor(runtime: string, identity: string, environment: Readonly<Record<string, string>>) {
    const [command = "", ...args] = runtimes[runtime] ?? [];
    const file = join(import.meta.dirname, "programs/ring-replica.ts");
    this.#child = spawn(command, [...args, file, namespace, identity], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...process.env, ...environment },
    });
    endWithProgram(this.#child);
    if (this.#child.stdout === null) return;
    createInterface(this.#child.stdout).on("line", (line) => {
      const [event = ""] = line.split(" ", 1);
      if (event === "slots") this.slots = JSON.parse(line.slice(event.length)).length;
      if (event !== "reconciled") return;
      const [key, startMs, endMs] = JSON.parse(line.slice(event.length));
      this.reconciled.push({ key, startMs, endMs });
    });
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const ended = once(this.#child, "exit");
    this.#child.kill(signal);
    await ended;
  }
}

/**
 * Runs an operator in three processes that divide its keys by a ring. One is killed, the API server
 * restarts without the feature gate of sharded lists, another one joins, and all are stopped.
 */
export async function runRingChecks({
  connection,
  environment,
  infos,
  plane,
}: StormOptions): Promise<Counts> {
  const client = createClient(connection, { fieldManager: "test" });
  const maps = client.resource(configMaps);
  await client.resource(namespaces).create({ metadata: { name: namespace } });
  await plane.killApiServer();
  await plane.startApiServer({ "feature-gates": "ShardedListAndWatch=true" });
  const started = infos.map(({ runtime }) => runtime);
  const start = (runtime: string | undefined, name: string): Replica =>
    new Replica(runtime ?? "node", name, environment);
  // A SIGKILL does not reach Deno and Bun through the commands of their packages.
  const killed = start("node", "a");
  const others = [start(started[1], "b"), start(started[2], "c")];
  const all = [killed, ...others];
  let round = 0;

  const divided = async (replicas: readonly Replica[], limitMs: number): Promise<string> => {
    const startMs = performance.now();
    const least = Math.floor(slots / replicas.length);
    const isDivided = (): boolean => {
      const sum = replicas.reduce((total, replica) => total + replica.slots, 0);
      return sum === slots && replicas.every((replica) => replica.slots >= least);
    };
    while (!isDivided()) {
      const counts = replicas.map((replica) => replica.slots).join(", ");
      assert.ok(performance.now() - startMs < limitMs, `the replicas have ${counts} slots`);
      await delay(50);
    }
    return `${((performance.now() - startMs) / 1000).toFixed(1)} s`;
  };
  /** Changes all objects, and waits until each has a child of this round. */
  const reconcileAll = async (): Promise<void> => {
    round++;
    for (let index = 0; index < objects; index++) {
      await maps.apply(
        {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { namespace, name: `p${index}`, labels: { role: "primary" } },
          data: { round: String(round) },
        },
        { force: true },
      );
    }
    for (const startMs = performance.now(); ; await delay(100)) {
      const { items } = await maps.list({ namespace, labelSelector: "role=child" });
      const done = items.filter(({ data }) => data?.["round"] === String(round)).length;
      if (done === objects) return;
      assert.ok(performance.now() - startMs < takeOverMs, `${done} of ${objects} are reconciled`);
    }
  };
  const counts = { passed: 0, failed: 0 };
  const step = async (name: string, run: () => Promise<string>): Promise<void> => {
    try {
      console.log(`ok   ring: ${name} (${await run()})`);
      counts.passed++;
    } catch (error) {
      console.log(`FAIL ring: ${name}: ${describe(error)}`);
      counts.failed++;
    }
  };

  await step("three replicas divide the slots and reconcile all objects", async () => {
    const time = await divided(all, 60_000);
    await reconcileAll();
    return `${all.map((replica) => replica.slots).join(" + ")} slots after ${time}`;
  });
  await step("the others take the slots of a killed one over", async () => {
    await killed.end("SIGKILL");
    const time = await divided(others, takeOverMs);
    await reconcileAll();
    return time;
  });
  await step("they go on after a restart of the server without its gate", async () => {
    await plane.killApiServer();
    await plane.startApiServer({ "feature-gates": "ShardedListAndWatch=false" });
    await divided(others, 60_000);
    await reconcileAll();
    return `${others.map((replica) => replica.slots).join(" + ")} slots`;
  });
  const joined = start(started[0], "d");
  all.push(joined);
  await step("one that joins takes its share", async () => {
    const time = await divided([...others, joined], 30_000);
    await reconcileAll();
    return `${time} with the start of the process`;
  });
  await step("the others take the slots of one that is stopped over at once", async () => {
    await joined.end("SIGTERM");
    const time = await divided(others, 5000);
    await reconcileAll();
    return time;
  });
  await step("no two replicas reconcile an object at the same time", async () => {
    const [first, last] = others;
    await Promise.all([first?.end("SIGTERM"), last?.end("SIGTERM")]);
    const ends = all.flatMap((replica) => replica.reconciled.map((one) => ({ ...one, replica })));
    ends.sort((one, other) => one.startMs - other.startMs);
    const latest = new Map<string, (typeof ends)[number]>();
    for (const one of ends) {
      const before = latest.get(one.key);
      assert.ok(
        before === undefined || before.replica === one.replica || before.endMs <= one.startMs,
        one.key,
      );
      latest.set(one.key, one);
    }
    return `${ends.length} reconciles`;
  });
  await plane.killApiServer();
  await plane.startApiServer();
  return counts;
}
