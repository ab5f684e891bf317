// The whole check, as .ci/run calls it: every step, all of them even when one fails, then one line
// `N passed, N failed` with the tests that really ran. No step can hold the others up: one that
// takes too long is ended and counts as failed, and so is what a step leaves running behind it.
// Which step runs, and how each ended, goes to the error output as it happens, so that it is known
// even when this script is ended from outside. Plain JavaScript: it starts on Node 20 before
// anything is installed.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";

const results = "test-results/ci";
// The slowest step takes 9 minutes beside the others; this leaves room for a machine that is busy.
const stepLimitMs = 20 * 60_000;
// How long the output of a step may stay open after its end, held by something that it started.
const leftoverMs = 5_000;

// `counts` says where a step's tests are counted: in vitest's JSON report, or in the last line "N
// passed, N failed". Steps without it are checks: they count nothing when they pass and one failure
// when they fail. A step that counts nothing has failed, unless it may: it needs what few machines
// have, and says so.
const vitest = (name) => ({
  counts: "vitest",
  args: ["--reporter=default", "--reporter=json", `--outputFile.json=${results}/${name}.json`],
});
// They keep both cores busy: one after the other.
const alone = [
  { name: "test", ...vitest("test") },
  { name: "test:deno", ...vitest("test:deno") },
];
// Leaves more than a third of both cores unused, so that the build runs beside it: no test reads
// built packages.
const bun = [{ name: "test:bun", ...vitest("test:bun") }];
const afterBun = [
  { name: "test:node22", ...vitest("test:node22") },
  { name: "test:browser", ...vitest("test:browser") },
  { name: "test:heap", counts: "line" },
  // Only proves that the command works: figures of a busy machine are worth nothing.
  { name: "bench", args: ["core-fifo", "--only", "RealFIFO add+pop, bursts of 1,000"] },
];
// The packages, and the site that is driven below.
const build = [{ name: "docs" }];
// Each of two lanes keeps one core busy. The one that has built goes on with what reads the built
// packages: each of these steps builds first, which replaces the files.
const built = [
  { name: "check:packages" },
  { name: "typecheck" },
  { name: "snippets" },
  { name: "lint" },
  { name: "api" },
  { name: "knip" },
  { name: "size" },
  // With the oldest and the newest compiler; all of them, and all entries, in `npm run test:field`.
  { name: "test:types", counts: "line", args: ["programs/", "modules", "5.7", "7.0"] },
  { name: "test:smoke", counts: "line" },
  { name: "test:frameworks", counts: "line" },
  { name: "test:examples", counts: "line" },
  { name: "check:jsr" },
];
// Each lane takes the next of these when it is free; the longest come first, so that both end at
// about the same time.
const others = [
  { name: "test:site", counts: "line" },
  // Runs where kube-apiserver and etcd are, which `npm run test:field` builds, or says so.
  { name: "test:cluster", counts: "line", mayBeEmpty: true },
  // Each target for 12 s, from a seed that it prints.
  { name: "fuzz", counts: "line", args: ["--minutes", "0.2"] },
  // The tests replay the same through the fetch handler.
  { name: "fidelity", counts: "line", args: ["--transport", "socket"] },
  { name: "test:docs-comments", counts: "line" },
  { name: "conformance", counts: "line" },
  { name: "boundaries" },
  // What comes from the documents alone: Go and its modules may be missing.
  { name: "schemas:table" },
  { name: "resources", args: ["--check"] },
  { name: "requirements", args: ["--check"] },
  { name: "commits" },
];

// A third lane takes what the other two leave of both cores when Bun has ended: its longest step,
// the demo, waits for frames two thirds of its time.
const waiting = [
  { name: "test:demo", counts: "line" },
  { name: "test:cli", counts: "line" },
  { name: "test:kubectl", counts: "line" },
  // Those that take long to compile run in `npm run test:field`, which no check waits for.
  { name: "test:clients", counts: "line" },
];

// Ends the step and everything that it started: it leads a process group of its own.
function endGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
  // What left the group may still hold the other ends, and would keep us waiting.
  child.stdout.destroy();
  child.stderr.destroy();
}

// A step that runs beside another shows its output when it has ended, in one piece.
function run(name, args, isAlone) {
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", name, "--", ...args], {
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      // Nothing may ask a host for news. Undefined counts as unset. Deno colours its output when
      // FORCE_COLOR is there at all, whatever it says.
      env: {
        ...process.env,
        CI: "true",
        DO_NOT_TRACK: "1",
        ASTRO_TELEMETRY_DISABLED: "1",
        DENO_NO_UPDATE_CHECK: "1",
        FORCE_COLOR: undefined,
        NO_COLOR: "1",
      },
    });
    running.add(child);
    let output = "";
    let problem = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8");
      stream.on("data", (text) => {
        output += text;
        if (isAlone) process.stdout.write(text);
      });
    }
    let timer = setTimeout(() => {
      problem = `ended after ${stepLimitMs / 60_000} minutes`;
      endGroup(child);
    }, stepLimitMs);
    child.on("exit", () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        problem ||= "left processes running";
        endGroup(child);
      }, leftoverMs);
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      running.delete(child);
      if (!isAlone) process.stdout.write(output);
      resolve({ code: code ?? 1, output, problem });
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

// What a step says of its failures, to be read beside the table: the whole output is far above it.
function failuresOf(output) {
  const lines = output.split("\n");
  const starts = lines.flatMap((line, index) =>
    /^\s*(?:FAIL|not ok|×)\s/.test(line) ? [index] : [],
  );
  return starts.slice(0, 20).map((start) => lines.slice(start, start + 12).join("\n"));
}

const running = new Set();
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const child of running) endGroup(child);
    process.exit(1);
  });
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const total = { passed: 0, failed: 0 };
const table = [];
const failures = [];

// Two lanes may take from the same steps.
async function runAll(steps, isAlone) {
  for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
    await runStep(step, isAlone);
  }
}

async function runStep({ name, args = [], counts, mayBeEmpty = false }, isAlone) {
  console.error(`\n--- npm run ${name}`);
  const started = Date.now();
  const { code, output, problem: ended } = await run(name, args, isAlone);
  let count = { passed: 0, failed: 0 };
  let problem = ended;
  if (counts !== undefined) {
    try {
      count = counts === "vitest" ? countVitest(name) : countLine(output);
      if (count.passed + count.failed === 0 && !mayBeEmpty) problem ||= "no test ran";
    } catch (error) {
      problem ||= error.message;
    }
  }
  if (code !== 0 && count.failed === 0) problem ||= `exit code ${code}`;
  if (problem !== "") count.failed++;
  if (count.failed > 0) failures.push(`--- ${name}`, ...failuresOf(output));
  total.passed += count.passed;
  total.failed += count.failed;
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  const passed = `${String(count.passed).padStart(6)} passed`;
  const failed = `${String(count.failed).padStart(4)} failed`;
  const row = `${name.padEnd(20)} ${passed} ${failed} ${seconds.padStart(5)} s  ${problem}`;
  table.push(row);
  console.error(row);
}

await runAll(alone, true);
const onBun = runAll(bun, false);
const building = runAll(build, false);
await Promise.all([
  building.then(() => runAll(built, false)).then(() => runAll(others, false)),
  onBun.then(() => runAll(afterBun, false)).then(() => runAll(others, false)),
  Promise.all([onBun, building]).then(() => runAll(waiting, false)),
]);
if (failures.length > 0) console.log(`\n${failures.join("\n")}`);
console.log(`\n${table.join("\n")}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
