// Compares runs of the same seed in processes and on runtimes of different kinds:
//
//   npm run check -- digests
//
// The digest of 200 runs of one program with the committed one, on Node, Deno, Bun and Chromium;
// and each run of the repaired gallery with those of a second process of Node, of Deno and of Bun.
// The last line is `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const run = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const file = "packages/testing/test/digest.test.ts";
const traces = fileURLToPath(new URL("digests/traces.ts", import.meta.url));
const seeds = 20;
const counts = { passed: 0, failed: 0 };

function note(isPassed: boolean, text: string): void {
  counts[isPassed ? "passed" : "failed"] += 1;
  console.log(`${isPassed ? "ok  " : "FAIL"} ${text}`);
}

for (const command of ["test", "deno", "bun", "browser"]) {
  const { status } = spawnSync(process.execPath, [run, command, file], {
    stdio: "inherit",
    env: { ...process.env, VITE_DIGEST_SEEDS: "200" },
  });
  note(status === 0, `200 seeds: ${command}`);
}

/** Digests of the gallery's runs in a new process. */
function digestsOf(command: string, ...options: readonly string[]): readonly string[] {
  const conditions = "--conditions=@listwatch/source";
  const args = [...options, conditions, traces, String(seeds)];
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8", stdio: [...stdio] });
  return status === 0 ? stdout.trim().split("\n") : [];
}

const first = digestsOf(process.execPath);
const others = {
  "a second process of Node": () => digestsOf(process.execPath),
  Deno: () => digestsOf("deno", "run", "-A", "--no-lock"),
  Bun: () => digestsOf("bun"),
};
note(first.length > 0, `${first.length} runs of the repaired gallery on Node`);
for (const [name, read] of Object.entries(others)) {
  const digests = read();
  const differing = first.filter((line, index) => line !== digests[index]);
  const isEqual = differing.length === 0 && digests.length === first.length;
  const [, text = ""] = /^\S+ (.*)/.exec(differing[0] ?? "") ?? [];
  note(isEqual, isEqual ? `the same runs: ${name}` : `${name} runs another way, first ${text}`);
}

console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
