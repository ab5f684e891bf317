import { beforeAll, describe, expect, test } from "vitest";
import { faults, type FaultRow } from "../support/fault-cells.ts";
import { runCell } from "../support/fault-run.ts";
import { cellName, describeOutcome, faultTable } from "../support/fault-table.ts";
import { verbs, type Verb } from "../support/fault-verbs.ts";

const cells = new Map<string, string>();
/** Events stored by each verb when no fault strikes. */
const effects = new Map<string, number>();

beforeAll(async () => {
  for (const verb of verbs) effects.set(verb.name, (await runCell({}, verb)).effects);
});

test.each(verbs)("$name succeeds without a fault (CLI-15)", async (verb) => {
  const outcome = await runCell({}, verb);
  expect(outcome.leaks).toEqual([]);
  expect(describeOutcome(outcome, verb)).toBe("ok");
  expect(outcome.effects > 0).toBe(verb.stores);
});

describe.each(verbs)("$name", (verb) => {
  test.each(faults)(
    "$name: ends as documented, writes nothing twice, leaks nothing (CLI-15)",
    async (fault) => {
      const outcome = await runCell(fault, verb);
      const cell = describeOutcome(outcome, verb);
      cells.set(cellName(fault.name, verb.name), cell);
      expect(cell).toBe(expectedCell(fault, verb));
      expect(outcome.struck).toBe(true);
      expect(outcome.leaks).toEqual([]);
      // A write that succeeds, or fails after it was stored, is stored once.
      const made = effects.get(verb.name) ?? 0;
      const isMade = outcome.end === "whole" || (verb.stores && cell.endsWith(", written"));
      expect(outcome.effects).toBe(isMade ? made : 0);
      if (outcome.end !== "failed" || outcome.isReason) return;
      expect(outcome.error).toMatchObject({
        code: expect.stringMatching(/^LW_(STATUS|NETWORK|DECODE)$/) as unknown,
        message: expect.stringMatching(fault.message ?? /^$/) as unknown,
      });
    },
  );
});

function expectedCell({ expected }: FaultRow, { kind, stores }: Verb): string {
  const text = expected[kind] ?? expected.others ?? "nothing is expected";
  return stores ? text : text.replace(/, (not )?written$/, "");
}

test("the table in FAULT-MATRIX.md matches these results (CLI-15)", async () => {
  await expect(faultTable(cells)).toMatchFileSnapshot("../../FAULT-MATRIX.md");
});
