import type { Measured, Result } from "./measure.ts";

/** Formats results as a Markdown table with aligned columns. */
export function table(results: readonly Result[]): string {
  const header = [
    "suite",
    "benchmark",
    "unit",
    "yardstick",
    "",
    "subject",
    "",
    "ratio",
    "goal",
    "",
  ];
  return markdownTable(header, results.map(row));
}

export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const tableRow = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0)).join(" | ")} |`;
  return [
    tableRow(header),
    tableRow(widths.map((width) => "-".repeat(width))),
    ...rows.map(tableRow),
  ].join("\n");
}

function row(result: Result): string[] {
  const { suite, name, unit, yardstick, subject } = result;
  return [
    suite,
    name,
    unit,
    yardstick.name,
    cost(yardstick),
    subject.name,
    cost(subject),
    ratioOf(result),
    ...goalOf(result),
  ];
}

/** Formats one result as a line, to be read while others are measured. */
export function line(result: Result): string {
  const { suite, name, unit, yardstick, subject } = result;
  const [goal, verdict] = goalOf(result);
  const parts = [
    `${yardstick.name} ${cost(yardstick)}`,
    `${subject.name} ${cost(subject)} ${unit}`,
    ratioOf(result),
    goal === "" ? "" : `goal ${goal} ${verdict}`,
  ];
  return `${suite}: ${name}: ${parts.filter((part) => part !== "").join(", ")}`;
}

function cost({ median, failure }: Measured): string {
  return failure === undefined ? number(median) : `fails: ${failure}`;
}

function ratioOf({ yardstick, ratio, ratioRange }: Result): string {
  if (yardstick.failure !== undefined) return "";
  return `${number(ratio)} × (${ratioRange.map(number).join("–")})`;
}

function goalOf({ ratio, goal }: Result): readonly [goal: string, verdict: string] {
  if (goal === undefined) return ["", ""];
  return [`≥ ${number(goal)} ×`, ratio >= goal ? "reached" : "missed"];
}

/** Rounds to three digits, or to the unit. */
export function number(value: number): string {
  if (value >= 100) return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
  return value.toPrecision(3);
}

/** Aligns numbers right and words left. */
function pad(cell: string, width: number): string {
  return /^[\d.,]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}
