import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatLabelSelector } from "../../src/selectors/format-label-selector.ts";
import { parseLabelSelector } from "../../src/selectors/label-selector.ts";
import { SelectorError } from "../../src/api/errors.ts";

function refusal(text: string): string {
  try {
    parseLabelSelector(text);
  } catch (error) {
    if (error instanceof SelectorError) return error.message;
    throw error;
  }
  throw new Error(`"${text}" was accepted`);
}

/** Returns "accepted" or the refusal. Other exceptions are rethrown. */
function outcome(text: string): string {
  try {
    parseLabelSelector(text);
    return "accepted";
  } catch (error) {
    if (error instanceof SelectorError) return "refused";
    throw error;
  }
}

describe("parseLabelSelector (API-1.9)", () => {
  const web = { app: "web", tier: "5", "example.com/role": "" };

  test.each([
    ["", true],
    [" \t\r\n", true],
    ["app=web", true],
    ["app==web", true],
    ["app!=web", false],
    ["app = db", false],
    ["missing!=x", true],
    ["missing notin (x)", true],
    ["missing=", false],
    ["example.com/role=", true],
    ["example.com/role in ()", true],
    ["example.com/role in (a,,b)", true],
    ["app in (db,web)", true],
    ["app notin (db,web)", false],
    ["app", true],
    ["!app", false],
    ["!missing", true],
    ["tier>4", true],
    ["tier>5", false],
    ["tier<6", true],
    ["app>4", false],
    ["missing<4", false],
    ["app=web,tier=5", true],
    ["app=web,app=db", false],
  ])("evaluates %j on labels app=web, tier=5 to %s", (selector, expected) => {
    expect(parseLabelSelector(selector).matches(web)).toBe(expected);
  });

  test("treats in and notin as words where an operator is not possible", () => {
    expect(parseLabelSelector("in in (in,notin)").matches({ in: "notin" })).toBe(true);
    expect(parseLabelSelector("notin=in").matches({ notin: "in" })).toBe(true);
  });

  test("matches objects without labels like those with empty labels", () => {
    expect(parseLabelSelector("!a").matches(undefined)).toBe(true);
    expect(parseLabelSelector("a").matches(undefined)).toBe(false);
  });

  test("does not treat inherited properties as labels", () => {
    expect(parseLabelSelector("constructor").matches({})).toBe(false);
    expect(parseLabelSelector("toString!=x").matches({})).toBe(true);
  });

  test("compares integers of any size within 64 bits, exactly", () => {
    const selector = parseLabelSelector("n>9223372036854775806");
    expect(selector.matches({ n: "9223372036854775807" })).toBe(true);
    expect(selector.matches({ n: "9223372036854775806" })).toBe(false);
    expect(selector.matches({ n: "9223372036854775808" })).toBe(false);
  });

  test("ends a word at a NUL character, and the selector where a word would begin", () => {
    expect(parseLabelSelector("app=web\0,tier=5").requirements).toHaveLength(2);
    expect(parseLabelSelector("app=web \0 = nonsense").requirements).toHaveLength(1);
  });

  test.each([
    ["a=b,", "found '', expected: identifier after ','"],
    [",", "found ',', expected: !, identifier, or 'end of string'"],
    ["=b", "found '=', expected: !, identifier, or 'end of string'"],
    ["a==b=c", "found '=', expected: ',' or 'end of string'"],
    ["a=b c", "found 'c', expected: ',' or 'end of string'"],
    ["!a=b", "found '=', expected: ',' or 'end of string'"],
    ["a in", "unable to parse requirement: found '' expected: '('"],
    ["a in b", "unable to parse requirement: found 'b' expected: '('"],
    ["a in (b", "unable to parse requirement: found '', expected: ',' or ')'"],
    ["a in (=)", "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    ["a in (b,=)", "unable to parse requirement: found '=', expected: ',', or identifier"],
    ["a b", "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ["!(a", "unable to parse requirement: found '(', expected: identifier"],
    ["a=(", "unable to parse requirement: found '(', expected: identifier"],
    [
      "a>x",
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ])("rejects %j with the server's message", (selector, message) => {
    expect(refusal(selector)).toBe(message);
  });

  test("reports the position and rule of an invalid key or value", () => {
    expect(refusal("-a=b")).toMatch(
      /^unable to parse requirement: <nil>: Invalid value: "-a": name part must consist of/,
    );
    expect(refusal(`a=${"x".repeat(64)}`)).toBe(
      `unable to parse requirement: values[0][a]: Invalid value: "${"x".repeat(64)}": must be no more than 63 bytes`,
    );
    expect(refusal("a in (-,+)")).toMatch(
      /^unable to parse requirement: \[values\[0\]\[a\]: .*, values\[1\]\[a\]: /,
    );
  });

  test("accepts exactly the strings that it can parse again, and matches like a naive model", () => {
    const key = fc.constantFrom("a", "b", "x.y/c");
    const value = fc.constantFrom("", "1", "v");
    const term = fc.oneof(
      fc.tuple(key, fc.constantFrom("=", "!="), value),
      fc.tuple(key, fc.constantFrom("in", "notin"), fc.uniqueArray(value, { minLength: 1 })),
    );
    const labels = fc.dictionary(key, value);
    fc.assert(
      fc.property(fc.array(term, { maxLength: 4 }), labels, (terms, present) => {
        const text = terms
          .map(([name, operator, operand]) =>
            Array.isArray(operand)
              ? `${name} ${operator} (${operand.join(",")})`
              : `${name}${operator}${operand}`,
          )
          .join(",");
        const expected = terms.every(([name, operator, operand]) => {
          const actual = present[name];
          const isIn = actual !== undefined && [operand].flat().includes(actual);
          return operator === "=" || operator === "in" ? isIn : !isIn;
        });
        expect(parseLabelSelector(text).matches(present)).toBe(expected);
      }),
    );
  });

  test("throws only SelectorError, for any string", () => {
    const text = fc.string({ unit: fc.constantFrom(..."a-1=!<>(), in\0é".split("")) });
    fc.assert(
      fc.property(text, (selector) => {
        expect(outcome(selector)).toMatch(/^(accepted|refused)$/);
      }),
    );
  });
});

describe("formatLabelSelector", () => {
  test("writes selectors of specs as strings", () => {
    expect(formatLabelSelector({ matchLabels: { b: "2", a: "1" } })).toBe("a=1,b=2");
    expect(
      formatLabelSelector({
        matchLabels: { app: "web" },
        matchExpressions: [
          { key: "tier", operator: "In", values: ["b", "a"] },
          { key: "env", operator: "NotIn", values: ["dev"] },
          { key: "x", operator: "Exists" },
          { key: "y", operator: "DoesNotExist" },
        ],
      }),
    ).toBe("app=web,env notin (dev),tier in (a,b),x,!y");
  });

  test("writes plain maps, as in services and replication controllers", () => {
    expect(formatLabelSelector({ app: "web" })).toBe("app=web");
    expect(formatLabelSelector(undefined)).toBe("");
  });

  test("writes strings that the parser accepts", () => {
    const selector = {
      matchLabels: { app: "web" },
      matchExpressions: [{ key: "t", operator: "In", values: ["1"] }],
    };
    const parsed = parseLabelSelector(formatLabelSelector(selector));
    expect(parsed.matches({ app: "web", t: "1" })).toBe(true);
    expect(parsed.matches({ app: "web" })).toBe(false);
  });
});
