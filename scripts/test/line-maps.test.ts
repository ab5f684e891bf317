import { SourceMap } from "node:module";
import { expect, test } from "vitest";
import { lineMap } from "../checks/line-maps.ts";

const map = {
  version: 3,
  file: "a.js",
  sources: ["../src/a.ts", "../src/b.ts"],
  sourcesContent: [],
  sourceRoot: "",
  names: ["alpha"],
  // Three positions in line 1, a line without any, one in line 40 of the other source, and two
  // lines of the source in one of the output.
  mappings: "AAAA,IAAMA,IAAI;;ECuCE;AApCV,QAAA,SACA",
};

test("a source map keeps the first position of each line of a source", () => {
  const before = new SourceMap(map);
  const text = lineMap(JSON.stringify(map));
  const after = new SourceMap(JSON.parse(text) as typeof map);
  const at = (one: SourceMap, line: number, column: number): unknown[] => {
    const found = one.findEntry(line, column);
    return "originalSource" in found ? [found.originalSource, found.originalLine] : [];
  };
  const places: readonly (readonly [number, number])[] = [
    [0, 0],
    [0, 9],
    [2, 2],
    [3, 0],
    [3, 12],
    [3, 30],
  ];
  for (const [line, column] of places) {
    expect(at(after, line, column)).toEqual(at(before, line, column));
  }
  expect(text.length).toBeLessThan(JSON.stringify(map).length);
  expect(JSON.parse(text)).toMatchObject({ ...map, mappings: expect.any(String), names: [] });
});
