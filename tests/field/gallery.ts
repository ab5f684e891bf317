// Looks for each bug of the gallery in 200 seeds, and lets its repair survive 2,000:
//
//   npm run check -- gallery --repaired 2000
//
// The last line is `N passed, N failed`.
import { parseArgs } from "node:util";
import { simulate, SimulationError } from "@listwatch/testing";
import { gallery, mostSteps } from "../../packages/testing/test/gallery/bugs.ts";
import { reported } from "../../packages/testing/test/gallery/reported.ts";
import type { Bug } from "../../packages/testing/test/gallery/tools.ts";

const { values } = parseArgs({ options: { repaired: { type: "string", default: "2000" } } });
const counts = { passed: 0, failed: 0 };

function note(isPassed: boolean, text: string): void {
  counts[isPassed ? "passed" : "failed"] += 1;
  console.log(`${isPassed ? "ok  " : "FAIL"} ${text}`);
}

async function find({ broken, invariant, name, times }: Bug): Promise<void> {
  const error: unknown = await simulate(broken, { ...times, seeds: 200 }).catch(
    (reason: unknown) => reason,
  );
  if (!(error instanceof SimulationError)) return note(false, `${name}: nothing in 200 seeds`);
  const { actions, faults = [], seed, upsets } = error.story;
  const steps = actions.length + faults.length + upsets.length;
  const isRight = error.invariant === invariant && steps <= mostSteps;
  note(isRight, `${name}: ${error.invariant}, seed ${seed}, ${steps} steps`);
}

async function survive({ name, repaired, times }: Bug, seeds: number): Promise<void> {
  try {
    await simulate(repaired, { ...times, seeds });
    note(true, `repaired: ${name}, ${seeds} seeds`);
  } catch (error) {
    note(false, `repaired: ${name}: ${String(error)}`);
  }
}

for (const bug of [...gallery, ...reported]) {
  await find(bug);
  await survive(bug, Number(values.repaired));
}
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed === 0 ? 0 : 1;
