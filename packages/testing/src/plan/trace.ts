import { hashText } from "./draw.ts";

/** One line of what happened in a run. */
export interface TraceEntry {
  /** Milliseconds since the start of the run. */
  readonly atMs: number;
  /** Who did it, or whom it happened to, such as `replica-0`, `user`, `server`. */
  readonly who: string;
  /** Description of the event. */
  readonly what: string;
}

/** Starts of the two halves of a digest, so that they differ for equal texts. */
const starts = { low: 0x81_1c_9d_c5, high: 0x4b_9a_ce_2f } as const;

/** Sixteen hexadecimal digits that differ, but for chance, if the texts do. */
export function digestOf(texts: Iterable<string>): string {
  let low: number = starts.low;
  let high: number = starts.high;
  for (const text of texts) {
    low = hashText(text, low);
    high = hashText(text, high ^ low);
  }
  return [high >>> 0, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}

/** The events of a run, in order. */
export class Trace {
  readonly #now: () => number;
  readonly #entries: TraceEntry[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  get entries(): readonly TraceEntry[] {
    return this.#entries;
  }

  get digest(): string {
    return digestOf(
      this.#entries.map(({ atMs, who, what }) => `${atMs.toFixed(3)} ${who} ${what}`),
    );
  }

  add(who: string, what: string): void {
    this.#entries.push({ atMs: this.#now(), who, what });
  }
}

/** Requests that change nothing but leases, and their answers. */
const reads = /^(?:→|← 200) (?:GET|\w+ coordination\.k8s\.io\S*) [^()]*$/;
/** Number of repeated lines in a row from which they become one line. */
const minFolded = 6;

/** Replaces many repeated reads in a row, such as renewals of watches, by one line. */
function foldRepeats(entries: readonly TraceEntry[]): readonly TraceEntry[] {
  const folded: TraceEntry[] = [];
  const seen = new Set<string>();
  let repeats: TraceEntry[] = [];
  const fold = (): void => {
    folded.push(...(repeats.length < minFolded ? repeats : [repeatsOf(repeats)]));
    repeats = [];
  };
  for (const entry of entries) {
    const text = `${entry.who} ${entry.what}`;
    if (entry.what.startsWith("starts")) seen.clear();
    if (reads.test(entry.what) && seen.has(text)) repeats.push(entry);
    else {
      fold();
      folded.push(entry);
    }
    seen.add(text);
  }
  fold();
  return folded;
}

function repeatsOf(entries: readonly TraceEntry[]): TraceEntry {
  const requests = entries.filter(({ what }) => what.startsWith("→")).length;
  const until = `${((entries.at(-1)?.atMs ?? 0) / 1000).toFixed(3)} s`;
  const who = [...new Set(entries.map((entry) => entry.who))].join(", ");
  const what = `repeats ${requests} reads and renewals of watches and leases until ${until}`;
  return { atMs: entries[0]?.atMs ?? 0, who, what };
}

/** Formats entries as lines: time, who, what. Many repeated reads in a row are one line. */
export function formatTimeline(all: readonly TraceEntry[]): string {
  const entries = foldRepeats(all);
  const widest = Math.max(0, ...entries.map(({ who }) => who.length));
  return entries
    .map(({ atMs, who, what }) => {
      const time = `${(atMs / 1000).toFixed(3)} s`.padStart(12);
      return `${time}  ${who.padEnd(widest)}  ${what}`;
    })
    .join("\n");
}
