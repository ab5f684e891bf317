import { expect, test } from "vitest";
// @boundaries-ignore the page shows what the reflector's tests run through, which no package exports
import { faults } from "../../../packages/reflector/test/support/fault-catalogue.ts";
// @boundaries-ignore the page shows what the reflector's tests run through, which no package exports
import { positions } from "../../../packages/reflector/test/support/fault-positions.ts";
import { faultMatrix } from "../src/components/fault-matrix.ts";

test("the page of the fault matrix has every fault and every position of the reflector's tests", () => {
  expect(faultMatrix.positions).toEqual(positions.map(({ name }) => name));
  expect(faultMatrix.rows.map(({ fault }) => fault)).toEqual(faults.map(({ name }) => name));
});

test("a cell of the fault matrix is empty exactly where its fault cannot strike", () => {
  for (const [index, { fault, cells }] of faultMatrix.rows.entries()) {
    const struck = cells.map((steps) => steps !== undefined);
    const expected = positions.map((position) => faults[index]?.only?.(position) ?? true);
    expect(struck, `row ${fault}`).toEqual(expected);
  }
});
