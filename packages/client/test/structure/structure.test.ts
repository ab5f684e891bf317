import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { createStructure, TextStructure } from "../../src/structure/text-structure.ts";
import type { Structure } from "../../src/structure/structure.ts";
import { createWasmScanner } from "../../src/structure/wasm-scanner.ts";
import { scriptStructure } from "../support/script-structure.ts";

const scanner = createWasmScanner();

function wasmStructure(limit: number): Structure {
  if (scanner === undefined) throw new Error("Expected WebAssembly with SIMD");
  return new TextStructure(scanner, limit);
}

const makers = [
  ["WebAssembly", wasmStructure],
  ["JavaScript", scriptStructure],
] as const;

const encoder = new TextEncoder();

/** Finds the positions naively, character by character. */
function expectedRecords(text: string, limit: number): number[] {
  const bytes = encoder.encode(text);
  const positions: number[] = [];
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  for (const [position, byte] of bytes.entries()) {
    const character = String.fromCharCode(byte);
    const wasEscaped: boolean = isEscaped;
    isEscaped = character === "\\" && !wasEscaped;
    if (character === '"' && !wasEscaped) isInString = !isInString;
    if (isInString || !"{}[],:".includes(character)) continue;
    if ("{[".includes(character)) depth++;
    if (depth <= limit) positions.push(position);
    if ("}]".includes(character)) depth--;
  }
  return positions;
}

function recordsOf(structure: Structure, text: string, size: number): number[] {
  const bytes = encoder.encode(text);
  for (let start = 0; start < bytes.length; start += size) {
    structure.append(bytes.subarray(start, start + size));
  }
  return [...structure.records.subarray(0, structure.count)];
}

const sizes = [1, 2, 3, 7, 31, 63, 64, 65, 127, 128, 1000, 1 << 20];

