import { expect, test } from "vitest";
// @boundaries-ignore the replayer of the whole repository, not of this package
import { differences } from "../../../conformance/differences.ts";
// @boundaries-ignore the replayer of the whole repository, not of this package
import { describe, replay } from "../../../conformance/framework/report.ts";
// @boundaries-ignore the replayer of the whole repository, not of this package
import { units } from "../../../conformance/units/index.ts";

test.each(Object.entries(units))(
  "every public recording of client-go's %s goes as recorded, or differs as listed",
  async (name, load) => {
    const { default: traces } = await import(`../../../conformance/traces/${name}.json`);
    const report = await replay((await load()).unit, traces, differences);
    // The text, so that a failure shows what went another way.
    const failures = [...report.failed, ...report.stale].length === 0 ? [] : describe(report);
    expect(failures).toEqual([]);
    expect(report.passed + report.different.length).toBe(traces.cases.length);
  },
  60_000,
);
