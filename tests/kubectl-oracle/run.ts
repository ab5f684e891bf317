// Compares listwatch with the installed kubectl: the same kubeconfigs, against servers that record
// each request. The last line is `N passed, N failed`.
//
//   npm run test:field -- oracle [--kubectl PATH] [--runtime NAME] [PART OF A NAME...]
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual, parseArgs } from "node:util";
import { kubectlVersion } from "../kubectl/kubectl.ts";
import { clusterCases } from "./cases/clusters.ts";
import { fileCases } from "./cases/files.ts";
import { pluginCases } from "./cases/plugins.ts";
import { textCases } from "./cases/texts.ts";
import { userCases } from "./cases/users.ts";
import { differences } from "./differences.ts";
import type { OracleCase } from "./oracle-case.ts";
import type { Attempt } from "./ours.ts";
import { startRecorder, type RecordedRequest } from "./recorder.ts";
import { clearRecord, prepare, readRecord, type Situation } from "./situation.ts";

/** Effects of one program in one situation. Words of messages are not compared. */
interface Outcome {
  readonly hasSucceeded: boolean;
  readonly requests: readonly RecordedRequest[];
  readonly plugin: Readonly<Record<string, string>>;
}

/** Runs a program in a situation, and returns its message. */
type Program = (situation: Situation, example: OracleCase) => Promise<Attempt>;

const runtimes: Readonly<Record<string, readonly string[]>> = {
  node: [process.execPath, "--conditions=@listwatch/source"],
  deno: ["deno", "run", "-A", "--no-lock", "--conditions=@listwatch/source"],
  bun: ["bun", "--conditions=@listwatch/source"],
};

const { values, positionals } = parseArgs({
  options: {
    kubectl: { type: "string", default: "kubectl" },
    runtime: { type: "string" },
  },
  allowPositionals: true,
});

if (kubectlVersion(values.kubectl) === undefined) {
  console.log(`not on this machine: ${values.kubectl}\n0 passed, 0 failed`);
  process.exit(0);
}
const main = mkdtempSync(join(tmpdir(), "listwatch-oracle-"));
const kubectl = findKubectl(values.kubectl);
console.log(`kubectl ${kubectlVersion(kubectl) ?? ""}`);
const recorder = await startRecorder();
const counts = { passed: 0, failed: 0 };
try {
  await compareAll();
} finally {
  await recorder[Symbol.asyncDispose]();
  rmSync(main, { recursive: true, force: true });
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;

/** Google's dispatcher asks the server for its version first. Its newest kubectl is beside it. */
function findKubectl(path: string): string {
  const version = spawnSync(path, ["version", "--client"], { encoding: "utf8" }).stdout;
  if (!version.includes("dispatcher")) return path;
  const list = 'for i in $(seq 20 60); do [ -x "$1.1.$i" ] && echo "$1.1.$i"; done; true';
  const real = spawnSync("sh", ["-c", `readlink -f "$(command -v ${path})"`], { encoding: "utf8" });
  const found = spawnSync("sh", ["-c", list, "sh", real.stdout.trim()], { encoding: "utf8" });
  return found.stdout.trim().split("\n").at(-1) || path;
}

async function compareAll(): Promise<void> {
  const { addresses } = recorder;
  const all = [userCases, pluginCases, clusterCases, textCases, fileCases].flatMap((create) =>
    create(addresses),
  );
  const examples = all.filter(
    ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
  );
  const names = new Set(all.map(({ name }) => name));
  if (names.size !== all.length) throw new Error("Two cases have the same name");
  for (const name of differences.flatMap(({ cases }) => cases)) {
    if (!names.has(name)) throw new Error(`A difference names no case: ${name}`);
  }
  console.log(`${all.length} cases, ${differences.flatMap(({ cases }) => cases).length} differ`);
  const situations = examples.map((example, index) => prepare(example, join(main, String(index))));
  const expected = await outcomesOf(runKubectl, examples, situations);
  const chosen = values.runtime === undefined ? Object.keys(runtimes) : [values.runtime];
  for (const runtime of chosen) {
    const [command = "", ...args] = runtimes[runtime] ?? [];
    const child = startOurs(command, args);
    const actual = await outcomesOf(child.attempt, examples, situations);
    child.end();
    examples.forEach(({ name }, index) => judge(runtime, name, expected[index], actual[index]));
  }
}

async function outcomesOf(
  program: Program,
  examples: readonly OracleCase[],
  situations: readonly Situation[],
): Promise<readonly (Outcome & { readonly message: string })[]> {
  const outcomes = [];
  for (const [index, example] of examples.entries()) {
    const situation = situations[index];
    if (situation === undefined) continue;
    clearRecord(situation);
    recorder.take();
    const { hasSucceeded, message } = await program(situation, example);
    outcomes.push({
      hasSucceeded,
      requests: recorder.take(),
      plugin: readRecord(situation),
      message,
    });
  }
  return outcomes;
}

function runKubectl(situation: Situation, { command = "raw" }: OracleCase): Promise<Attempt> {
  const { context, cwd, environment } = situation;
  const args = command === "raw" ? ["get", "--raw", "/version"] : ["version"];
  if (context !== undefined) args.push(`--context=${context}`);
  const child = spawn(kubectl, args, {
    cwd,
    env: environment,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let message = "";
  child.stderr.on("data", (data) => (message += String(data)));
  return new Promise((resolve) => {
    child.on("close", (code) => resolve({ hasSucceeded: code === 0, message: message.trim() }));
  });
}

function startOurs(command: string, args: readonly string[]): { attempt: Program; end(): void } {
  const program = join(import.meta.dirname, "ours.ts");
  const child = spawn(command, [...args, program], { stdio: ["pipe", "pipe", "ignore"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    attempt: async (situation) => {
      child.stdin.write(`${JSON.stringify(situation)}\n`);
      const line = await lines.next();
      if (line.done === true) throw new Error(`${command} ended too early`);
      return JSON.parse(line.value) as Attempt;
    },
    end: () => child.stdin.end(),
  };
}

function judge(
  runtime: string,
  name: string,
  expected: (Outcome & { readonly message: string }) | undefined,
  actual: (Outcome & { readonly message: string }) | undefined,
): void {
  const isEqual = isDeepStrictEqual(effectsOf(expected), effectsOf(actual));
  const isListed = differences.some(
    ({ cases, runtimes: listed = [runtime] }) => cases.includes(name) && listed.includes(runtime),
  );
  if (isEqual !== isListed) return void counts.passed++;
  counts.failed++;
  if (isEqual) return console.log(`${runtime}: ${name}: listed as different, but equal`);
  console.log(`${runtime}: ${name}: differs`);
  for (const [who, outcome] of Object.entries({ kubectl: expected, listwatch: actual })) {
    console.log(`  ${who}: ${JSON.stringify(effectsOf(outcome))}\n    ${outcome?.message ?? ""}`);
  }
}

/** A failed program that has sent nothing has refused; why it failed is not compared. */
function effectsOf(outcome: Outcome | undefined): Outcome | undefined {
  if (outcome === undefined) return undefined;
  const { hasSucceeded, plugin, requests } = outcome;
  return { hasSucceeded, plugin, requests };
}
