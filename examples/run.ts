/**
 * Runs every example on Node, Deno and Bun and compares what it prints with the file `.out` beside
 * it.
 *
 * ```
 * npm run test:examples -- [PART OF A NAME...]
 * ```
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const folder = import.meta.dirname;
const bin = resolve(folder, "../node_modules/.bin");
const condition = "--conditions=@listwatch/source";
const runtimes: readonly (readonly [name: string, ...command: string[]])[] = [
  ["node", join(bin, "node"), condition],
  ["deno", join(bin, "deno"), "run", "-A", "--no-lock", condition],
  ["bun", join(bin, "bun"), condition],
];
const timeoutMs = 20_000;
const maxLines = 40;

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

function run(file: string, expected: string, command: readonly string[]): string | undefined {
  const [program = "", ...args] = command;
  const { error, signal, status, stderr, stdout } = spawnSync(program, [...args, file], {
    cwd: folder,
    encoding: "utf8",
    timeout: timeoutMs,
    // The outputs are compared as text. Deno takes any FORCE_COLOR for a yes; undefined counts as
    // unset.
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
  });
  if (error !== undefined) return error.message;
  if (status !== 0) return `ended with ${signal ?? status}\n${stdout}${stderr}`;
  return stdout === expected ? undefined : `expected\n${expected}got\n${stdout}${stderr}`;
}

const wanted = process.argv.slice(2);
const examples = readdirSync(folder)
  .filter((file) => /^\d\d-.*\.ts$/.test(file))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .toSorted();

for (const file of examples) {
  const lines = readFileSync(join(folder, file), "utf8").trimEnd().split("\n").length;
  check(
    `${file}, length`,
    lines < maxLines ? undefined : `expected fewer than ${maxLines} lines, got ${lines}`,
  );
  const output = join(folder, file.replace(/\.ts$/, ".out"));
  if (!existsSync(output)) {
    check(file, "expected a file .out with its output, got none");
    continue;
  }
  const expected = readFileSync(output, "utf8");
  for (const [runtime, ...command] of runtimes) {
    check(`${file} on ${runtime}`, run(file, expected, command));
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
