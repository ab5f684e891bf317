// Lines around a difference: apimachinery pkg/util/diff/diff.go.
const context = 3;
// Lines that are more than a hundredth of a long text are not searched for: difflib.go,
// `chainB`.
const longText = 200;

/** A part of both texts: lines from `start` to `end` of the old one, and of the new one. */
interface Part {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** The differences of two lists of lines, as github.com/pmezard/go-difflib writes them. */
export function unifiedDiff(old: readonly string[], now: readonly string[]): string {
  const groups = groupsOf(partsOf(matchesOf(old, now)));
  return groups.map((group) => writeGroup(old, now, group)).join("");
}

function writeGroup(
  old: readonly string[],
  now: readonly string[],
  group: readonly (Part & { readonly isSame: boolean })[],
): string {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) return "";
  const lines = [
    `@@ -${range(first.start, last.end)} +${range(first.newStart, last.newEnd)} @@`,
    ...group.flatMap(({ end, isSame, newEnd, newStart, start }) => {
      const kept = old.slice(start, end);
      if (isSame) return kept.map((line) => ` ${line}`);
      const added = now.slice(newStart, newEnd).map((line) => `+${line}`);
      return [...kept.map((line) => `-${line}`), ...added];
    }),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

function range(start: number, end: number): string {
  const length = end - start;
  if (length === 1) return String(start + 1);
  return `${length === 0 ? start : start + 1},${length}`;
}

// Leaves out equal lines that are not near a difference.
function groupsOf(
  parts: readonly (Part & { readonly isSame: boolean })[],
): readonly (readonly (Part & { readonly isSame: boolean })[])[] {
  const groups: (Part & { readonly isSame: boolean })[][] = [[]];
  for (const [index, part] of parts.entries()) {
    const { end, isSame, newEnd, newStart, start } = part;
    const head = Math.min(end, start + context);
    const tail = Math.max(start, end - context);
    const first = { ...part, end: head, newEnd: Math.min(newEnd, newStart + context) };
    const last = { ...part, start: tail, newStart: Math.max(newStart, newEnd - context) };
    if (!isSame) groups.at(-1)?.push(part);
    else if (index === 0) groups.at(-1)?.push(last);
    else if (index === parts.length - 1) groups.at(-1)?.push(first);
    else if (end - start <= 2 * context) groups.at(-1)?.push(part);
    else {
      groups.at(-1)?.push(first);
      groups.push([last]);
    }
  }
  return groups.filter((group) => group.some(({ isSame }) => !isSame));
}

function partsOf(matches: readonly Part[]): readonly (Part & { readonly isSame: boolean })[] {
  const parts: (Part & { readonly isSame: boolean })[] = [];
  let [start, newStart] = [0, 0];
  for (const match of matches) {
    if (start < match.start || newStart < match.newStart) {
      const [end, newEnd] = [match.start, match.newStart];
      parts.push({ start, end, newStart, newEnd, isSame: false });
    }
    if (match.start < match.end) parts.push({ ...match, isSame: true });
    [start, newStart] = [match.end, match.newEnd];
  }
  return parts;
}

/** The equal parts, and an empty one at the end: `GetMatchingBlocks`. */
function matchesOf(old: readonly string[], now: readonly string[]): readonly Part[] {
  const places = placesOf(now);
  const found: Part[] = [];
  const rest: Part[] = [{ start: 0, end: old.length, newStart: 0, newEnd: now.length }];
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    const match = longestMatch(old, now, places, part);
    if (match.start === match.end) continue;
    found.push(match);
    rest.push(
      { ...part, end: match.start, newEnd: match.newStart },
      { ...part, start: match.end, newStart: match.newEnd },
    );
  }
  const joined: Part[] = [];
  for (const match of found.toSorted((left, right) => left.start - right.start)) {
    const before = joined.at(-1);
    const isNext = before?.end === match.start && before.newEnd === match.newStart;
    if (before === undefined || !isNext) joined.push(match);
    else joined.splice(-1, 1, { ...before, end: match.end, newEnd: match.newEnd });
  }
  const [end, newEnd] = [old.length, now.length];
  return [...joined, { start: end, end, newStart: newEnd, newEnd }];
}

function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line);
    if (known === undefined) places.set(line, [index]);
    else known.push(index);
  }
  if (lines.length < longText) return places;
  const most = Math.floor(lines.length / 100) + 1;
  return new Map([...places].filter(([, found]) => found.length <= most));
}

/** The first of the longest equal parts: `findLongestMatch`. */
function longestMatch(
  old: readonly string[],
  now: readonly string[],
  places: ReadonlyMap<string, readonly number[]>,
  { end, newEnd, newStart, start }: Part,
): Part {
  let [best, newBest, size] = [start, newStart, 0];
  let lengths = new Map<number, number>();
  for (let index = start; index < end; index++) {
    const next = new Map<number, number>();
    for (const place of places.get(old[index] ?? "") ?? []) {
      if (place < newStart || place >= newEnd) continue;
      const length = (lengths.get(place - 1) ?? 0) + 1;
      next.set(place, length);
      if (length > size) [best, newBest, size] = [index - length + 1, place - length + 1, length];
    }
    lengths = next;
  }
  // Lines that are not searched for count beside a match.
  while (best > start && newBest > newStart && old[best - 1] === now[newBest - 1]) {
    [best, newBest, size] = [best - 1, newBest - 1, size + 1];
  }
  while (best + size < end && newBest + size < newEnd && old[best + size] === now[newBest + size]) {
    size++;
  }
  return { start: best, end: best + size, newStart: newBest, newEnd: newBest + size };
}
