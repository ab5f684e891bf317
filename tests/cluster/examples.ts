import { spawn } from "node:child_process";
import { join, resolve } from "node:path";
import { endWithProgram } from "./child-processes.ts";
import { contextName } from "./kubeconfig.ts";
import type { Counts } from "./run-program.ts";

const root = resolve(import.meta.dirname, "../..");

/** Runs the examples on the cluster, and compares their output. */
export async function runExamples(environment: Readonly<Record<string, string>>): Promise<Counts> {
  const program = [...process.execArgv, join(root, "examples/run.ts")];
  const args = ["--context", contextName];
  const child = spawn(process.execPath, [...program, ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...environment },
  });
  endWithProgram(child);
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const code = await new Promise((done, fail) => child.once("error", fail).once("close", done));
  const [, passed = "0", failed = "0"] = /(\d+) passed, (\d+) failed\s*$/.exec(output) ?? [];
  console.log(output.trimEnd().replace(/^/gm, "examples: "));
  // A run that fails early has counted nothing.
  const more = code !== 0 && failed === "0" ? 1 : 0;
  return { passed: Number(passed), failed: Number(failed) + more };
}
