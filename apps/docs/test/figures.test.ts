import { expect, test } from "vitest";
import { figures, figureText, rowName } from "../src/data/figures.ts";

const { comparison, informers } = figures;
const [first] = informers.rows;

test("a figure of an informer has its unit, and a multiple is of the other row", () => {
  const name = rowName(first!);
  expect(figureText(`syncMs: ${name}`)).toBe(`${(first!.syncMs / 1000).toPrecision(2)} s`);
  expect(figureText(`heapMb: ${name}`)).toMatch(/^[\d,.]+ MB$/);
  expect(figureText(`syncMs: ${name} / ${name}`)).toBe("×1.00");
  expect(figureText("faults.faults")).toBe(String(figures.faults.faults));
});

test("a figure that no run has measured is named as such", () => {
  expect(figureText("syncMs: nothing, JSON, list")).toBe("not measured");
  expect(figureText(`syncMs: nothing, JSON, list / ${rowName(first!)}`)).toBe("");
  expect(() => figureText("recordings.nothing")).toThrow("recordings.nothing");
});

test("each row of the comparison has a source and a cell for each tool", () => {
  for (const { cells, source, title } of comparison.rows) {
    expect({ title, tools: Object.keys(cells) }).toEqual({
      title,
      tools: Object.keys(comparison.tools),
    });
    expect(source).not.toBe("");
  }
});

test("the comparison names only figures that a command writes", () => {
  const missing = comparison.rows
    .flatMap(({ cells }) => Object.values(cells))
    .flatMap((cell) => (typeof cell === "string" ? [] : [cell.figure]))
    .filter((figure) => ["", "not measured"].includes(figureText(figure)));
  expect(missing).toEqual([]);
});
