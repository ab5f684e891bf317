// Compares the digest of 200 simulated runs with the committed one, on each runtime:
//
//   npm run check -- digests
//
// The last line is `N passed, N failed`.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const run = fileURLToPath(new URL("../../scripts/run.mjs", import.meta.url));
const file = "packages/testing/test/digest.test.ts";
const counts = { passed: 0, failed: 0 };

for (const command of ["test", "deno", "bun", "browser"]) {
  const { status } = spawnSync(process.execPath, [run, command, file], {
    stdio: "inherit",
    env: { ...process.env, VITE_DIGEST_SEEDS: "200" },
  });
  counts[status === 0 ? "passed" : "failed"] += 1;
  console.log(`${status === 0 ? "ok  " : "FAIL"} 200 seeds: ${command}`);
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
