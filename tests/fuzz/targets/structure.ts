import * as fc from "fast-check";
import { createFormDecoder } from "../../../packages/client/src/json/form-decoder.ts";
import { ObjectLimit } from "../../../packages/client/src/json/object-limit.ts";
import { createStructure } from "../../../packages/client/src/structure/text-structure.ts";
import { scriptStructure } from "../../../packages/client/test/support/script-structure.ts";
import type { Structure } from "../../../packages/client/src/structure/structure.ts";
import { anyJson, anyText } from "../anything.ts";
import { checkSame, fuzzTarget, type AnyTarget } from "../target.ts";

/** Text that is scanned in chunks of each of these sizes. */
interface ScanInput {
  readonly text: string;
  readonly sizes: readonly number[];
  readonly limit: number;
}

const pieces = fc.constantFrom(
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  '\\"',
  " ",
  "a",
  "é",
  "日\n",
);

const texts = fc.oneof(
  fc.array(pieces, { maxLength: 150 }).map((all) => all.join("")),
  anyJson.map((value) => JSON.stringify(value) ?? ""),
  fc.tuple(anyText, fc.nat(150)).map(([text, count]) => JSON.stringify([text, "\\".repeat(count)])),
);

function recordsOf(structure: Structure, bytes: Uint8Array, size: number): number[] {
  for (let start = 0; start < bytes.length; start += size) {
    structure.append(bytes.subarray(start, start + size));
  }
  return [...structure.records.subarray(0, structure.count)];
}

/** Both scanners find the same in chunks of any size as JavaScript byte by byte. */
function checkScan({ text, sizes, limit }: ScanInput): void {
  const bytes = new TextEncoder().encode(text);
  const expected = recordsOf(scriptStructure(limit), bytes, 1);
  for (const size of sizes) {
    checkSame(recordsOf(createStructure(limit), bytes, size), expected, `WebAssembly, by ${size}`);
    checkSame(recordsOf(scriptStructure(limit), bytes, size), expected, `script, by ${size}`);
  }
}

/** Items of a list that arrives in chunks of several sizes. */
interface ItemsInput {
  readonly items: readonly object[];
  readonly indent: number;
}

const items = fc.array(
  fc
    .tuple(
      fc.record({
        name: anyText,
        managedFields: fc.array(anyJson, { maxLength: 2 }),
        labels: anyJson,
      }),
      fc.dictionary(fc.oneof(fc.constantFrom("spec", "status", "data", "kind"), anyText), anyJson),
    )
    .map(([metadata, rest]): object => Object.assign(rest, { metadata })),
  { maxLength: 4 },
);

const limit = new ObjectLimit(undefined);
const fields = [["spec"], ["metadata", "labels"], ["status", "a"], ["data"]];

/** Lazy and projected lists of both scanners, compared with JSON.parse. */
function checkItems({ items: all, indent }: ItemsInput): void {
  const text = JSON.stringify({ kind: "List", apiVersion: "v1", items: all }, undefined, indent);
  const bytes = new TextEncoder().encode(text);
  const parsed = (JSON.parse(text) as { items: object[] }).items;
  const whole = JSON.stringify(parsed);
  for (const scan of [createStructure, scriptStructure]) {
    const options = { stripManagedFields: false, limit, scan };
    const picked = new Set<string>();
    for (const size of [1, 2, 3, 5, 17, 63, 64, 65, 127, 300, bytes.length + 1]) {
      const read = (form: { lazy: true } | { fields: typeof fields }): string => {
        const decoder = createFormDecoder(form, options).list<object>();
        const into: object[] = [];
        for (let start = 0; start < bytes.length; start += size) {
          decoder.write(bytes.subarray(start, start + size), into);
        }
        decoder.end(into);
        return JSON.stringify(into);
      };
      checkSame(read({ lazy: true }), whole, `lazy, by ${size}`);
      picked.add(read({ fields }));
    }
    checkSame(picked.size, 1, "ways to pick fields");
  }
}

/** The scanner of JSON, and the decoders on top of it, at many chunk sizes. */
export const structure: readonly AnyTarget[] = [
  fuzzTarget({
    name: "scanner",
    inputs: fc.record({
      text: texts,
      sizes: fc.uniqueArray(fc.integer({ min: 1, max: 130 }), { minLength: 1, maxLength: 6 }),
      limit: fc.nat(5),
    }),
    check: checkScan,
  }),
  fuzzTarget({
    name: "reduced-list",
    inputs: fc.record({ items, indent: fc.constantFrom(0, 0, 1) }),
    check: checkItems,
  }),
];