describe.each(makers)("the scanner in %s (LAZY-6, LAZY-7)", (_, create) => {
  test("finds brackets, commas and colons outside of strings, at every chunk size", () => {
    const text = JSON.stringify({
      items: [
        { a: 'x,{"', b: ["\\", '\\"', "é日😀", { c: [[1, 2], { d: "}" }] }] },
        { "k\\": "\\\\\\", n: null, long: "y".repeat(200), end: `${"\\".repeat(63)}"` },
      ],
    });
    for (const limit of [1, 2, 3, 4, 9]) {
      const expected = expectedRecords(text, limit);
      for (const size of sizes) expect(recordsOf(create(limit), text, size)).toEqual(expected);
    }
  });

  test("finds a byte after any position, and none that was dropped or never arrived", () => {
    const text = `${"a".repeat(40)}\n${"b".repeat(15)}\n\n${"c".repeat(70)}`;
    const structure = create(1);
    for (const size of [text.length, 30]) {
      structure.append(encoder.encode(text.slice(0, size)));
      for (let from = 0; from <= size; from++) {
        expect(structure.find(0x0a, from)).toBe(text.slice(0, size).indexOf("\n", from));
      }
      structure.drop(size, 0);
      expect(structure.find(0x0a, 0)).toBe(-1);
    }
    structure.append(encoder.encode("aa\nbb"));
    structure.drop(2, 0);
    expect(structure.find(0x0a, 0)).toBe(0);
  });

  test("agrees with a character by character search in any text", () => {
    const character = fc.constantFrom("{", "}", "[", "]", ",", ":", "a", "é", "\n", "\\", '"');
    const text = fc.array(character, { maxLength: 300 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 130 }), fc.nat(5), (input, size, limit) => {
        expect(recordsOf(create(limit), input, size)).toEqual(expectedRecords(input, limit));
      }),
      { numRuns: 500 },
    );
  });

  test("treats runs of backslashes across blocks and chunks by their parity", () => {
    for (let length = 0; length < 140; length++) {
      const text = `["${"\\".repeat(length)}",{}${" ".repeat(70)}"]`;
      for (const size of [1, 63, 64, 1000]) {
        expect(recordsOf(create(3), text, size)).toEqual(expectedRecords(text, 3));
      }
    }
  });

  test("forgets dropped bytes, and continues in the middle of a string or an escape", () => {
    const text = '[{"a":"one\\"two","b":[1,2]},{"c":{}}]'.repeat(20);
    const bytes = encoder.encode(text);
    for (const size of [1, 5, 64, 100]) {
      const structure = create(3);
      const found: number[] = [];
      let offset = 0;
      for (let start = 0; start < bytes.length; start += size) {
        structure.append(bytes.subarray(start, start + size));
        const { count, length } = structure;
        // Drops everything up to the last record.
        const kept = Math.max(0, count - 1);
        for (let index = 0; index < kept; index++) {
          found.push(offset + (structure.records[index] ?? 0));
        }
        const position = count === 0 ? length : (structure.records[kept] ?? 0);
        structure.drop(position, kept);
        offset += position;
        const rest = new TextDecoder().decode(structure.bytes.subarray(0, structure.length));
        expect(rest).toBe(text.slice(offset, start + size));
      }
      for (let index = 0; index < structure.count; index++) {
        found.push(offset + (structure.records[index] ?? 0));
      }
      expect(found).toEqual(expectedRecords(text, 3));
    }
  });

  test("accepts texts and numbers of records of any size", () => {
    const text = `[${"1,".repeat(150_000)}"${"x".repeat(300_000)}"]`;
    const records = recordsOf(create(1), text, 1 << 20);
    expect(records).toHaveLength(150_002);
    expect(records.at(-1)).toBe(text.length - 1);
    expect(recordsOf(create(1), text, 4096)).toEqual(records);
  });

  test("starts over after a release, in whatever state it was", () => {
    // The text starts with a quote, which a remembered backslash would escape.
    const text = '"b,",{"c":[1]}';
    const structure = create(3);
    for (const before of [
      '{"in a string',
      '{"behind a backslash\\',
      "[[[[[",
      "x".repeat(300_000),
    ]) {
      structure.append(encoder.encode(before));
      structure.release();
      expect([structure.length, structure.count, structure.find(0x7b, 0)]).toEqual([0, 0, -1]);
      expect(recordsOf(structure, text, 5)).toEqual(expectedRecords(text, 3));
      structure.release();
    }
  });

  test("scans several texts in turn, independently of each other", () => {
    const character = fc.constantFrom("{", "}", "[", "]", ",", ":", "a", "\n", "\\", '"');
    const text = fc.array(character, { maxLength: 40 }).map((all) => all.join(""));
    // The next chunk of one of three texts; a number is a length to drop from its beginning.
    const step = fc.tuple(fc.nat(2), fc.oneof(text, fc.nat(30)));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const texts = [0, 1, 2].map((limit) => ({
          structure: create(limit),
          whole: "",
          dropped: 0,
          limit,
        }));
        for (const [index, change] of steps) {
          const one = texts[index];
          if (one === undefined) continue;
          const { structure } = one;
          if (typeof change === "string") {
            structure.append(encoder.encode(change));
            one.whole += change;
          } else {
            const position = Math.min(change, structure.length);
            const records = structure.records.subarray(0, structure.count);
            structure.drop(position, records.filter((record) => record < position).length);
            one.dropped += position;
          }
          const expected = expectedRecords(one.whole, one.limit)
            .map((record) => record - one.dropped)
            .filter((record) => record >= 0);
          expect([...structure.records.subarray(0, structure.count)]).toEqual(expected);
          for (const { structure: any, whole, dropped } of texts) {
            expect(any.find(0x0a, 0)).toBe(whole.slice(dropped).indexOf("\n"));
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});

test("structures share one WebAssembly memory: separate ones make browsers and Bun collect garbage", () => {
  const create = vi.spyOn(WebAssembly, "Instance");
  for (let count = 0; count < 20; count++) createStructure(1).append(encoder.encode("{}"));
  const { length } = create.mock.calls;
  create.mockRestore();
  expect(length).toBeLessThan(2);
});
