import { describe, expect, test } from "vitest";
import { countComments, findings } from "../checks/language.ts";

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

describe("phrases", () => {
  const planted = [
    "This is no list",
    "These are no lists",
    "Takes a text",
    "A hook of the user's",
    "A package of its own",
    "Files of their own",
    "An address of the own machine",
    "A request on its way",
    "An event on the way",
    "Ended for good",
    "It goes before the token",
    "It stands before the token",
    "Unknown fields are let be",
    "Let be what is unknown",
    "So long it waits",
    "It is as good as done",
    "Be it a list or a watch",
    "Besides the list",
    "The present list",
  ];

  test.each(planted)("%s is found in comments, titles of tests and pages", (sentence) => {
    const found = [expect.stringMatching(/^2: ".*": write /)];
    expect(problems("a.ts", `\n// ${sentence}.`)).toEqual(found);
    expect(problems("a.ts", `\n/** ${sentence}. */`)).toEqual(found);
    expect(problems("a.mjs", `\nconst a = 1; /* ${sentence} */`)).toEqual(found);
    expect(problems("a.ts", `\ntest("x: ${sentence}", () => {});`)).toEqual(found);
    expect(problems("a.ts", `\ntest.each([1])("x: ${sentence}", () => {});`)).toEqual(found);
    expect(problems("a.md", `\n${sentence}.`)).toEqual(found);
    expect(problems("a.astro", `\n<!-- ${sentence} -->`)).toEqual(found);
  });

  test("a phrase is found over the end of a line", () => {
    expect(problems("a.ts", "/**\n * The answer is\n * no list.\n */")).toEqual([
      '2: "is no": write is not a, has no, there is no',
    ]);
    expect(problems("a.ts", "// Sent for\n// good.")).toHaveLength(1);
  });

  test.each([
    "There is no list, there are no watches",
    "It is no longer there, and is no more than that",
    "A text editor opens a text file",
    "Use the present tense",
    'The server says `is no list` and "a text"',
    "See https://example.com/besides",
  ])("%s is not a finding", (sentence) => {
    expect(problems("a.ts", `// ${sentence}.`)).toEqual([]);
    expect(problems("a.md", `${sentence}.`)).toEqual([]);
  });

  test("code is not prose: messages and names keep their words", () => {
    expect(problems("a.ts", 'throw new Error("The answer is no list");')).toEqual([]);
    expect(problems("a.md", "```ts\n// a text, besides\n```\n")).toEqual([]);
  });
});

describe("clauses", () => {
  test.each(["What", "Whose", "Which", "Of"])("a comment does not begin with %s", (word) => {
    const problem = `a comment that begins with "${word}": name the thing first`;
    expect(problems("a.ts", `// ${word} a list is`)).toEqual([`1: ${problem}`]);
    expect(problems("a.ts", `/** ${word} a list is. */`)).toEqual([`1: ${problem}`]);
    expect(problems("a.ts", `/**\n * A list.\n *\n * ${word} it is. */`)).toEqual([
      `4: ${problem}`,
    ]);
    expect(problems("a.ts", `/**\n * A list.\n * @param a ${word} it is.\n */`)).toEqual([
      `3: ${problem}`,
    ]);
    expect(problems("a.ts", `/** @returns ${word} it is. */`)).toEqual([`1: ${problem}`]);
    expect(problems("a.astro", `/* ${word} it is */`)).toEqual([`1: ${problem}`]);
  });

  test("a question word inside a comment is not a finding", () => {
    expect(problems("a.ts", "// Says\n// What it is.\n\n/** Whether it is. */")).toEqual([]);
    expect(problems("a.ts", 'const a = "// What it is";')).toEqual([]);
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
  ])("a line that cannot be broken may be wide: %s", (line) => {
    expect(problems("a.ts", line)).toEqual([]);
  });
});

test("an @example tag is found: its fence does not survive the formatter", () => {
  expect(problems("a.ts", "/**\n * @example\n */")).toEqual([
    "2: `@example`: write the fence without the tag",
  ]);
});

test("constants in capitals are found, types and strings are not", () => {
  expect(problems("a.ts", "const MAX_BYTES = 3;\nclass A {}\nconst a = 'const B';")).toEqual([
    "1: MAX_BYTES: constants are in camelCase",
  ]);
});

test("comments are counted apart from those of exported declarations", () => {
  const text = [
    "// A note that says more",
    "// on its second line.",
    "/** Documented,",
    " * on two lines. */",
    "export interface A {",
    "  /** A member. */",
    "  readonly a: number;",
    "}",
    "/** Private. */",
    "const b = 1; // tells nothing",
  ].join("\n");
  expect(countComments("a.ts", text)).toEqual({
    comments: 5,
    exportedLines: 3,
    otherLines: 4,
    doubtful: 2,
  });
});
