import { expect, test } from "vitest";
import { differences } from "../../../conformance/differences.ts";
import { describe, replay } from "../../../conformance/framework/report.ts";
import { unit } from "../../../conformance/units/reflector.ts";

test("every public recording of client-go's reflector goes as recorded (REF-1 to REF-43)", async () => {
  const { default: traces } = await import("../../../conformance/traces/reflector.json");
  const report = await replay(unit, traces, differences);
  // The text, so that a failure shows what went another way.
  expect(describe(report)).toEqual([`reflector: ${traces.cases.length} passed, 0 failed`]);
}, 60_000);
