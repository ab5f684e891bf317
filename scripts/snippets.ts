/**
 * Compiles the code that the READMEs and the pages of the site show, in one run of the compiler and
 * with the packages' own types. A snippet of the site is complete, or has the title "Part of a
 * program". Parts, and snippets of READMEs, see what those before them declare, the examples in the
 * page included. A snippet that is not to be compiled says why, after its language:
 * `uncompiled="shows a mistake"`. What a page leaves out is declared in comments of the page, each
 * in a line: `{/* compiled with: let signal!: AbortSignal; *\/}`.
 *
 * ```
 * npm run check -- snippets
 * ```
 */
import { globSync, readFileSync } from "node:fs";
import { compileSnippets } from "./checks/compile-snippets.ts";

const pages = globSync([
  "README.md",
  "packages/*/README.md",
  "apps/docs/src/content/docs/**/*.{md,mdx}",
])
  .toSorted()
  .map((page) => ({ page, markdown: readFileSync(page, "utf8") }));
const { compiled, exempt, problems } = compileSnippets(pages, "test-results/snippets");
for (const problem of problems) console.error(problem);
for (const { page, line, reason } of exempt)
  console.log(`${page}:${line} is not compiled: ${reason}`);
console.log(`${compiled} snippets compiled, ${exempt.length} exempt, ${problems.length} problems`);
if (problems.length > 0 || compiled === 0) process.exitCode = 1;
