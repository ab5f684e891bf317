// Replays recordings of real API servers against the fake one, over a socket and through its fetch
// handler.
//
//   npm run fidelity -- [--cases FILE] [--only TEXT] [--category NAME]
//     [--transport socket|fetch] [--verbose] [--update]
//
// Without --cases it replays all files in recordings/. A step must pass over every transport. Known
// differing steps are in differences.json, and counted in packages/fake-apiserver/DIFFERENCES.md:
// `--update` writes both. An unlisted step that differs is a failure, and so is a listed one that
// passes.
import { readdirSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import {
  type Differences,
  differencesOf,
  type DifferingSteps,
  formatDifferences,
  formatSteps,
  parseSteps,
  readDifferences,
  recordings,
} from "./differences.ts";
import { isDocumentRight, updateDocument } from "./document.ts";
import { readScenarios } from "./recording.ts";
import type { StepResult } from "./replay.mjs";
import { replayScenarios, type TransportName, transports } from "./replay-scenarios.ts";
import type { Scenario } from "./scenario.ts";

const shownDifferences = 8;

const { values: options } = parseArgs({
  options: {
    cases: { type: "string" },
    only: { type: "string", default: "" },
    category: { type: "string" },
    transport: { type: "string" },
    verbose: { type: "boolean", default: false },
    update: { type: "boolean", default: false },
  },
});

/** Reports an error of the command line in one line, without a stack. */
function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

function readFile(file: string | URL): readonly Scenario[] {
  try {
    return readScenarios(file);
  } catch (error) {
    return refuse(`--cases: couldn't read the cases: ${String(error)}`);
  }
}

function select(scenarios: readonly Scenario[]): readonly Scenario[] {
  return scenarios.filter(
    ({ name, category }) =>
      name.includes(options.only) && (options.category ?? category) === category,
  );
}

function usedTransports(): readonly TransportName[] {
  const names = Object.keys(transports) as TransportName[];
  if (options.transport === undefined) return names;
  const chosen = names.filter((name) => name === options.transport);
  if (chosen.length > 0) return chosen;
  return refuse(`--transport: expected ${names.join(" or ")}, got "${options.transport}"`);
}

interface Outcome {
  passed: number;
  failed: number;
  /** Number of scenarios whose steps differ exactly as listed. */
  listed: number;
  readonly differing: DifferingSteps;
}

async function replayFile(
  scenarios: readonly Scenario[],
  listed: DifferingSteps,
): Promise<Outcome> {
  const runs = new Map<TransportName, ReadonlyMap<string, readonly StepResult[]>>();
  for (const name of usedTransports()) {
    const results = await replayScenarios(scenarios, name);
    runs.set(name, results);
    printSteps(name, scenarios, results);
  }
  const differing: Record<string, string> = {};
  const outcome = { passed: 0, failed: 0, listed: 0, differing };
  for (const scenario of scenarios) {
    const failed = formatSteps(failedSteps(scenario, runs));
    if (failed !== "") differing[scenario.name] = failed;
    const expected = listed[scenario.name] ?? "";
    const isExpected = options.update || failed === expected;
    if (failed === "" && isExpected) outcome.passed++;
    else if (isExpected) outcome.listed++;
    else outcome.failed++;
    if (failed !== expected || options.verbose) printScenario(scenario, runs, parseSteps(expected));
  }
  return outcome;
}

function failedSteps(
  { name, steps }: Scenario,
  runs: ReadonlyMap<TransportName, ReadonlyMap<string, readonly StepResult[]>>,
): readonly number[] {
  const failed: number[] = [];
  for (let index = 0; index < steps; index++) {
    for (const results of runs.values()) {
      if (results.get(name)?.[index]?.ok === true) continue;
      failed.push(index);
      break;
    }
  }
  return failed;
}

function printSteps(
  transport: TransportName,
  scenarios: readonly Scenario[],
  results: ReadonlyMap<string, readonly StepResult[]>,
): void {
  const counts = new Map<string, [number, number]>();
  for (const { category, name } of scenarios) {
    const count = counts.get(category) ?? [0, 0];
    for (const { ok } of results.get(name) ?? []) {
      count[1]++;
      if (ok) count[0]++;
    }
    counts.set(category, count);
  }
  const sums = [...counts.values()];
  const passed = sums.reduce((sum, [ok]) => sum + ok, 0);
  const total = sums.reduce((sum, [, steps]) => sum + steps, 0);
  for (const [category, [ok, steps]] of counts) console.log(`  ${category}: ${ok} of ${steps}`);
  console.log(`${transport}: ${passed} of ${total} steps passed`);
}

/** Prints the steps of a scenario that deviate from the list. */
function printScenario(
  { name, title }: Scenario,
  runs: ReadonlyMap<TransportName, ReadonlyMap<string, readonly StepResult[]>>,
  expected: ReadonlySet<number>,
): void {
  for (const [transport, results] of runs) {
    const steps = results.get(name) ?? [];
    for (const { diffs, index, ok, op, what } of steps) {
      if (ok && expected.has(index)) {
        console.log(`FIXED ${name} step ${index} passes over ${transport}: run with --update`);
      }
      if (ok || (expected.has(index) && !options.verbose)) continue;
      console.log(`FAIL ${name} (${title}), ${transport}, step ${index} ${op} ${what}`);
      const shown = options.verbose ? diffs : diffs.slice(0, shownDifferences);
      for (const difference of shown) console.log(`    - ${difference}`);
      const hidden = diffs.length - shown.length;
      if (hidden > 0) console.log(`    … ${hidden} more`);
    }
  }
}

const isUnfiltered = options.only === "" && options.category === undefined;
const isWhole = isUnfiltered && options.transport === undefined;
if (options.update && !isWhole) refuse("--update: needs all scenarios over all transports");
const names = readdirSync(recordings).filter((name) => name.endsWith(".json"));
const files: readonly (string | URL)[] =
  options.cases === undefined ? names.map((name) => new URL(name, recordings)) : [options.cases];
const found: Record<string, DifferingSteps> = { ...readDifferences() };
const total = { passed: 0, failed: 0, listed: 0 };
for (const file of files) {
  const scenarios = readFile(file);
  const selected = select(scenarios);
  if (selected.length === 0) {
    if (options.cases === undefined) continue;
    refuse(`None of the ${scenarios.length} cases is selected`);
  }
  const name = basename(file instanceof URL ? file.pathname : file);
  console.log(`${name}:`);
  const { differing, ...outcome } = await replayFile(selected, differencesOf(file));
  found[name] = differing;
  total.passed += outcome.passed;
  total.failed += outcome.failed;
  total.listed += outcome.listed;
}
checkLists(found);
if (total.listed > 0) console.log(`${total.listed} differ as listed: neither passed nor failed`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

function checkLists(differences: Differences): void {
  const kept = new Map(names.map((name) => [name, readFile(new URL(name, recordings))]));
  const own = Object.fromEntries(Object.entries(differences).filter(([name]) => kept.has(name)));
  if (options.update) {
    writeFileSync(new URL("differences.json", import.meta.url), formatDifferences(own));
    updateDocument(kept, own);
    return;
  }
  const isChecked = isUnfiltered && options.cases === undefined;
  if (isChecked && !isDocumentRight(kept, readDifferences())) {
    console.log("The table in DIFFERENCES.md is not that of differences.json: run with --update");
    total.failed++;
  }
}
