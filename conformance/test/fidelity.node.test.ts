// Replays the recorded exchanges of real servers through the fetch handler, on every server
// runtime. `npm run fidelity` replays them over a socket.
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  differencesOf,
  formatSteps,
  formatTable,
  parseSteps,
  recordings,
} from "../fidelity/differences.ts";
import { readScenarios } from "../fidelity/recording.ts";
import { replayScenario } from "../fidelity/replay-scenarios.ts";
import { customResourceServer } from "../fidelity/scenario.ts";

for (const file of readdirSync(recordings).filter((name) => name.endsWith(".json"))) {
  const url = new URL(file, recordings);
  const differing = differencesOf(url);
  describe(`the fetch handler responds as recorded in ${file}`, { concurrent: true }, () => {
    for (const scenario of readScenarios(url)) {
      test(`${scenario.category}: ${scenario.title} (${scenario.name})`, async () => {
        const listed = parseSteps(differing[scenario.name] ?? "");
        const results = await replayScenario(scenario, "fetch");
        const problems = results
          .filter(({ index }) => !listed.has(index))
          .flatMap(({ index, what, diffs }) =>
            diffs.map((difference) => `step ${index} ${what}: ${difference}`),
          );
        expect(problems).toEqual([]);
        expect(results).toHaveLength(scenario.steps);
      });
    }
  });
}

describe("lists of differing steps", () => {
  test("are written as ranges and parsed again", () => {
    const steps = [0, 2, 3, 4, 9];
    expect(formatSteps(steps)).toBe("0, 2-4, 9");
    expect([...parseSteps("0, 2-4, 9")]).toEqual(steps);
    expect(formatSteps([])).toBe("");
    expect(parseSteps("").size).toBe(0);
  });

  test("are counted by file and category", () => {
    const scenario = {
      name: "a",
      category: "create",
      title: "",
      steps: 3,
      server: customResourceServer,
      replay: () => Promise.resolve([]),
    };
    const table = formatTable(new Map([["x.json", [scenario]]]), { "x.json": { a: "0, 2" } });
    expect(table.split("\n").at(-1)).toBe("| `x.json` | create   |     3 |      2 |");
  });

  test("fail every step of a scenario that cannot start", async () => {
    const results = await replayScenario(
      {
        name: "a",
        category: "create",
        title: "",
        steps: 2,
        server: customResourceServer,
        replay: () => Promise.reject(new Error("no such kind")),
      },
      "fetch",
    );
    expect(results.map(({ ok }) => ok)).toEqual([false, false]);
    expect(results[0]?.diffs).toEqual(["the scenario could not begin: no such kind"]);
  });
});
