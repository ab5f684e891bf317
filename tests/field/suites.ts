// Runs the test suites of other projects against the fake API server: a step of
// `npm run test:field`. `suites/failing.json` lists the tests that fail, with reasons: another
// failure is an error, and so is a listed test that passes. A suite whose language is not installed
// is named and left out. The last line is `N passed, N failed`.
//
//   npm run test:field -- suites [SUITE [PART OF A NAME...]]
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { conformance } from "./suites/conformance.ts";
import { controllerRuntime } from "./suites/controller-runtime.ts";
import { kopf } from "./suites/kopf.ts";
import { kubeRs } from "./suites/kube-rs.ts";
import type { Suite } from "./suites/suite.ts";

const suites: readonly Suite[] = [conformance, controllerRuntime, kopf, kubeRs];
const file = join(import.meta.dirname, "suites/failing.json");
/** Reasons by suites and tests. */
const failing = JSON.parse(readFileSync(file, "utf8")) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

const [wanted, ...parts] = process.argv.slice(2);
if (wanted !== undefined && !suites.some(({ name }) => name === wanted)) {
  const names = suites.map(({ name }) => name).join(", ");
  throw new Error(`Expected a suite, one of ${names}; got ${wanted}`);
}
const missing: string[] = [];
let [passed, failed] = [0, 0];
for (const { isPossible, name: suite, run } of suites) {
  if (wanted !== undefined && suite !== wanted) continue;
  if (!isPossible()) {
    missing.push(suite);
    continue;
  }
  const known = failing[suite] ?? {};
  const counts = { passed: 0, known: 0, failed: 0 };
  for await (const { name, problem } of run(parts)) {
    const isKnown = name in known;
    if (problem === undefined && !isKnown) counts.passed++;
    else if (problem !== undefined && isKnown) counts.known++;
    else {
      counts.failed++;
      console.log(`FAIL ${suite}, ${name}: ${problem ?? "listed in failing.json, and passes"}`);
    }
  }
  console.log(`${suite}: ${counts.passed} pass, ${counts.known} fail as listed`);
  passed += counts.passed;
  failed += counts.failed;
}
if (missing.length > 0) console.log(`not on this machine: what runs ${missing.join(", ")}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
