import { describe, expect, test } from "vitest";
import { faults } from "../support/fault-catalogue.ts";
import { positions } from "../support/fault-positions.ts";
import { complaints, runCell, type Outcome } from "../support/fault-run.ts";
import { cellName, faultTable } from "../support/fault-table.ts";
import { sourceForm } from "../support/cluster.ts";

const outcomes = new Map<string, Outcome>();

describe.each(positions)("a fault at the position $name", (position) => {
  const cells = faults.filter(({ only }) => only?.(position) ?? true);
  test.each(cells)(
    "$name: recovers, loses nothing, causes no request storm, leaks nothing",
    async (fault) => {
      const outcome = await runCell(fault, position, ({ api, clock }) => ({
        server: "http://fake",
        fetch: api.fetch,
        advance: (ms) => clock.advance(ms),
      }));
      expect(complaints(outcome, fault)).toEqual([]);
      outcomes.set(cellName(position.name, fault.name), outcome);
    },
  );
});

// The table contains results for invalid JSON, and durations that depend on JSON's size.
test.skipIf(sourceForm.encoding === "protobuf")(
  "the table in FAULT-MATRIX.md matches these results",
  async () => {
    await expect(faultTable(outcomes)).toMatchFileSnapshot("../../FAULT-MATRIX.md");
  },
);
