// The whole check, as .ci/run calls it: every step in order, all of them even when one fails, then one line
// `N passed, N failed` with the tests that really ran. Plain JavaScript: it starts on Node 20 before anything is
// installed.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";

const results = "test-results/ci";

// `counts` says where a step's tests are counted: in vitest's JSON report, or in the last line "N passed, N failed".
// Steps without it are checks: they count nothing when they pass and one failure when they fail.
const vitest = (name) => ({
  counts: "vitest",
  args: ["--reporter=default", "--reporter=json", `--outputFile.json=${results}/${name}.json`],
});
const steps = [
  { name: "test", ...vitest("test") },
  { name: "typecheck" },
  { name: "lint" },
  { name: "boundaries" },
  { name: "api" },
  { name: "knip" },
  { name: "test:deno", ...vitest("test:deno") },
  { name: "test:bun", ...vitest("test:bun") },
  { name: "test:browser", ...vitest("test:browser") },
  { name: "test:docs-comments", counts: "line" },
  { name: "conformance", counts: "line" },
  { name: "fidelity", counts: "line" },
  { name: "test:examples", counts: "line" },
  { name: "test:demo", counts: "line" },
  { name: "test:kubectl", counts: "line" },
  { name: "test:smoke", counts: "line" },
  { name: "package-check" },
  { name: "jsr-check" },
  { name: "size" },
  { name: "docs" },
  { name: "test:site", counts: "line" },
  // Only proves that the command works: figures of a busy machine are worth nothing.
  { name: "bench", args: ["core-fifo", "--only", "RealFIFO add+pop, bursts of 1,000"] },
];

function run(name, args) {
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", name, "--", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      // Undefined counts as unset. Deno colours its output when FORCE_COLOR is there at all, whatever it says.
      env: { ...process.env, CI: "true", FORCE_COLOR: undefined, NO_COLOR: "1" },
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        output += text;
        process.stdout.write(text);
      });
    }
    child.on("close", (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}

function countVitest(name) {
  const report = JSON.parse(readFileSync(`${results}/${name}.json`, "utf8"));
  return { passed: report.numPassedTests, failed: report.numFailedTests };
}

function countLine(output) {
  // Ours, or `deno test`'s "ok | 12 passed | 0 failed".
  const lines = [...output.matchAll(/(\d+) passed(?: \([^)]*\))?(?:,| \|) (\d+) failed/g)];
  const last = lines.at(-1);
  if (last === undefined) throw new Error("the step printed no line with its counts");
  return { passed: Number(last[1]), failed: Number(last[2]) };
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const total = { passed: 0, failed: 0 };
const table = [];
for (const { name, args = [], counts } of steps) {
  console.log(`\n--- npm run ${name}`);
  const started = Date.now();
  const { code, output } = await run(name, args);
  let count = { passed: 0, failed: 0 };
  let problem = "";
  if (counts !== undefined) {
    try {
      count = counts === "vitest" ? countVitest(name) : countLine(output);
      if (count.passed + count.failed === 0) problem = "no test ran";
    } catch (error) {
      problem = error.message;
    }
  }
  if (code !== 0 && count.failed === 0) problem ||= `exit code ${code}`;
  if (problem !== "") count.failed++;
  total.passed += count.passed;
  total.failed += count.failed;
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  table.push(
    `${name.padEnd(20)} ${String(count.passed).padStart(6)} passed ${String(count.failed).padStart(4)} failed ${seconds.padStart(5)} s  ${problem}`,
  );
}
console.log(`\n${table.join("\n")}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
