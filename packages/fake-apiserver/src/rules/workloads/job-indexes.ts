import { goQuote } from "../../base/go-text.ts";

/** Indexes of the pods of a job, such as `1,3-5`: how many there are, or what is wrong. */
export type Indexes =
  | { readonly total: number; readonly problem?: undefined }
  | { readonly problem: string };

/** An interval of indexes, or what is wrong with it. */
type Interval = readonly [from: number, to: number] | string;

/** Reads indexes (pkg/apis/batch/validation, `validateIndexesFormat`). */
export function parseIndexes(text: string, completions: number): Indexes {
  if (text === "") return { total: 0 };
  let last: number | undefined;
  let total = 0;
  for (const part of text.split(",")) {
    const interval = parseInterval(part, completions);
    if (typeof interval === "string") return { problem: interval };
    const [from, to] = interval;
    if (last !== undefined && last >= from) return { problem: notIncreasing(last, from) };
    total += to - from + 1;
    last = to;
  }
  return { total };
}

/** The first index that is in both; undefined for none. What cannot be read is left out. */
export function overlapOf(
  completed: string,
  failed: string,
  completions: number,
): number | undefined {
  const intervals = (text: string): readonly (readonly [number, number])[] =>
    text
      .split(",")
      .map((part) => parseInterval(part, completions))
      .filter((interval) => typeof interval !== "string")
      .toSorted(([left], [right]) => left - right);
  if (completed === "" || failed === "") return undefined;
  const others = intervals(failed);
  // Both are in order, so that intervals that end before one end before all later ones.
  let next = 0;
  for (const [from, to] of intervals(completed)) {
    while ((others[next]?.[1] ?? from) < from) next++;
    const first = others[next]?.[0] ?? Infinity;
    if (first <= to) return Math.max(from, first);
  }
  return undefined;
}

function parseInterval(text: string, completions: number): Interval {
  const limits = text.split("-");
  if (limits.length > 2) {
    return `the fragment ${goQuote(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  }
  const numbers: number[] = [];
  for (const limit of limits) {
    const problem = `cannot convert string to integer for index: ${goQuote(limit)}`;
    if (!/^\+?\d+$/.test(limit)) return problem;
    if (Number(limit) >= completions) return `too large index: ${goQuote(limit)}`;
    numbers.push(Number(limit));
  }
  const [from = 0, to = from] = numbers;
  if (numbers.length > 1 && from >= to) return notIncreasing(from, to);
  return [from, to];
}

function notIncreasing(previous: number, current: number): string {
  return `non-increasing order, previous: ${previous}, current: ${current}`;
}
