import { beforeAll, describe, expect, test } from "vitest";
import { loadPatternEngine, matchesPattern, patternProblem } from "../../src/schema/pattern.ts";

beforeAll(loadPatternEngine);

// Messages of regexp.Compile in Go 1.26.8.
describe("patternProblem", () => {
  test.each([
    ["(?=a)", "invalid or unsupported Perl syntax: `(?=`"],
    ["a(?!b)c", "invalid or unsupported Perl syntax: `(?!`"],
    ["(?<=a)b", "invalid named capture: `(?<=a)b`"],
    ["(?<!a)b", "invalid named capture: `(?<!a)b`"],
    ["(?>a)", "invalid or unsupported Perl syntax: `(?>`"],
    ["(?P=n)", "invalid or unsupported Perl syntax: `(?P`"],
    ["(?#c)", "invalid or unsupported Perl syntax: `(?#`"],
    ["(?x)a", "invalid or unsupported Perl syntax: `(?x`"],
    ["(?s-)a", "invalid or unsupported Perl syntax: `(?s-)`"],
    ["(?i", "invalid or unsupported Perl syntax: `(?i`"],
    ["(?<n-m>a)", "invalid named capture: `(?<n-m>`"],
    ["(?<n", "invalid named capture: `(?<n`"],
    [String.raw`(a)\1`, String.raw`invalid escape sequence: ${"`"}\1${"`"}`],
    [String.raw`(a)\8`, String.raw`invalid escape sequence: ${"`"}\8${"`"}`],
    [String.raw`(?<n>a)\k<n>`, String.raw`invalid escape sequence: ${"`"}\k${"`"}`],
    [String.raw`[\1]`, String.raw`invalid escape sequence: ${"`"}\1${"`"}`],
    [String.raw`[\b]`, String.raw`invalid escape sequence: ${"`"}\b${"`"}`],
    [String.raw`\u0041`, String.raw`invalid escape sequence: ${"`"}\u${"`"}`],
    [String.raw`\cA`, String.raw`invalid escape sequence: ${"`"}\c${"`"}`],
    [String.raw`\Z`, String.raw`invalid escape sequence: ${"`"}\Z${"`"}`],
    [String.raw`\é`, String.raw`invalid escape sequence: ${"`"}\é${"`"}`],
    [String.raw`\x4`, String.raw`invalid escape sequence: ${"`"}\x4${"`"}`],
    ["\\", "trailing backslash at end of expression: ``"],
    [
      String.raw`\p{Script=Greek}`,
      String.raw`invalid character class range: ${"`"}\p{Script=Greek}${"`"}`,
    ],
    ["[[:foo:]]", "invalid character class range: `[:foo:]`"],
    ["(", "missing closing ): `(`"],
    ["a)", "unexpected ): `a)`"],
    ["[]", "missing closing ]: `[]`"],
    ["[^]", "missing closing ]: `[^]`"],
    ["[a", "missing closing ]: `[a`"],
    ["a{1001}", "invalid repeat count: `{1001}`"],
    ["a{2,1}", "invalid repeat count: `{2,1}`"],
    ["a**", "invalid nested repetition operator: `**`"],
    ["*a", "missing argument to repetition operator: `*`"],
    ["(a{1000}){1000}", "invalid repeat count: `{1000}`"],
  ])("rejects %s like Go", (pattern, problem) => {
    expect(patternProblem(pattern)).toBe(
      `must be a valid regular expression, but isn't: error parsing regexp: ${problem}`,
    );
  });

  test.each([
    String.raw`(a)\11`,
    String.raw`\0`,
    String.raw`\123`,
    "[(?=]",
    String.raw`\Q(?=a)\1\E`,
    String.raw`\Qabc`,
    String.raw`\(?=a`,
    String.raw`\\1`,
    "(?<n>a)",
    "(?P<n>a)",
    "(?i)a",
    "(?i-s:a)",
    "(?:a)",
    "[]a]",
    "[^]a]",
    "a{1000}",
    "a{,5}",
    "a{",
    String.raw`\x41\x{41}\p{L}\p{Greek}\pL\-\/\_`,
    String.raw`\d\w\s\D\W\S\b\B\A\z`,
    "[[:alpha:][:^digit:]]",
    String.raw`[\d\p{L}-]`,
  ])("accepts %s like Go", (pattern) => {
    expect(patternProblem(pattern)).toBeUndefined();
  });
});

describe("matchesPattern", () => {
  test("returns the same results for more patterns than it caches, in any order", () => {
    const numbers = Array.from({ length: 2500 }, (_, number) => number);
    const answers = [...numbers, ...numbers.toReversed(), ...numbers].map((number) => [
      matchesPattern(`n${number}`, `^n${number}$`),
      matchesPattern(`n${number}x`, `^n${number}$`),
    ]);
    expect(answers).toHaveLength(7500);
    expect(answers.every(([good, bad]) => good === true && bad === false)).toBe(true);
  });
});
