import { isJsonEqual, isRecord } from "@listwatch/core-fifo/base";

/** One step from an array to another, in the order of their elements. */
export type AlignmentStep =
  | { readonly type: "kept" }
  | { readonly type: "removed" }
  | { readonly type: "added"; readonly after: unknown }
  | { readonly type: "changed"; readonly before: unknown; readonly after: unknown };

/** Comparisons of elements, 8 bytes each. Longer arrays are compared position by position. */
const maxComparisons = 250_000;
/** Members that identify an element in lists of Kubernetes, the first one that both have. */
const identities: readonly string[] = ["name", "uid", "key", "type", "mountPath"];

/**
 * Matches the elements of two arrays: a longest common subsequence of equal elements, and between
 * them pairs of elements with the same name. O(n) for arrays with one changed place, otherwise O(n
 * · m) up to a limit.
 */
export function alignArrays(
  before: readonly unknown[],
  after: readonly unknown[],
): readonly AlignmentStep[] {
  const head = countEqual(before, after, (array, index) => array[index]);
  const restBefore = before.slice(head);
  const restAfter = after.slice(head);
  const tail = countEqual(restBefore, restAfter, (array, index) => array.at(-1 - index));
  const middleBefore = restBefore.slice(0, restBefore.length - tail);
  const middleAfter = restAfter.slice(0, restAfter.length - tail);
  const kept = (count: number): readonly AlignmentStep[] =>
    Array.from({ length: count }, () => ({ type: "kept" }) as const);
  return [...kept(head), ...alignMiddle(middleBefore, middleAfter), ...kept(tail)];
}

function countEqual(
  before: readonly unknown[],
  after: readonly unknown[],
  at: (array: readonly unknown[], index: number) => unknown,
): number {
  const limit = Math.min(before.length, after.length);
  let count = 0;
  while (count < limit && isJsonEqual(at(before, count), at(after, count))) count += 1;
  return count;
}

function alignMiddle(
  before: readonly unknown[],
  after: readonly unknown[],
): readonly AlignmentStep[] {
  if (before.length * after.length > maxComparisons) return pairRuns(before, after);
  const table = scoreTable(before, after);
  const steps: AlignmentStep[] = [];
  let from = 0;
  let to = 0;
  while (from < before.length && to < after.length) {
    const here = table[from]![to]!;
    if (here === table[from + 1]![to]!) {
      steps.push({ type: "removed" });
      from += 1;
    } else if (here === table[from]![to + 1]!) {
      steps.push({ type: "added", after: after[to] });
      to += 1;
    } else {
      steps.push(stepOf(before[from], after[to]));
      from += 1;
      to += 1;
    }
  }
  for (; from < before.length; from += 1) steps.push({ type: "removed" });
  for (; to < after.length; to += 1) steps.push({ type: "added", after: after[to] });
  return steps;
}

/** Best score of matching the rests of both arrays, by the positions where the rests begin. */
function scoreTable(
  before: readonly unknown[],
  after: readonly unknown[],
): readonly Float64Array[] {
  const table = Array.from({ length: before.length + 1 }, () => new Float64Array(after.length + 1));
  for (let from = before.length - 1; from >= 0; from -= 1) {
    for (let to = after.length - 1; to >= 0; to -= 1) {
      const matched = scoreOf(before[from], after[to]) + table[from + 1]![to + 1]!;
      table[from]![to] = Math.max(matched, table[from + 1]![to]!, table[from]![to + 1]!);
    }
  }
  return table;
}

// Equal elements take precedence over those of the same name, and these over any others.
function scoreOf(before: unknown, after: unknown): number {
  if (isJsonEqual(before, after)) return 1_000_000;
  if (!isRecord(before) || !isRecord(after)) return 1;
  const identity = identities.find((name) => name in before && name in after);
  return identity !== undefined && isJsonEqual(before[identity], after[identity]) ? 1000 : 1;
}

function stepOf(before: unknown, after: unknown): AlignmentStep {
  return isJsonEqual(before, after) ? { type: "kept" } : { type: "changed", before, after };
}

function pairRuns(before: readonly unknown[], after: readonly unknown[]): readonly AlignmentStep[] {
  const paired = Math.min(before.length, after.length);
  const steps = after.slice(0, paired).map((value, index) => stepOf(before[index], value));
  const removed = before.slice(paired).map((): AlignmentStep => ({ type: "removed" }));
  const added = after
    .slice(paired)
    .map((value): AlignmentStep => ({ type: "added", after: value }));
  return [...steps, ...removed, ...added];
}
