// Runs a list of `steps.mjs`: every step, all of them even when one fails, then one line
// `N passed, N failed` with the tests that really ran.
//
//   node scripts/check.mjs check|quick|field
//
// No step can hold the others up: one that takes too long is ended and counts as failed, and so is
// one that leaves processes running. Progress goes to the error output, so that it is known even
// when the check is ended from outside. No task runner is in its place: turbo and wireit start only
// scripts of a package.json, which would be forty more, count no tests and know no time limit.
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { commandLine, commands, usePackages } from "./commands.mjs";
import { lists, stepLimitMs } from "./steps.mjs";

usePackages();

const results = "test-results/ci";
// How long the output of a step may stay open after its end, held by a process that it started.
const leftoverMs = 5_000;
const cores = availableParallelism();

// No tool may ask a host for news. Undefined counts as unset: Deno colours its output when
// FORCE_COLOR is there at all, whatever it says.
const env = {
  ...process.env,
  CI: "true",
  DO_NOT_TRACK: "1",
  ASTRO_TELEMETRY_DISABLED: "1",
  DENO_NO_UPDATE_CHECK: "1",
  FORCE_COLOR: undefined,
  NO_COLOR: "1",
  // Most steps start Node many times, with the same modules.
  NODE_COMPILE_CACHE: fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url)),
};

// Ends the step and everything that it started: the step leads its own process group.
function endGroup(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error;
  }
  // A process that left the group may still hold the other ends, and would keep us waiting.
  for (const stream of child.stdio) stream?.destroy();
}

// Runs a command line. Its output is shown when it has ended, in one piece.
function run(line, limitMs) {
  return new Promise((resolve) => {
    // The shell prints the processor time of what it has waited for.
    const child = spawn(`(${line}) 3>&-; code=$?; times >&3; exit $code`, {
      shell: true,
      detached: true,
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      env,
    });
    running.add(child);
    let output = "";
    let times = "";
    let problem = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (output += text));
    }
    child.stdio[3].setEncoding("utf8").on("data", (text) => (times += text));
    let timer = setTimeout(() => {
      problem = `ended after ${limitMs / 60_000} minutes`;
      endGroup(child);
    }, limitMs);
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
      process.stdout.write(output);
      resolve({ code: code ?? 1, output, problem, cpuSeconds: secondsIn(times) });
    });
  });
}

// The second line has the user and system time of children, such as "1m2.34s 0m5.60s".
function secondsIn(times) {
  const [, children = ""] = times.split("\n");
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
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

// The failures of a step, to be read beside the table: the whole output is far above it.
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

const total = { passed: 0, failed: 0 };
const table = [];
const failures = [];

// A step that counts nothing has failed, unless it may.
async function runStep({ name, args = [], mayBeEmpty = false }, limitMs) {
  const { counts, run: programs } = commands[name];
  const reporters = ["--reporter=default", "--reporter=json"];
  const report = [...reporters, `--outputFile.json=${results}/${name}.json`];
  const line = commandLine(programs, counts === "vitest" ? [...args, ...report] : args);
  console.error(`--- ${name}`);
  const started = Date.now();
  const { code, output, problem: ended, cpuSeconds } = await run(line, limitMs);
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
  addRow({ name, ...count, seconds: (Date.now() - started) / 1000, cpuSeconds, problem });
}

function addRow({ name, passed, failed, seconds, cpuSeconds, problem }) {
  const columns = [
    name.padEnd(14),
    `${String(passed).padStart(6)} passed`,
    `${String(failed).padStart(4)} failed`,
    `${seconds.toFixed(0).padStart(5)} s`,
    `${cpuSeconds.toFixed(0).padStart(5)} s of a core`,
    problem,
  ];
  table.push(columns.join(" ").trimEnd());
  console.error(table.at(-1));
}

// Starts each step when those that it follows have ended and its share of the cores is free; the
// first of the list that can start takes precedence.
async function runAll(steps, limitMs) {
  const waiting = [...steps];
  const unfinished = new Set(steps.map(({ name }) => name));
  const started = new Map();
  let free = cores;
  while (unfinished.size > 0) {
    const next = waiting.findIndex(({ name, share = 1 }) => {
      const { after = [] } = commands[name];
      return Math.min(share, cores) <= free && !after.some((each) => unfinished.has(each));
    });
    if (next === -1) {
      const name = await Promise.race(started.values());
      started.delete(name);
      unfinished.delete(name);
      const { share = 1 } = steps.find((step) => step.name === name);
      free += Math.min(share, cores);
      continue;
    }
    const [step] = waiting.splice(next, 1);
    free -= Math.min(step.share ?? 1, cores);
    started.set(
      step.name,
      runStep(step, limitMs).then(() => step.name),
    );
  }
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const list = process.argv[2] ?? "check";
await runAll(lists[list], stepLimitMs[list]);
if (failures.length > 0) console.log(`\n${failures.join("\n")}`);
console.log(`\n${table.join("\n")}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
