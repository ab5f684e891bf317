/**
 * Fails on words that STYLE does not want and on lines over 100 columns: a part of `npm run lint`.
 * A folder in `language-ceilings.json` may have as many findings as it says; the number may only
 * fall. `--all` prints the findings of these folders, too.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { findings } from "./checks/language.ts";
import { readJson } from "./workspace.ts";

// Recordings and generated files, and the sources and tests of these rules, which name the words.
const ignored =
  /^etc\/|CHANGELOG\.md$|^conformance\/fidelity\/replay\.|^scripts\/(?:test|checks)\/language|\.generated\./;
const ceilings = readJson("scripts/language-ceilings.json") as Readonly<Record<string, number>>;
const showAll = process.argv.includes("--all");

function folderOf(file: string): string {
  const [first = "", second = ""] = file.split("/");
  return first === "packages" ? `${first}/${second}` : first;
}

const patterns = ["*.ts", "*.mjs", "*.astro", "*.md", "*.mdx"];
const files = execFileSync("git", ["ls-files", "--", ...patterns], { encoding: "utf8" })
  .trim()
  .split("\n")
  .filter((file) => !ignored.test(file));
const byFolder = new Map<string, string[]>();
for (const file of files) {
  const folder = folderOf(file);
  const found = byFolder.get(folder) ?? [];
  for (const { line, problem } of findings(file, readFileSync(file, "utf8"))) {
    found.push(`${file}:${line}: ${problem}`);
  }
  byFolder.set(folder, found);
}
for (const [folder, found] of byFolder) {
  const ceiling = ceilings[folder] ?? 0;
  if (found.length > ceiling || showAll) for (const finding of found) console.error(finding);
  if (found.length > ceiling) {
    console.error(`${folder}: ${found.length} findings, at most ${ceiling}`);
    process.exitCode = 1;
  } else if (found.length < ceiling) {
    console.error(`${folder}: ${found.length} findings; lower the ${ceiling} in its ceiling`);
  }
}
