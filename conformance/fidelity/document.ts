import { readFileSync, writeFileSync } from "node:fs";
import { type Differences, formatTable } from "./differences.ts";
import type { Scenario } from "./scenario.ts";

/** The document that lists the fake's differences. */
const document = new URL("../../packages/fake-apiserver/DIFFERENCES.md", import.meta.url);
const start = "<!-- table of `npm run fidelity -- --update`: begin -->";
const end = "<!-- table of `npm run fidelity -- --update`: end -->";

/** Whether the document contains the table of these differences. */
export function isDocumentRight(
  files: ReadonlyMap<string, readonly Scenario[]>,
  differences: Differences,
): boolean {
  const text = readFileSync(document, "utf8");
  return text === withTable(text, formatTable(files, differences));
}

export function updateDocument(
  files: ReadonlyMap<string, readonly Scenario[]>,
  differences: Differences,
): void {
  const text = readFileSync(document, "utf8");
  writeFileSync(document, withTable(text, formatTable(files, differences)));
}

function withTable(text: string, table: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error("DIFFERENCES.md has no marks around its table");
  return `${text.slice(0, from + start.length)}\n\n${table}\n\n${text.slice(to)}`;
}
