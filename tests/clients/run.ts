// Runs programs in other languages, each against a separate fake API server:
//
//   npm run test:clients -- [--field] [LANGUAGE...]
//
// Each language is a folder next to this file, described by its `client.json`. A missing language
// is reported and skipped. Programs that take long run only with `--field`.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readLanguage } from "./language.ts";
import { runLanguage } from "./run-language.ts";

const args = process.argv.slice(2);
const field = args.includes("--field");
const asked = args.filter((argument) => !argument.startsWith("--"));
const folder = import.meta.dirname;
const known = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted();
for (const name of asked) {
  if (known.includes(name)) continue;
  console.error(`There is no language ${name}; there are ${known.join(", ")}`);
  process.exit(1);
}

let passed = 0;
let failed = 0;
const missing: string[] = [];
for (const name of asked.length === 0 ? known : asked) {
  const language = readLanguage(join(folder, name));
  const counts = await runLanguage(language, field);
  if (counts === "missing") {
    missing.push(language.name);
    continue;
  }
  passed += counts.passed;
  failed += counts.failed;
}
if (missing.length > 0) console.log(`not on this machine: ${missing.join(", ")}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
