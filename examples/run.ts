/**
 * Runs every example with the built packages on Node, Deno and Bun, and compares its output with
 * the file `.out` beside it, which the site shows as well. Then Node runs the examples with a
 * server again, with a cluster in the place of that server. The cluster has objects of others,
 * which must be unchanged afterwards.
 *
 * ```
 * npm run test:examples -- [--update] [--context NAME | --server URL] [PART OF A NAME...]
 * ```
 *
 * `--update` writes the `.out` files with the output on Node; review the diff. With `--context` or
 * `--server`, the examples run only on that cluster.
 */
import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
// @boundaries-ignore the cluster that the tests of the demo also use
import { startUsedCluster } from "../tests/support/used-cluster.ts";

const folder = import.meta.dirname;
const bin = join(folder, "../node_modules/.bin");
const inPlace = `--import=${join(folder, "../tests/support/cluster-in-place.ts")}`;
type Runtime = readonly [name: string, ...command: string[]];
const runtimes: readonly [Runtime, ...Runtime[]] = [
  ["node", join(bin, "node")],
  // The configuration of the repository maps the packages to their sources.
  ["deno", join(bin, "deno"), "run", "-A", "--no-lock", "--no-config", "--node-modules-dir=manual"],
  ["bun", join(bin, "bun")],
];
const timeoutMs = 300_000;
/** Folders with examples, and the greatest number of lines of an example. */
const folders: ReadonlyMap<string, number> = new Map([
  ["", 50],
  ["build-your-own", 80],
  ["testing", 125],
  ["tutorial", 125],
]);
/** Examples that need the fake server itself: its objects, clock, faults or calls. */
const onlyFake: ReadonlySet<string> = new Set([
  "fake-faults",
  "fake-owners",
  "fake-rules",
  "fake-server",
  "fake-watch",
  "first-informer",
  "lost-update",
  "own-writes",
  "sharded-operator",
  "simulated-clock",
  "tutorial/02-goes-wrong",
  "tutorial/04-goes-wrong",
  "tutorial/04-owned",
  "tutorial/07-goes-wrong",
  "tutorial/07-retries",
  "two-clusters",
  "webhook",
]);

let passed = 0;
let failed = 0;

function check(what: string, problem: string | undefined): void {
  if (problem === undefined) {
    passed++;
  } else {
    failed++;
    console.error(`FAILED ${what}: ${problem}`);
  }
}

type Printed = { readonly stdout: string } | { readonly problem: string };

function run(
  file: string,
  command: readonly string[],
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<Printed> {
  const [program = "", ...before] = command;
  const { promise, resolve } = Promise.withResolvers<Printed>();
  const settings = {
    cwd: folder,
    timeout: timeoutMs,
    // The outputs are compared as plain text. Deno treats any FORCE_COLOR as true; undefined counts
    // as unset.
    env: { ...process.env, ...variables, NO_COLOR: "1", FORCE_COLOR: undefined },
  };
  execFile(program, [...before, file, ...args], settings, (error, stdout, stderr) => {
    if (error === null) {
      resolve({ stdout });
      return;
    }
    const end = error.signal ?? error.code;
    resolve({ problem: `ended with ${end ?? error.message}\n${stdout}${stderr}` });
  });
  return promise;
}

function difference(printed: Printed, expected: string): string | undefined {
  if ("problem" in printed) return printed.problem;
  const { stdout } = printed;
  return stdout === expected ? undefined : `expected\n${expected}got\n${stdout}`;
}

const { positionals: wanted, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    context: { type: "string" },
    server: { type: "string" },
    update: { type: "boolean", default: false },
  },
});
const { context, server } = options;
const selected = [
  ...(context === undefined ? [] : ["--context", context]),
  ...(server === undefined ? [] : ["--server", server]),
];
const examples = [...folders.keys()]
  .flatMap((name) => readdirSync(join(folder, name)).map((file) => join(name, file)))
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .toSorted();
const [, ...node] = runtimes[0];

/** Every example with its expected output; those without one count as failed. */
function* withOutputs(): Generator<readonly [file: string, expected: string]> {
  for (const file of examples) {
    const output = join(folder, outputOf(file));
    if (existsSync(output)) yield [file, readFileSync(output, "utf8")];
  }
}

function outputOf(file: string): string {
  return file.replace(/\.ts$/, ".out");
}

async function runAll(): Promise<void> {
  for (const file of examples) {
    const maxLines = folders.get(dirname(file).replace(/^\.$/, "")) ?? 0;
    const lines = textOf(file).trimEnd().split("\n").length;
    check(
      `${file}, length`,
      lines <= maxLines ? undefined : `expected at most ${maxLines} lines, got ${lines}`,
    );
    if (!existsSync(join(folder, outputOf(file)))) {
      check(file, "expected a file .out with its output, got none");
    }
  }
  for (const [file, expected] of withOutputs()) {
    for (const [runtime, ...command] of runtimes) {
      check(`${file} on ${runtime}`, difference(await run(file, command, []), expected));
    }
  }
}

function textOf(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

/** The examples whose server a cluster can replace. */
function* forCluster(): ReturnType<typeof withOutputs> {
  for (const [file, expected] of withOutputs()) {
    const hasServer = /"(?:listwatch\/fake-apiserver|\.\/operator\/cluster\.ts)"/.test(
      textOf(file),
    );
    if (hasServer && !onlyFake.has(file.replace(/\.ts$/, ""))) yield [file, expected];
  }
}

async function runOnSelectedCluster(): Promise<void> {
  for (const [file, expected] of forCluster()) {
    const printed = await run(file, [...node, inPlace], selected);
    check(`${file} on the cluster`, difference(printed, expected));
  }
}

/** On a cluster with objects of others, through a kubeconfig. */
async function runOnUsedCluster(): Promise<void> {
  await using cluster = await startUsedCluster();
  const before = await cluster.foreignObjects();
  const variables = { KUBECONFIG: cluster.kubeconfig };
  for (const [file, expected] of forCluster()) {
    const args = ["--context", cluster.context];
    const printed = await run(file, [...node, inPlace], args, variables);
    const left = await cluster.leftNamespaces();
    const problem = left.length === 0 ? undefined : `left behind the namespaces ${left.join(", ")}`;
    check(`${file} on a used cluster`, difference(printed, expected) ?? problem);
  }
  const [expected, got] = [before, await cluster.foreignObjects()].map((list) => list.join("\n"));
  check("objects of others", expected === got ? undefined : `expected\n${expected}\ngot\n${got}`);
}

async function update(): Promise<void> {
  for (const file of examples) {
    const printed = await run(file, node, []);
    if ("problem" in printed) check(file, printed.problem);
    else {
      writeFileSync(join(folder, outputOf(file)), printed.stdout);
      check(file, undefined);
    }
  }
}

if (options.update) {
  await update();
} else if (selected.length > 0) {
  await runOnSelectedCluster();
} else {
  await runAll();
  await runOnUsedCluster();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
