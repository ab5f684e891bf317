import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeApiServer, withControlEndpoints } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import type { Language, Program } from "./language.ts";

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

// With empty caches on two busy cores, the largest library compiles for a few minutes.
const installTimeoutMs = 15 * 60_000;
// A program that waits for a missing response must not block the run.
const programTimeoutMs = 3 * 60_000;

/** Installs and runs the programs of a language; "missing" if it is not installed. */
export async function runLanguage(language: Language, field: boolean): Promise<Counts | "missing"> {
  const { folder, install, name, needs } = language;
  const programs = language.programs.filter((program) => field || program.field !== true);
  // Dependencies are not installed without a program to run.
  if (programs.length === 0) return { passed: 0, failed: 0 };
  if (!needs.every(([command = "", ...args]) => spawnSync(command, args).status === 0)) {
    return "missing";
  }
  for (const command of install) {
    const { code, output } = await execute(command, folder, installTimeoutMs);
    if (code !== 0) return failure(`${name}: ${command.join(" ")}`, output);
  }
  let passed = 0;
  let failed = 0;
  for (const program of programs) {
    const counts = await runProgram(language, program);
    passed += counts.passed;
    failed += counts.failed;
  }
  return { passed, failed };
}

function failure(what: string, output: string): Counts {
  console.log(`FAIL ${what}`);
  console.log(output.trimEnd().replace(/^/gm, "       "));
  return { passed: 0, failed: 1 };
}

async function runProgram({ folder, name }: Language, program: Program): Promise<Counts> {
  const title = `${name}, ${program.name}`;
  const started = performance.now();
  if (program.install !== undefined) {
    const { code, output } = await execute(program.install, folder, installTimeoutMs);
    if (code !== 0) return failure(`${title}: ${program.install.join(" ")}`, output);
  }
  const installed = performance.now();
  const { code, output } = await runAgainstServer(program.run, folder);
  const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
  const installing = seconds(installed - started);
  const running = seconds(performance.now() - installed);
  console.log(`${title} (${installing} to install, ${running} to run)`);
  const lines = output.split("\n").filter((line) => /^(?:ok {3}|FAIL )/.test(line));
  for (const line of lines) console.log(`  ${line}`);
  const failed = lines.filter((line) => line.startsWith("FAIL")).length;
  const passed = lines.length - failed;
  if (code === 0 && passed > 0) return { passed, failed };
  const { failed: more } = failure(`${title}: ended with ${code ?? "a signal"}`, output);
  return { passed, failed: failed + more };
}

/** Runs a program against a separate server, whose control it may use. */
async function runAgainstServer(command: readonly string[], folder: string): Promise<Ended> {
  const listener = await listen(withControlEndpoints(new FakeApiServer()));
  const home = await mkdtemp(join(tmpdir(), "clients-"));
  try {
    const kubeconfig = join(home, "kubeconfig");
    await writeFile(kubeconfig, kubeconfigOf(listener.url), { mode: 0o600 });
    const variables = { SERVER: listener.url, KUBECONFIG: kubeconfig };
    return await execute(command, folder, programTimeoutMs, variables);
  } finally {
    await listener.close();
    await rm(home, { recursive: true });
  }
}

function kubeconfigOf(server: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "fake",
    // Otherwise @kubernetes/client-node refuses addresses without TLS.
    clusters: [{ name: "fake", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "fake", user: {} }],
    contexts: [{ name: "fake", context: { cluster: "fake", user: "fake", namespace: "default" } }],
  });
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a command to its end, and then kills its child processes. */
function execute(
  [command = "", ...args]: readonly string[],
  cwd: string,
  timeoutMs: number,
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    // A separate process group, so that all of it can be killed.
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...variables },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => (output += String(text)));
  }
  const timer = setTimeout(() => {
    output += `\nended after ${timeoutMs / 1000} s\n`;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, timeoutMs);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, output });
    });
  });
}
