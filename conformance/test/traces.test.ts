import { expect, test } from "vitest";
import { differences } from "../differences.ts";
import { describe, replay } from "../framework/report.ts";
import { units } from "../units/index.ts";

test.each(Object.entries(units))(
  "every public recording of client-go's %s matches, or differs as listed",
  async (name, load) => {
    const { default: traces } = await import(`../traces/${name}.json`);
    const report = await replay((await load()).unit, traces, differences);
    // Compares the description, so that a failure shows the differences.
    const failures = [...report.failed, ...report.stale].length === 0 ? [] : describe(report);
    expect(failures).toEqual([]);
    expect(report.passed + report.different.length).toBe(traces.cases.length);
  },
  60_000,
);
