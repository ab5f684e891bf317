/**
 * Returns the lines of a Markdown table with columns of equal width, as the formatter writes them.
 * The first row is the head.
 */
export function markdownTable(rows: readonly (readonly string[])[]): string[] {
  const [head = []] = rows;
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    line(row.map((cell, column) => cell.padEnd(widths[column] ?? 0))),
  );
  const rule = line(widths.map((width) => "-".repeat(width)));
  return lines.toSpliced(1, 0, rule);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
