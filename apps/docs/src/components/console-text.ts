import { formatWithOptions } from "node-inspect-extracted";

/** A longer text says nothing more, and a page that shows it would stand still. */
const maxLength = 10_000;

/** The text that a call of `console.log` shows on a page: the same as on Node. */
export function consoleText(values: readonly unknown[]): string {
  const text = formatWithOptions({ colors: false, depth: 4 }, ...values);
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength)}… ${text.length - maxLength} more characters`;
}
