// Runs a command of `commands.mjs` for package.json: installs what it needs, runs the commands that
// it depends on, and then the command.
//
//   node scripts/run.mjs NAME [ARG...]
//   node scripts/run.mjs gen GENERATOR [--check]    writes generated files
//   node scripts/run.mjs check [STEP [ARG...]]      the whole check, or a step with its usual
//   node scripts/run.mjs field [STEP [ARG...]]      arguments unless there are others
import { spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { commandLine, commands, generators, usePackages } from "./commands.mjs";
import { lists } from "./steps.mjs";

const [first, ...rest] = process.argv.slice(2);
const { command, args } = chosen();
const { size = "all", after = [], run } = command;
usePackages();
const installer = fileURLToPath(new URL("ensure-installed.mjs", import.meta.url));
const { status } = spawnSync(process.execPath, [installer, size], { stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);
for (const before of after) await runToEnd(commandLine(commands[before].run));
await runToEnd(commandLine(run, args));

function chosen() {
  const [name, ...others] = rest;
  if (first === "gen")
    return { command: { size: "tests", run: among(generators, name) }, args: others };
  if (name === undefined || !Object.hasOwn(lists, first)) {
    return { command: among(commands, first), args: rest };
  }
  const usual = lists[first].find((step) => step.name === name)?.args;
  return { command: among(commands, name), args: others.length > 0 ? others : usual };
}

function among(table, name = "") {
  if (!Object.hasOwn(table, name)) {
    const known = Object.keys(table).toSorted().join(", ");
    console.error(`Expected one of ${known}, got ${JSON.stringify(name)}`);
    process.exit(2);
  }
  return table[name];
}

/** Runs a command line; ends this process unless it succeeds. */
function runToEnd(line) {
  return new Promise((resolve) => {
    const child = spawn(line, { shell: true, stdio: "inherit" });
    const forward = (signal) => {
      // A terminal sends Ctrl-C to the child as well.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    const signals = ["SIGHUP", "SIGINT", "SIGTERM"];
    for (const signal of signals) process.on(signal, forward);
    child.on("close", (code, signal) => {
      for (const each of signals) process.off(each, forward);
      if (code === 0) resolve();
      else process.exit(code ?? 128 + constants.signals[signal]);
    });
  });
}
