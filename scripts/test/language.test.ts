import { describe, expect, test } from "vitest";
import { findings } from "../checks/language.ts";

function problems(file: string, text: string): string[] {
  return findings(file, text).map(({ line, problem }) => `${line}: ${problem}`);
}

describe("words", () => {
  test.each(["nobody", "Whoever", "are told", "Told of", "anew", "one's own"])(
    "%s is found in comments, messages and pages, in any case",
    (word) => {
      const problem = `2: "${word}": see "Language" in CONTRIBUTING.md`;
      expect(problems("a.ts", `\n// ${word} x`)).toEqual([problem]);
      expect(problems("a.ts", `\nthrow new Error("${word} x");`)).toEqual([problem]);
      expect(problems("a.mdx", `\n| ${word} x |`)).toEqual([problem]);
    },
  );

  test("a line that quotes is let through", () => {
    expect(problems("a.ts", "// the server says nobody (language-ok)")).toEqual([]);
  });

  test("parts of words and instructions are not findings", () => {
    expect(problems("a.ts", "// Vanew, and a function that was told to fail")).toEqual([]);
  });
});

describe("width", () => {
  const wide = "x".repeat(60);

  test("100 columns are the limit for code and comments", () => {
    expect(problems("a.ts", `// ${"x ".repeat(48)}x`)).toEqual([]);
    expect(problems("a.ts", `// ${"x ".repeat(48)}x yz`)).toEqual(["1: 103 columns, at most 100"]);
    expect(problems("a.mjs", `const ${wide} = ${wide}();`)).toEqual([
      "1: 132 columns, at most 100",
    ]);
  });

  test("pages may be wide, as their tables are", () => {
    expect(problems("a.md", `| ${wide} | ${wide} |`)).toEqual([]);
  });

  test.each([
    `  "${wide} ${wide}",`,
    `  message: "${wide} ${wide}",`,
    `import { ${wide} } from "./${wide}.ts";`,
    `test("${wide} ${wide}", () => {`,
    `// https://example.com/${wide}${wide}`,
  ])("what cannot be broken may be wide: %s", (line) => {
    expect(problems("a.ts", line)).toEqual([]);
  });
});

test("an @example tag is found: its fence does not survive the formatter", () => {
  expect(problems("a.ts", "/**\n * @example\n */")).toEqual([
    "2: `@example`: write the fence without the tag",
  ]);
});

test("constants in capitals are found, types and texts are not", () => {
  expect(problems("a.ts", "const MAX_BYTES = 3;\nclass A {}\nconst a = 'const B';")).toEqual([
    "1: MAX_BYTES: constants are in camelCase",
  ]);
});
