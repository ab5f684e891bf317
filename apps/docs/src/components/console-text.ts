/**
 * One argument of `console.log` as text: strings as they are, errors by name and message, all else
 * as JSON.
 */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** The line that a call of `console.log` shows on a page. */
export function consoleText(values: readonly unknown[]): string {
  return values.map(textOf).join(" ");
}
