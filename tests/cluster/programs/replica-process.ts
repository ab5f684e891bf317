import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { OperatorReplica } from "../../support/webhook-operator.ts";
import type { ReplicaEvents, ReplicaSettings } from "../../support/webhook-replica.ts";
import { endWithProgram } from "../child-processes.ts";
import { runtimes } from "../runtimes.ts";

/** Environment variable with the settings of a replica as JSON. */
export const replicaVariable = "LISTWATCH_TEST_REPLICA";

/** Starts a replica in a process of the runtime that runs this program. */
export async function startReplicaProcess(
  runtime: string,
  settings: ReplicaSettings,
  events: ReplicaEvents,
): Promise<OperatorReplica> {
  const args = runtimes[runtime]?.slice(1) ?? [];
  const file = join(import.meta.dirname, "webhooks-replica.ts");
  // The runtime itself: the command of its package would not hand on a SIGKILL.
  const child = spawn(process.execPath, [...args, file], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, [replicaVariable]: JSON.stringify(settings) },
  });
  endWithProgram(child);
  const exit = Promise.withResolvers<number | string>();
  child.once("exit", (code, signal) => exit.resolve(code ?? String(signal)));
  const port = Promise.withResolvers<number>();
  createInterface(child.stdout).on("line", (line) => {
    const [event = ""] = line.split(" ", 1);
    const value: unknown = JSON.parse(line.slice(event.length));
    if (event === "port") port.resolve(Number(value));
    if (event === "authority") events.authority(String(value));
    if (event === "dryRun") events.dryRun();
  });
  const ended = exit.promise.then((code): never => {
    throw new Error(`the replica has ended with ${code} before it listened`);
  });
  return {
    port: await Promise.race([port.promise, ended]),
    stop: async () => {
      // After `child.kill`, Deno reports the signal instead of the code.
      process.kill(child.pid!, "SIGTERM");
      const code = await exit.promise;
      if (code !== 0) throw new Error(`the replica has ended with ${code}`);
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exit.promise;
    },
  };
}
