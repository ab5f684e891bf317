// Replays recorded exchanges of a real API server against the fake one: over a socket, and through its fetch handler.
//
//   npm run fidelity -- [--cases FILE] [--only TEXT] [--category NAME] [--transport socket|fetch] [--verbose]
//
// A case passes if it passes over every transport. Cases listed in packages/fake-apiserver/DIFFERENCES.md are expected to fail.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { listen } from "@listwatch/fake-apiserver/node";
import { readDifferences } from "./differences.ts";
import {
  fetchTransport,
  httpTransport,
  runCase,
  type CaseResult,
  type RecordedCase,
  type Transport,
} from "./replay.mjs";

// The cases wait for time outs of 1 to 5 s; each has API groups of its own, so they can wait together.
const concurrency = 16;
const shownDifferences = 8;

const { values: options } = parseArgs({
  options: {
    cases: { type: "string" },
    only: { type: "string", default: "" },
    category: { type: "string" },
    transport: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

function readCases(): readonly RecordedCase[] {
  const file = options.cases ?? new URL("cases.json", import.meta.url);
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: readonly RecordedCase[] };
  return cases.filter(
    ({ name, category }) =>
      name.includes(options.only) && (options.category ?? category) === category,
  );
}

/** Replays the cases on one fresh server; those that compact its history come alone, after the others. */
async function replay(
  server: FakeApiServer,
  transport: Transport,
  cases: readonly RecordedCase[],
): Promise<readonly CaseResult[]> {
  const hooks = { compact: () => server.control.compact({ watches: false }) };
  const compacts = ({ requires = [] }: RecordedCase): boolean => requires.includes("compact");
  const results: CaseResult[] = [];
  const queue = cases.filter((recorded) => !compacts(recorded));
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      results.push(await runCase(next, transport, { hooks }));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  for (const recorded of cases.filter(compacts)) {
    results.push(await runCase(recorded, transport, { hooks }));
  }
  return results;
}

async function replayOverSocket(cases: readonly RecordedCase[]): Promise<readonly CaseResult[]> {
  const server = new FakeApiServer();
  const listener = await listen(server);
  try {
    return await replay(server, httpTransport(listener.url), cases);
  } finally {
    await listener.close();
  }
}

function replayThroughFetch(cases: readonly RecordedCase[]): Promise<readonly CaseResult[]> {
  const server = new FakeApiServer();
  return replay(server, fetchTransport(server.fetch), cases);
}

function printFailure(result: CaseResult, transport: string, title: string): void {
  console.log(`FAIL ${result.name} (${title}), ${transport}`);
  for (const step of result.steps.filter(({ ok }) => !ok)) {
    console.log(`  step ${step.index} ${step.op} ${step.what}`);
    const shown = options.verbose ? step.diffs : step.diffs.slice(0, shownDifferences);
    for (const difference of shown) console.log(`    - ${difference}`);
    const hidden = step.diffs.length - shown.length;
    if (hidden > 0) console.log(`    … ${hidden} more`);
  }
}

const transports = { socket: replayOverSocket, fetch: replayThroughFetch };
const cases = readCases();
const differences = readDifferences(
  new URL("../../packages/fake-apiserver/DIFFERENCES.md", import.meta.url),
);
const failed = new Set<string>();
const skipped = new Set<string>();

for (const [name, run] of Object.entries(transports)) {
  if ((options.transport ?? name) !== name) continue;
  const results = new Map((await run(cases)).map((result) => [result.name, result]));
  let steps = 0;
  let passedSteps = 0;
  for (const { name: caseName, title } of cases) {
    const result = results.get(caseName);
    if (result === undefined) throw new Error(`Expected a result of ${caseName}`);
    steps += result.steps.length;
    passedSteps += result.steps.filter(({ ok }) => ok).length;
    if (result.skipped !== undefined) {
      skipped.add(caseName);
      console.log(`skip ${caseName}: ${result.skipped}`);
    } else if (!result.ok) {
      failed.add(caseName);
      if (!differences.has(caseName) || options.verbose) printFailure(result, name, title);
    }
  }
  console.log(`${name}: ${passedSteps} of ${steps} steps passed`);
}

const unexpected = [...failed].filter((name) => !differences.has(name));
const outdated = cases.filter(
  ({ name }) => differences.has(name) && !failed.has(name) && !skipped.has(name),
);
for (const { name } of outdated) {
  console.log(`${name} passes: remove it from packages/fake-apiserver/DIFFERENCES.md`);
}
for (const name of failed) {
  const reason = differences.get(name);
  if (reason !== undefined) console.log(`known ${name}: ${reason}`);
}
if (skipped.size > 0) console.log(`${skipped.size} skipped`);
console.log(`${cases.length - failed.size - skipped.size} passed, ${failed.size} failed`);
process.exitCode = unexpected.length > 0 || outdated.length > 0 ? 1 : 0;
