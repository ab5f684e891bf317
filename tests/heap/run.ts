// Checks that the heap stays flat in a long-lived program: relists, short-lived informers and
// handlers, a million events. `npm run check -- heap [--leak]`; with --leak a planted leak is a
// scenario, which must fail.
import { measureHeap, type HeapTrend } from "./heap.ts";
import { plantedLeak, scenarios, type Scenario } from "./scenarios.ts";

let passed = 0;
let failed = 0;

function count(name: string, isRight: boolean, trend: HeapTrend): void {
  if (isRight) passed++;
  else failed++;
  const bytes = `${trend.slope.toFixed(0)} ± ${trend.error.toFixed(0)} bytes a round`;
  console.log(`${isRight ? "ok  " : "FAIL"} ${name}: ${bytes}`);
  if (!isRight) console.log(`     after each round: ${trend.samples.join(", ")}`);
}

async function measure(scenario: Scenario): Promise<HeapTrend> {
  const { end, round } = await scenario.start();
  const trend = await measureHeap(round);
  await end();
  return trend;
}

const isLeakAScenario = process.argv.includes("--leak");
for (const scenario of isLeakAScenario ? [plantedLeak] : scenarios) {
  const trend = await measure(scenario);
  count(scenario.name, trend.isFlat, trend);
}
if (!isLeakAScenario) {
  const trend = await measure(plantedLeak);
  count(`${plantedLeak.name} is seen`, !trend.isFlat, trend);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
