import type { Result } from "./measure.ts";

/** Results as a table in Markdown, which is also readable as it is. */
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
  const rows = results.map(row);
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => pad(cell, widths[column] ?? 0)).join(" | ")} |`;
  return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join(
    "\n",
  );
}

function row(result: Result): string[] {
  const { suite, name, unit, yardstick, subject, ratio, ratioRange, goal } = result;
  return [
    suite,
    name,
    unit,
    yardstick.name,
    number(yardstick.median),
    subject.name,
    number(subject.median),
    `${number(ratio)} × (${ratioRange.map(number).join("–")})`,
    goal === undefined ? "" : `≥ ${number(goal)} ×`,
    goal === undefined ? "" : ratio >= goal ? "reached" : "missed",
  ];
}

function number(value: number): string {
  if (value >= 100) return value.toLocaleString("en-US", { maximumFractionDigits: 0 });
  return value.toPrecision(3);
}

/** Numbers to the right, words to the left. */
function pad(cell: string, width: number): string {
  return /^[\d.,]+$/.test(cell) ? cell.padStart(width) : cell.padEnd(width);
}
