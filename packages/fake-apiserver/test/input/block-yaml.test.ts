import * as fc from "fast-check";
import { expect, test } from "vitest";
import { stringify } from "yaml";
// @boundaries-ignore recorded by conformance/yaml/main.go
import answers from "../../../../conformance/yaml/answers.json" with { type: "json" };
import { readBlockYaml } from "../../src/input/block-yaml.ts";
import { decodeYaml } from "../../src/input/decode-yaml.ts";

// JSON of JavaScript has no negative zero.
const plainly = (json: string): unknown => JSON.parse(JSON.stringify(JSON.parse(json)));

const inLibrary = (text: string): unknown => {
  try {
    return decodeYaml(text).value;
  } catch {
    return "refused";
  }
};

test("documents that are read without the library are read as by Go", () => {
  let count = 0;
  for (const { json, text } of answers as readonly { text: string; json?: string }[]) {
    const read = readBlockYaml(text);
    if (read !== undefined) count++;
    const expected = plainly(json ?? '"refused"');
    expect([text, read === undefined ? expected : read.value]).toEqual([text, expected]);
  }
  expect(count).toBeGreaterThan(200);
});

const words = fc.constantFrom(
  "a",
  "b c",
  "x: y",
  "# z",
  "- d",
  "yes",
  "1",
  "0x1f",
  "'",
  '"',
  "\n",
  " ",
  "\\",
  "{}",
  "|",
  "é",
  ".",
  "~",
  "\t",
  "a\nb",
  "\n\nc\n",
  "long ".repeat(30),
);
const strings = fc.array(words, { maxLength: 4 }).map((parts) => parts.join(""));
const values: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    strings,
    fc.constantFrom(null, true, false, 0, 1.5, -3),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(strings, fc.constantFrom("items", "kind")), tie("value"), {
      maxKeys: 3,
    }),
  ),
})).value;

test("what a writer of YAML prints is read as by the library, or left to it", () => {
  const style = fc.record({
    lineWidth: fc.constantFrom(0, 20, 80),
    indentSeq: fc.boolean(),
    indent: fc.constantFrom(2, 4),
  });
  fc.assert(
    fc.property(values, style, (value, options) => {
      const text = stringify(
        { value },
        { version: "1.1", aliasDuplicateObjects: false, ...options },
      );
      const expected = inLibrary(text);
      const read = readBlockYaml(text) ?? { value: expected };
      expect(read.value).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});

test("any lines are read as by the library, or left to it", () => {
  const line = fc.constantFrom(
    "a:",
    "a: b",
    "b:",
    "- c",
    "-",
    "- d: e",
    "  f",
    "'g'",
    '"h',
    'i"',
    "|",
    "k: |",
    "l: |-",
    "m: |+",
    "# n",
    "",
    " ",
    "- - o",
    "p: q: r",
    "{}",
    "s: {}",
    "?",
    "t: 'u",
    "v'",
    "w: x #",
    "- y: |",
    'k:{"z":"a"}:',
    'k:{"z":"b: c"}: d',
    'a"b": c',
  );
  const lines = fc.array(fc.tuple(fc.nat(5), line), { maxLength: 8 });
  fc.assert(
    fc.property(lines, (parts) => {
      const text = parts.map(([indent, one]) => `${" ".repeat(indent)}${one}\n`).join("");
      const expected = inLibrary(text);
      const read = readBlockYaml(text) ?? { value: expected };
      expect([text, read.value]).toEqual([text, expected]);
    }),
    { numRuns: 20_000 },
  );
});

test("managed fields of a dump are read without the library, which takes long for them", () => {
  const text =
    'managedFields:\n- fieldsV1:\n    f:spec:\n      k:{"name":"main"}:\n        .: {}\n';
  expect(readBlockYaml(text)?.value).toEqual({
    managedFields: [{ fieldsV1: { "f:spec": { 'k:{"name":"main"}': { ".": {} } } } }],
  });
});

test("the items of lists have their offsets", () => {
  const flow = "# c\nkind: List\nitems:\n- a: b\n-   c: d\n-\n  e:\n    items: [ ]\n- f\n";
  expect(readBlockYaml(flow)).toBeUndefined();
  const text = flow.replace("[ ]", "[]");
  const offsets = [...(readBlockYaml(text)?.items.values() ?? [])].flat();
  expect(offsets.map((offset) => text.slice(offset, offset + 2))).toEqual([
    "a:",
    "c:",
    "\n ",
    "f\n",
  ]);
});
