/**
 * Writes which tests and recordings name each requirement to the end of `docs/requirements/*.md`,
 * and prints the requirements that nothing names. Fails on codes that are not defined, and on codes
 * in sources, which give the reason in words. With `--check`, fails when the documents are out of
 * date.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import {
  citationsIn,
  codesInSource,
  definitionsIn,
  withGenerated,
  type Requirement,
} from "./checks/requirements.ts";
import { readJson } from "./workspace.ts";

const check = process.argv.includes("--check");
const documents = globSync("docs/requirements/*.md").toSorted();
const codes = new Set(
  documents.flatMap((file) => definitionsIn(readFileSync(file, "utf8")).map(({ code }) => code)),
);

function fail(problem: string): void {
  console.error(problem);
  process.exitCode = 1;
}

const testPatterns = ["{packages,apps}/*/test/**/*.{ts,mjs}", "{conformance,tests}/**/*.ts"];
const texts = new Map(
  // Programs are copied to where another compiler reads them.
  globSync(testPatterns, { exclude: ["**/test-results/**"] })
    .toSorted()
    .map((file) => [file, readFileSync(file, "utf8")]),
);
const citations = citationsIn(texts, codes);
for (const unknown of citations.unknown) fail(`${unknown} is not defined in docs/requirements`);

/** How many recorded cases of each file cover a code. */
const recordings = new Map<string, string[]>();
for (const file of globSync("conformance/traces/*.json").toSorted()) {
  const { cases } = readJson(file) as { cases: readonly { covers?: readonly string[] }[] };
  const counts = new Map<string, number>();
  for (const code of cases.flatMap(({ covers = [] }) => covers)) {
    counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  for (const [code, count] of counts) {
    // Sections such as 1.6.1 and tables are not requirements.
    if (/^(?:[\d.]+|ERR-TABLE)$/.test(code)) continue;
    if (!codes.has(code)) fail(`${file} covers ${code}, which docs/requirements does not define`);
    const name = `${count} recorded in ${basename(file)}`;
    recordings.set(code, [...(recordings.get(code) ?? []), name]);
  }
}

const exchanges = new Map<string, number>();
const { cases } = readJson("conformance/fidelity/recordings/apiserver-http.json") as {
  cases: readonly { category: string }[];
};
for (const { category } of cases) exchanges.set(category, (exchanges.get(category) ?? 0) + 1);

function namedBy({ code, categories }: Requirement): string[] {
  const files = (citations.files.get(code) ?? []).map((file) => file.replace(/^packages\//, ""));
  const replayed = categories.map((category) => {
    const count = exchanges.get(category);
    if (count === undefined) fail(`${code}: there is no category of cases "${category}"`);
    return `${count} exchanges of ${category}`;
  });
  return [...files, ...(recordings.get(code) ?? []), ...replayed];
}

const isTested = ({ code }: Requirement): boolean => citations.files.has(code);
for (const file of documents) {
  const document = readFileSync(file, "utf8");
  const text = withGenerated(document, namedBy);
  const requirements = definitionsIn(document);
  const bare = requirements.filter((requirement) => namedBy(requirement).length === 0);
  const recorded = requirements.length - bare.length - requirements.filter(isTested).length;
  console.log(`${file}: ${recorded} requirements are named by recordings alone`);
  const list = bare.map(({ code }) => code).join(" ");
  console.log(
    `${file}: ${requirements.length} requirements, nothing names ${bare.length}: ${list}`,
  );
  if (!check) writeFileSync(file, text);
  else if (text !== document) fail(`${file} is out of date: run "npm run gen -- requirements"`);
}

for (const file of globSync("packages/*/src/**/*.ts").toSorted()) {
  for (const code of codesInSource(readFileSync(file, "utf8"), codes)) {
    fail(`${file}: ${code}: give the reason in words`);
  }
}
