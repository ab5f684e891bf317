import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeJson } from "../../src/input/decode.ts";

/** A JSON string, and whether one of its objects has a duplicate key. */
interface Sample {
  readonly text: string;
  readonly duplicate: boolean;
}

const key = fc.constantFrom("a", "b", "", "x:", 'q"', "__proto__");
const string = fc.constantFrom("", "plain", '"a":', "tail\\", '{"a":1,"a":2}');
const space = fc.constantFrom("", "", "", " ", "\n ");

const { sample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 4 },
    string.map((value): Sample => ({ text: JSON.stringify(value), duplicate: false })),
    fc.constantFrom("1", "null", "true").map((text): Sample => ({ text, duplicate: false })),
    fc.array(tie("sample"), { maxLength: 3 }).map((items): Sample => ({
      text: `[${items.map(({ text }) => text).join(",")}]`,
      duplicate: items.some(({ duplicate }) => duplicate),
    })),
    fc.array(fc.tuple(key, space, tie("sample")), { maxLength: 4 }).map((entries): Sample => ({
      text: `{${entries.map(([name, gap, { text }]) => `${JSON.stringify(name)}${gap}:${text}`).join(",")}}`,
      duplicate:
        new Set(entries.map(([name]) => name)).size < entries.length ||
        entries.some(([, , { duplicate }]) => duplicate),
    })),
  ),
}));

describe("decodeJson", () => {
  test("finds every duplicate key, and reports no others", () => {
    fc.assert(
      fc.property(sample, ({ duplicate, text }) => {
        const { strictErrors, value } = decodeJson(text);
        expect(value).toEqual(JSON.parse(text));
        expect(strictErrors.length > 0).toBe(duplicate);
      }),
      { numRuns: 2000 },
    );
  });
});
