// The recorded exchanges of a real server, replayed through the fetch handler on every server
// runtime. With a socket: npm run fidelity.
import { FakeApiServer } from "@listwatch/fake-apiserver";
import { describe, expect, test } from "vitest";
import cases from "../fidelity/cases.json" with { type: "json" };
import { readDifferences } from "../fidelity/differences.ts";
import { fetchTransport, runCase, type RecordedCase } from "../fidelity/replay.mjs";

const differences = readDifferences(
  new URL("../../packages/fake-apiserver/DIFFERENCES.md", import.meta.url),
);
const recorded: readonly RecordedCase[] = cases.cases;

describe("the fetch handler answers as the real server did", { concurrent: true }, () => {
  for (const scenario of recorded.filter(({ name }) => !differences.has(name))) {
    test(
      `${scenario.category}: ${scenario.title} (${scenario.name})`,
      { timeout: 60_000 },
      async () => {
        const server = new FakeApiServer();
        const hooks = { compact: () => server.control.compact({ watches: false }) };
        const result = await runCase(scenario, fetchTransport(server.fetch), {
          hooks,
          cleanup: false,
        });
        const problems = result.steps.flatMap(({ index, what, diffs }) =>
          diffs.map((difference) => `step ${index} ${what}: ${difference}`),
        );
        expect(problems).toEqual([]);
        expect(result).toMatchObject({ ok: true, name: scenario.name });
      },
    );
  }
});
