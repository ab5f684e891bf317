/** Fails on words of poor language and on wide lines: a part of `npm run lint`. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findings } from "./checks/language.ts";

// Recordings and generated files, and the sources and tests of these rules, which name the words.
const ignored =
  /^etc\/|CHANGELOG\.md$|^conformance\/fidelity\/replay\.|^scripts\/(?:test|checks)\/language|\.generated\./;
const patterns = ["*.ts", "*.mjs", "*.astro", "*.md", "*.mdx"];
const files = execFileSync("git", ["ls-files", "--", ...patterns], { encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => !ignored.test(file));
let count = 0;
for (const file of files) {
  for (const { line, problem } of findings(file, readFileSync(file, "utf8"))) {
    count++;
    console.error(`${file}:${line}: ${problem}`);
  }
}
console.log(`Words and width of lines: ${files.length} files, ${count} problems`);
if (count > 0) process.exitCode = 1;
