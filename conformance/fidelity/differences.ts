import { existsSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import type { Scenario } from "./scenario.ts";

/** Differing steps by the name of their scenario: `1, 4, 7-9`. */
export type DifferingSteps = Readonly<Record<string, string>>;
/** The differing steps of each recording, by its file name. */
export type Differences = Readonly<Record<string, DifferingSteps>>;

export const recordings: URL = new URL("recordings/", import.meta.url);
const dataFile = new URL("differences.json", import.meta.url);

/** Reads the recorded steps that are known to differ. */
export function readDifferences(): Differences {
  return JSON.parse(readFileSync(dataFile, "utf8")) as Differences;
}

/**
 * Returns the known differences of a file. They apply to the project's recordings and to copies of
 * them; in any other file, each step must pass.
 */
export function differencesOf(file: string | URL): DifferingSteps {
  const name = basename(file instanceof URL ? file.pathname : file);
  const own = new URL(name, recordings);
  if (!existsSync(own)) return {};
  const isCopy = readFileSync(own).equals(readFileSync(file));
  return isCopy ? (readDifferences()[name] ?? {}) : {};
}

export function formatSteps(steps: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const step of steps) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === step - 1) last[1] = step;
    else ranges.push([step, step]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}

/** Parses the output of {@link formatSteps}. */
export function parseSteps(text: string): ReadonlySet<number> {
  const steps = new Set<number>();
  for (const range of text === "" ? [] : text.split(", ")) {
    const [from = 0, to = from] = range.split("-").map(Number);
    for (let step = from; step <= to; step++) steps.add(step);
  }
  return steps;
}

/** Formats the data file with the differing steps of all recordings. */
export function formatDifferences(differences: Differences): string {
  const files = Object.keys(differences).toSorted();
  const sorted = files.map((file) => [
    file,
    Object.fromEntries(
      Object.entries(differences[file] ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ]);
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`;
}

/** Formats the document's table: the number of differing steps by file and category. */
export function formatTable(
  files: ReadonlyMap<string, readonly Scenario[]>,
  differences: Differences,
): string {
  const rows = [["file", "category", "steps", "differ"]];
  for (const [file, scenarios] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    for (const [category, [steps, differing]] of countByCategory(scenarios, differences[file])) {
      rows.push([`\`${file}\``, category, String(steps), String(differing)]);
    }
  }
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[], numbers = true): string => {
    const cells = row.map((cell, column) => {
      const width = widths?.[column] ?? 0;
      return numbers && column > 1 ? cell.padStart(width) : cell.padEnd(width);
    });
    return `| ${cells.join(" | ")} |`;
  };
  const rules = (widths ?? []).map((width, column) =>
    column > 1 ? `${"-".repeat(width - 1)}:` : "-".repeat(width),
  );
  const rule = `| ${rules.join(" | ")} |`;
  return [line(rows[0] ?? []), rule, ...rows.slice(1).map((row) => line(row))].join("\n");
}

function countByCategory(
  scenarios: readonly Scenario[],
  differing: DifferingSteps = {},
): ReadonlyMap<string, readonly [number, number]> {
  const counts = new Map<string, [number, number]>();
  for (const { category, name, steps } of scenarios) {
    const count = counts.get(category) ?? [0, 0];
    count[0] += steps;
    count[1] += parseSteps(differing[name] ?? "").size;
    counts.set(category, count);
  }
  return counts;
}
