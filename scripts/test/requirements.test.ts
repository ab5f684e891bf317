import { describe, expect, test } from "vitest";
import {
  citationsIn,
  codesInSource,
  definitionsIn,
  withGenerated,
} from "../checks/requirements.ts";

const document = `# Requirements

## Queue

- **RF-1** Every write appends.
- **REF-26b** An expired version is dropped.
- **API-1.8** Lists. _Cases: list, table._
`;
const codes = new Set(definitionsIn(document).map(({ code }) => code));

test("a document defines codes with letters and sections, and categories of exchanges", () => {
  expect(definitionsIn(document)).toEqual([
    { code: "RF-1", categories: [] },
    { code: "REF-26b", categories: [] },
    { code: "API-1.8", categories: ["list", "table"] },
  ]);
});

describe("citations", () => {
  test("are found in titles, once a file", () => {
    const texts = new Map([
      ["a.test.ts", `test("appends (RF-1, REF-26b)"); test("again (RF-1)"); // KEP-3157, UTF-8`],
      ["b.test.ts", `test("lists (API-1.8)"); test("appends (RF-1)")`],
    ]);
    expect(citationsIn(texts, codes)).toEqual({
      files: new Map([
        ["RF-1", ["a.test.ts", "b.test.ts"]],
        ["REF-26b", ["a.test.ts"]],
        ["API-1.8", ["b.test.ts"]],
      ]),
      unknown: [],
    });
  });

  test("of codes that are not defined are reported", () => {
    const texts = new Map([["a.test.ts", `test("(RF-1, RF-99, REF-26, API-1.80)")`]]);
    expect(citationsIn(texts, codes).unknown).toEqual([
      "a.test.ts: RF-99",
      "a.test.ts: REF-26",
      "a.test.ts: API-1.80",
    ]);
  });

  test("in sources are counted, and sections of standards are not", () => {
    const source = "// as client-go does (RF-1)\n// api-server §1.8\n// RFC 9110 §10.2.3\n";
    expect(codesInSource(source, codes)).toEqual(["RF-1", "§1.8"]);
  });
});

test("the generated part names what proves a requirement, and is written once", () => {
  const proofs = new Map([["RF-1", ["a.test.ts", "12 recorded in real-fifo.json"]]]);
  const once = withGenerated(document, ({ code }) => proofs.get(code) ?? []);
  expect(once).toContain("\n- **RF-1**: a.test.ts, 12 recorded in real-fifo.json\n");
  expect(once).toContain("\nNo test or recording names 2: REF-26b, API-1.8.\n");
  expect(withGenerated(once, ({ code }) => proofs.get(code) ?? [])).toBe(once);
  expect(definitionsIn(once)).toHaveLength(3);
});
