// Replays recorded exchanges of a real API server against the fake one: over a socket, and through
// its fetch handler.
//
//   npm run fidelity -- [--cases FILE] [--only TEXT] [--category NAME]
//     [--transport socket|fetch] [--verbose]
//
// A case passes if it passes over every transport. Cases listed in
// packages/fake-apiserver/DIFFERENCES.md are expected not to: they are named with their reason and
// counted apart.
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

// The cases wait for time outs of 1 to 5 s. They wait together, but on servers of their own: a
// version that one case writes would show in the continue tokens of another.
const servers = 12;
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

/** Something on the command line cannot be used: one line, no stack. */
function refuse(message: string): never {
  console.error(message);
  process.exit(1);
}

function readCases(): readonly RecordedCase[] {
  const { cases } = parseCases(options.cases ?? new URL("cases.json", import.meta.url));
  const selected = cases.filter(
    ({ name, category }) =>
      name.includes(options.only) && (options.category ?? category) === category,
  );
  if (selected.length === 0) refuse(`None of the ${cases.length} cases is selected`);
  return selected;
}

function parseCases(file: string | URL): { readonly cases: readonly RecordedCase[] } {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as { cases: readonly RecordedCase[] };
  } catch (error) {
    return refuse(`--cases: couldn't read the cases: ${String(error)}`);
  }
}

/** A fresh server, how to reach it, and how to end it. */
interface Target {
  readonly server: FakeApiServer;
  readonly transport: Transport;
  close(): Promise<void>;
}

async function overSocket(): Promise<Target> {
  const server = new FakeApiServer();
  const listener = await listen(server);
  return { server, transport: httpTransport(listener.url), close: () => listener.close() };
}

function throughFetch(): Promise<Target> {
  const server = new FakeApiServer();
  return Promise.resolve({
    server,
    transport: fetchTransport(server.fetch),
    close: () => Promise.resolve(),
  });
}

/** Takes cases from the queue until it is empty, one after the other, all on one server. */
async function work(
  queue: RecordedCase[],
  open: () => Promise<Target>,
  results: Map<string, CaseResult>,
): Promise<void> {
  const target = await open();
  const hooks = { compact: () => target.server.control.compact({ watches: false }) };
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    results.set(next.name, await runCase(next, target.transport, { hooks }));
  }
  await target.close();
}

async function replay(
  cases: readonly RecordedCase[],
  open: () => Promise<Target>,
): Promise<ReadonlyMap<string, CaseResult>> {
  const queue = [...cases];
  const results = new Map<string, CaseResult>();
  await Promise.all(Array.from({ length: servers }, () => work(queue, open, results)));
  return results;
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

const transports = { socket: overSocket, fetch: throughFetch };
if (options.transport !== undefined && !Object.hasOwn(transports, options.transport)) {
  const known = Object.keys(transports).join(" or ");
  refuse(`--transport: expected ${known}, got "${options.transport}"`);
}
const cases = readCases();
const differences = readDifferences(
  new URL("../../packages/fake-apiserver/DIFFERENCES.md", import.meta.url),
);
const failed = new Set<string>();
const skipped = new Set<string>();

for (const [name, open] of Object.entries(transports)) {
  if ((options.transport ?? name) !== name) continue;
  const results = await replay(cases, open);
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
  if (reason !== undefined) console.log(`differs as listed ${name}: ${reason}`);
}
const asListed = failed.size - unexpected.length;
if (asListed > 0) console.log(`${asListed} differ as listed: neither passed nor failed`);
if (skipped.size > 0) console.log(`${skipped.size} skipped`);
// A listed case that passes makes the list wrong, which is a failure, too.
const passed = cases.length - failed.size - skipped.size - outdated.length;
const problems = unexpected.length + outdated.length;
console.log(`${passed} passed, ${problems} failed`);
process.exitCode = problems > 0 ? 1 : 0;
