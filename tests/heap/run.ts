// Checks that the heap stays flat in a long-lived program: relists, short-lived informers and
// handlers, a million events, a recorder. `npm run check -- heap [--leak] [--only TEXT]`; with
// --leak a planted leak is a scenario, which must fail.
import { parseArgs } from "node:util";
import { measureHeap, type HeapTrend } from "./heap.ts";
import { recording } from "./recording.ts";
import { plantedLeak, scenarios, type Scenario } from "./scenarios.ts";

let passed = 0;
let failed = 0;

function count(name: string, isRight: boolean, trend: HeapTrend): void {
  if (isRight) passed++;
  else failed++;
  const bytes = `${trend.slope.toFixed(0)} ± ${trend.error.toFixed(0)} bytes a round`;
  const total = ((trend.samples.at(-1) ?? 0) / 2 ** 20).toFixed(1);
  console.log(`${isRight ? "ok  " : "FAIL"} ${name}: ${bytes}, ${total} MiB in all`);
  if (!isRight) console.log(`     after each round: ${trend.samples.join(", ")}`);
}

async function measure(scenario: Scenario): Promise<HeapTrend> {
  const { end, round } = await scenario.start();
  const trend = await measureHeap(round);
  await end();
  return trend;
}

const { values } = parseArgs({
  options: { leak: { type: "boolean" }, only: { type: "string", default: "" } },
});
const isLeakAScenario = values.leak === true;
const all = isLeakAScenario ? [plantedLeak] : [...scenarios, recording];
const chosen = all.filter(({ name }) => name.includes(values.only));
if (chosen.length === 0)
  throw new Error(`expected a part of a scenario's name, got ${values.only}`);
for (const scenario of chosen) {
  const trend = await measure(scenario);
  count(scenario.name, trend.isFlat, trend);
}
if (!isLeakAScenario) {
  const trend = await measure(plantedLeak);
  count(`${plantedLeak.name} is seen`, !trend.isFlat, trend);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
