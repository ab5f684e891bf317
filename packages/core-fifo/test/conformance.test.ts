import { describe as group, expect, test } from "vitest";
// @boundaries-ignore the replayer of the whole repository, not of this package
import { differences } from "../../../conformance/differences.ts";
// @boundaries-ignore the replayer of the whole repository, not of this package
import { describe, replay } from "../../../conformance/framework/report.ts";
// @boundaries-ignore the replayer of the whole repository, not of this package
import { units } from "../../../conformance/units/index.ts";

group("recorded behaviour of client-go", () => {
  test.each(["delta-fifo", "fifo", "heap", "keys", "real-fifo", "resource-version"])(
    "%s: every public case goes as recorded",
    async (name) => {
      const load = units[name];
      if (load === undefined) throw new TypeError(`Couldn't find the unit ${name}`);
      const { default: traces } = await import(`../../../conformance/traces/${name}.json`);
      const report = await replay((await load()).unit, traces, differences);
      // The text, so that a failure shows what went another way.
      expect(describe(report)).toEqual([`${name}: ${traces.cases.length} passed, 0 failed`]);
    },
    60_000,
  );
});
