import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { compileSnippets } from "../checks/compile-snippets.ts";
import { pagePrograms } from "../checks/snippets.ts";

const part = 'ts title="Part of a program"';
const fence = (code: string, language = "ts"): string => `\`\`\`${language}\n${code}\n\`\`\`\n`;

describe("the programs of a page", () => {
  const linesOf = (markdown: string, example = ""): string[][] =>
    pagePrograms(markdown, () => example).programs.map((program) =>
      program.map(({ text, origin }) => `${origin} ${text}`.trimEnd()),
    );

  test("are one whose fences see what those before them declare", () => {
    const markdown = `# Page\n${fence('import { a } from "x";\nconst b = a;')}${fence("b();")}`;
    expect(linesOf(markdown)).toEqual([
      ['3 import { a } from "x";', "2 {", "3", "4 const b = a;", "5", "6 {", "7 b();", "8"].concat(
        "6 }}",
        "6 export {};",
      ),
    ]);
  });

  test("are several where a name is imported that an earlier fence has from another place", () => {
    const one = fence('import { a } from "x";');
    expect(linesOf(one + fence('import { a } from "x/y";'))).toHaveLength(2);
    expect(linesOf(fence("const { b: a } = c;") + one)).toHaveLength(2);
    expect(linesOf(one + fence('import { type a } from "x";'))).toHaveLength(1);
  });

  test("are those of each fence on the site, unless its title marks it as a part", () => {
    const markdown = fence("const a = 1;") + fence("a;", part) + fence("a;");
    const { programs } = pagePrograms(markdown, String, { marksParts: true });
    expect(programs).toHaveLength(2);
    expect(programs[0]).toContainEqual({ text: "a;", origin: 5 });
  });

  test("hold the examples that the page shows, and what comments declare for the fences", () => {
    const hidden = "{/* compiled with: let b!: string; */}";
    const markdown = `<LiveExample name="one" />\n${hidden}\n${fence("b;")}`;
    const [lines] = linesOf(markdown, 'import { a } from "x";\na();');
    expect(lines).toEqual(expect.arrayContaining(["1 a();", "2 let b!: string;", "4 b;"]));
  });

  test("leave out a fence that says why, and count it", () => {
    const markdown = fence("b;", 'ts uncompiled="shows a mistake"');
    expect(pagePrograms(markdown, String)).toEqual({
      programs: [],
      compiled: 0,
      exempt: [{ line: 1, reason: "shows a mistake" }],
    });
  });
});

test("a broken snippet is found, with its page and line", () => {
  // In the repository, so that it finds the packages.
  mkdirSync("test-results", { recursive: true });
  const folder = mkdtempSync("test-results/snippets-");
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const good = 'import { RealFIFO } from "@listwatch/core-fifo";\nconst queue = new RealFIFO();';
  const pages = [
    { page: "good.md", markdown: fence(good) },
    {
      page: "bad.mdx",
      markdown: `text\n${fence(good)}${fence("queue.replace();\nmissing();", part)}`,
    },
  ];
  const { compiled, problems } = compileSnippets(pages, folder);
  expect(compiled).toBe(3);
  expect(problems).toEqual([
    expect.stringMatching(/^bad\.mdx:7: TS2554: Expected 2 arguments/),
    expect.stringMatching(/^bad\.mdx:8: TS2304: Cannot find name 'missing'/),
  ]);
});
