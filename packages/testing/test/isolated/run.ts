// Simulates the program of this folder with and without isolation, and prints what breaks.
import { argv } from "node:process";
import { replay, simulate, SimulationError, type Scenario } from "../../src/index.ts";

const maps = { group: "", version: "v1", resource: "configmaps", kind: "ConfigMap" };
const scenario: Scenario = {
  name: "a mark",
  start: new URL("./program.ts", import.meta.url),
  never: { "two marks": (state) => state.list(maps).length > 1 },
};
const [, , folder = ""] = argv;
for (const isolate of [false, true]) {
  const times = { chaosMs: 60_000, convergeMs: 60_000, quietMs: 30_000 };
  const outcome: unknown = await simulate(scenario, { seeds: 5, isolate, folder, ...times }).catch(
    (error: unknown) => error,
  );
  if (outcome instanceof SimulationError) {
    const path = `${folder}/a-mark-never-two-marks-${outcome.story.seed}.json`;
    const again: unknown = await replay(scenario, path).catch((error: unknown) => error);
    const isSame = again instanceof SimulationError && again.timeline === outcome.timeline;
    console.log(`${isolate}: ${outcome.invariant}, again: ${isSame}`);
  } else console.log(`${isolate}: ${JSON.stringify(Reflect.get(Object(outcome), "runs"))}`);
}
