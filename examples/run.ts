/**
 * Runs every example on Node, Deno and Bun and compares what it prints with the file `.out` beside
 * it, which the site shows as well.
 *
 * ```
 * npm run test:examples -- [--update] [--server URL] [PART OF A NAME...]
 * ```
 *
 * `--update` writes the `.out` files with what Node prints; review the diff. `--server` is handed
 * to every example; those that need an API server use this one instead of the fake.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";

const folder = import.meta.dirname;
const bin = resolve(folder, "../node_modules/.bin");
const condition = "--conditions=@listwatch/source";
const runtimes: readonly (readonly [name: string, ...command: string[]])[] = [
  ["node", join(bin, "node"), condition],
  ["deno", join(bin, "deno"), "run", "-A", "--no-lock", condition],
  ["bun", join(bin, "bun"), condition],
];
const timeoutMs = 20_000;
/** Folders with examples, and how long one may be. */
const folders: ReadonlyMap<string, number> = new Map([
  ["", 50],
  ["build-your-own", 70],
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

function run(file: string, command: readonly string[]): Printed {
  const [program = "", ...args] = command;
  const { error, signal, status, stderr, stdout } = spawnSync(
    program,
    [...args, file, ...handedOn],
    {
      cwd: folder,
      encoding: "utf8",
      timeout: timeoutMs,
      // The outputs are compared as text. Deno takes any FORCE_COLOR for a yes; undefined counts as
      // unset.
      env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    },
  );
  if (error !== undefined) return { problem: error.message };
  if (status !== 0) return { problem: `ended with ${signal ?? status}\n${stdout}${stderr}` };
  return { stdout };
}

function difference(printed: Printed, expected: string): string | undefined {
  if ("problem" in printed) return printed.problem;
  const { stdout } = printed;
  return stdout === expected ? undefined : `expected\n${expected}got\n${stdout}`;
}

const { positionals: wanted, values: options } = parseArgs({
  allowPositionals: true,
  options: { update: { type: "boolean", default: false }, server: { type: "string" } },
});
const handedOn = options.server === undefined ? [] : ["--server", options.server];
const examples = [...folders.keys()]
  .filter((name) => existsSync(join(folder, name)))
  .flatMap((name) => readdirSync(join(folder, name)).map((file) => join(name, file)))
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .toSorted();

for (const file of examples) {
  const maxLines = folders.get(dirname(file).replace(/^\.$/, "")) ?? 0;
  const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n").length;
  check(
    `${file}, length`,
    lines <= maxLines ? undefined : `expected at most ${maxLines} lines, got ${lines}`,
  );
  const output = join(folder, file.replace(/\.ts$/, ".out"));
  if (options.update) {
    const printed = run(file, runtimes[0]?.slice(1) ?? []);
    if ("problem" in printed) check(file, printed.problem);
    else writeFileSync(output, printed.stdout);
    continue;
  }
  if (!existsSync(output)) {
    check(file, "expected a file .out with its output, got none");
    continue;
  }
  const expected = readFileSync(output, "utf8");
  for (const [runtime, ...command] of runtimes) {
    check(`${file} on ${runtime}`, difference(run(file, command), expected));
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
