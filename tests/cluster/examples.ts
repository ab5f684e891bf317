import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { endWithProgram } from "./child-processes.ts";
import { contextName } from "./kubeconfig.ts";
import type { Counts } from "./run-program.ts";

const root = resolve(import.meta.dirname, "../..");
const folders = ["examples", "examples/build-your-own"];
/** The import of an example that supports `--context`. */
const cluster = /"\.{1,2}\/(?:support|operator)\/cluster\.ts"/;

/** Runs the examples that support a cluster, on all runtimes, and compares their output. */
export async function runExamples(environment: Readonly<Record<string, string>>): Promise<Counts> {
  const program = [...process.execArgv, join(root, "examples/run.ts")];
  const args = ["--context", contextName, ...namesOfExamples()];
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

function namesOfExamples(): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name)),
  );
  return files
    .filter((file) => file.endsWith(".ts") && cluster.test(readFileSync(join(root, file), "utf8")))
    .map((file) => file.replace(/^examples\//, ""));
}
