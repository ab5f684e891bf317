import { goQuote } from "../base/go-text.ts";

/** The layout of a Time in Go. */
export const timeLayout = "2006-01-02T15:04:05Z07:00";
/** The layout of a MicroTime in Go. */
export const microTimeLayout = "2006-01-02T15:04:05.000000Z07:00";

/** Parts of a layout, what they read, and which numbers they may be. */
const parts: readonly (readonly [
  part: string,
  pattern: RegExp,
  name?: string,
  least?: number,
  most?: number,
])[] = [
  ["2006", /^\d{4}/],
  ["-", /^-/],
  ["01", /^\d\d/, "month", 1, 12],
  ["-", /^-/],
  ["02", /^\d\d/, "day", 1, 31],
  ["T", /^T/],
  ["15", /^\d\d?/, "hour", 0, 23],
  [":", /^:/],
  ["04", /^\d\d/, "minute", 0, 59],
  [":", /^:/],
  ["05", /^\d\d/, "second", 0, 59],
];
const fraction = [".000000", /^[.,]\d{6}/] as const;
const offset = ["Z07:00", /^(?:Z|[+-]\d\d:\d\d)/] as const;

/**
 * Says why Go's `time.Parse` refuses a string, of which it reads one part of the layout after the
 * other.
 */
export function describeTime(layout: string, value: string): string {
  const start = `parsing time ${goQuote(value)}`;
  let rest = value;
  for (const [part, pattern, name = "", least = 0, most = Infinity] of [
    ...parts,
    ...(layout === microTimeLayout ? [fraction] : []),
    offset,
  ]) {
    // A fraction that the layout does not have is read with the seconds.
    if (part === "Z07:00" && layout === timeLayout) rest = rest.replace(/^[.,]\d+/, "");
    const [read] = pattern.exec(rest) ?? [];
    if (read === undefined) {
      return `${start} as ${goQuote(layout)}: cannot parse ${goQuote(rest)} as ${goQuote(part)}`;
    }
    if (Number(read) < least || Number(read) > most) return `${start}: ${name} out of range`;
    rest = rest.slice(read.length);
  }
  return rest === "" ? `${start}: day out of range` : `${start}: extra text: ${goQuote(rest)}`;
}
