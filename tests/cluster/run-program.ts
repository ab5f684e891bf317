import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { endWithProgram } from "./child-processes.ts";
import { clusterVariable, type ClusterInfo } from "./programs/cluster.ts";
import { runtimes } from "./runtimes.ts";

// A program that waits for a missing response must not block the run.
const programTimeoutMs = 10 * 60_000;

export interface Counts {
  passed: number;
  failed: number;
}

/**
 * Runs a program of the folder `programs` on a runtime. It prints one line for each check, `ok
 * NAME` or `FAIL NAME: WHY`, and `note TEXT` for remarks. It exits with 0 after all checks, whether
 * or not they passed.
 */
export async function runProgram(
  name: string,
  info: ClusterInfo,
  environment: Readonly<Record<string, string>>,
): Promise<Counts> {
  const [command = "", ...args] = runtimes[info.runtime] ?? [];
  const file = join(import.meta.dirname, "programs", `${name}.ts`);
  const child = spawn(command, [...args, file], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...environment, NO_COLOR: "1", [clusterVariable]: JSON.stringify(info) },
  });
  endWithProgram(child);
  const counts = { passed: 0, failed: 0 };
  const other: string[] = [];
  createInterface(child.stdout).on("line", (line) => {
    const [start, result] = /^(ok|FAIL|note) +/.exec(line) ?? [];
    if (result === "ok") counts.passed++;
    if (result === "FAIL") counts.failed++;
    if (start === undefined) other.push(line);
    else console.log(line.replace(start, `${start}${name}, ${info.runtime}: `));
  });
  createInterface(child.stderr).on("line", (line) => other.push(line));
  const timer = setTimeout(() => child.kill("SIGKILL"), programTimeoutMs);
  const code = await new Promise<number | string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => resolve(status ?? String(signal)));
  });
  clearTimeout(timer);
  if (code !== 0 || counts.passed + counts.failed === 0) {
    console.log(`FAIL ${name}, ${info.runtime}: ended with ${code}`);
    console.log(other.join("\n").replace(/^/gm, "     "));
    counts.failed++;
  }
  return counts;
}
