/**
 * Fails on poor language and on wide lines: a part of `npm run lint`. With `--count`, prints how
 * many comments each folder has, how long they are, and how often they use a word that only a
 * reader can judge.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { countComments, findings } from "./checks/language.ts";

// Recordings and generated files, and the sources and tests of these rules, which name the words.
const ignored =
  /^etc\/|CHANGELOG\.md$|^conformance\/fidelity\/replay\.|^scripts\/(?:test|checks)\/language|\.generated\./;
const patterns = ["*.ts", "*.tsx", "*.mjs", "*.astro", "*.md", "*.mdx"];
const files = execFileSync("git", ["ls-files", "--", ...patterns], { encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => !ignored.test(file));

function report(): void {
  let count = 0;
  for (const file of files) {
    for (const { line, problem } of findings(file, readFileSync(file, "utf8"))) {
      count++;
      console.error(`${file}:${line}: ${problem}`);
    }
  }
  console.log(`Words and width of lines: ${files.length} files, ${count} problems`);
  if (count > 0) process.exitCode = 1;
}

/** The folder that a row of figures stands for: a package's sources, or its tests. */
function folderOf(file: string): string {
  const [first = "", second = "", third = ""] = file.split("/");
  return first === "packages" || first === "apps" ? `${first}/${second}/${third}` : first;
}

function printFigures(): void {
  const rows = new Map<string, Record<string, number>>();
  for (const file of files.filter((each) => /\.(?:tsx?|mjs)$/.test(each))) {
    const figures = countComments(file, readFileSync(file, "utf8"));
    for (const folder of [folderOf(file), "all"]) {
      const row = rows.get(folder) ?? {};
      for (const [name, value] of Object.entries(figures)) row[name] = (row[name] ?? 0) + value;
      rows.set(folder, row);
    }
  }
  console.table(Object.fromEntries([...rows].toSorted(([a], [b]) => a.localeCompare(b))));
}

if (process.argv.includes("--count")) printFigures();
else report();
