import data from "./figures.json" with { type: "json" };

/** Contents of `figures.json`. CONTRIBUTING.md ("Figures") describes who writes which part. */
export interface Figures {
  /** Written by `npm run bench:peers -- --write`. */
  readonly informers: InformerFigures;
  /** Written by `npm run bench:installs`. */
  readonly installs: InstallFigures;
  /** Written by `npm run gen -- figures`, like `faults`, `bundle` and `operators`. */
  readonly recordings: RecordingFigures;
  readonly faults: FaultFigures;
  readonly bundle: BundleFigures;
  readonly operators: OperatorFigures;
  /** Written by hand. */
  readonly comparison: Comparison;
}

/** Medians of informers, each with the list and the events of one server. */
export interface InformerFigures {
  readonly command: string;
  readonly date: string;
  readonly machine: string;
  /** Number of objects. */
  readonly pods: number;
  readonly runs: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly InformerRow[];
}

/** One informer with one content type and one form of the first list. */
export interface InformerRow {
  readonly informer: string;
  /** The cached objects. With 60 kinds there is an informer for each. */
  readonly objects: "pods" | "custom resources" | "60 kinds";
  readonly reads: "JSON" | "protobuf";
  readonly list: "list" | "streamed";
  readonly syncMs: number;
  readonly peakMb?: number | undefined;
  readonly heapMb?: number | undefined;
  readonly eventsPerSecond: number;
}

/** Sizes of empty folders after an install with npm, without scripts. */
export interface InstallFigures {
  readonly command: string;
  readonly date: string;
  /** The installed packages of others. */
  readonly packages: Readonly<Record<string, string>>;
  readonly mb: Readonly<Record<string, number>>;
}

/** Replays of recordings of client-go. */
export interface RecordingFigures {
  readonly command: string;
  readonly recorded: string;
  readonly cases: number;
  readonly steps: number;
  readonly differentCases: number;
}

/** Runs of the reflector's fault matrix. */
export interface FaultFigures {
  readonly command: string;
  readonly faults: number;
  readonly moments: number;
  readonly runs: number;
}

/** Size limit of an informer with its connection and their dependencies. */
export interface BundleFigures {
  readonly command: string;
  /** Minified, after gzip. */
  readonly kb: number;
}

/** The same operator with several tools: the programs in `bench/peers/operators`. */
export interface OperatorFigures {
  readonly command: string;
  /** Lines of code by tool, without empty ones and comments. */
  readonly lines: Readonly<Record<string, number>>;
}

export interface Comparison {
  /** Names of the tools by id, in the order of the columns. */
  readonly tools: Readonly<Record<string, string>>;
  readonly rows: readonly ComparisonRow[];
}

export interface ComparisonRow {
  readonly title: string;
  /** A command, a file of this repository, or the versions whose sources were read. */
  readonly source: string;
  /** A cell for each tool. A string that begins with "yes", "no" or "partly" gets a mark. */
  readonly cells: Readonly<Record<string, string | { readonly figure: string }>>;
}

export const figures = data as Figures;

const amount = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const count = new Intl.NumberFormat("en-US");
const seconds = new Intl.NumberFormat("en-US", {
  minimumSignificantDigits: 2,
  maximumSignificantDigits: 2,
});

const formats: Readonly<Record<string, (value: number) => string>> = {
  syncMs: (value) => `${seconds.format(value / 1000)} s`,
  peakMb: (value) => `${amount.format(value)} MB`,
  heapMb: (value) => `${amount.format(value)} MB`,
  eventsPerSecond: (value) => `${amount.format(value)}/s`,
};

/** The name of a row of `informers` in the names of figures. */
export function rowName({ informer, list, objects, reads }: InformerRow): string {
  const name = `${informer}, ${reads}, ${list}`;
  return objects === "pods" ? name : `${name}, ${objects}`;
}

/**
 * Formats a figure by its name, which pages keep in the attribute `data-figure`:
 *
 * - `recordings.steps`: a member of the file
 * - `syncMs: client-go, protobuf, list`: a figure of a row of `informers`
 * - `syncMs: client-go, protobuf, list / client-node, JSON, list`: the first as a multiple
 *
 * A figure that the last run did not measure is "not measured", and its multiple is empty.
 */
export function figureText(name: string): string {
  const [, kind, of = "", base] = /^(\w+): (.*?)(?: \/ (.*))?$/.exec(name) ?? [];
  if (kind === undefined) return memberText(name);
  const [value, unit] = [measured(kind, of), base === undefined ? 1 : measured(kind, base)];
  if (base !== undefined) {
    return value === undefined || unit === undefined ? "" : `×${(value / unit).toFixed(2)}`;
  }
  const format = formats[kind];
  if (format === undefined) throw new Error(`Expected a kind of figures, got ${kind}`);
  return value === undefined ? "not measured" : format(value);
}

function measured(kind: string, of: string): number | undefined {
  const row = figures.informers.rows.find((each) => rowName(each) === of);
  if (row === undefined) return undefined;
  const value: unknown = Reflect.get(row, kind);
  return typeof value === "number" ? value : undefined;
}

function memberText(path: string): string {
  let value: unknown = figures;
  const names = path.split(".");
  for (const name of names) value = Reflect.get(Object(value), name);
  const unit = names.includes("mb")
    ? " MB"
    : names.includes("kb")
      ? " kB"
      : names.includes("lines")
        ? " lines"
        : "";
  if (typeof value === "number") return `${count.format(value)}${unit}`;
  if (typeof value === "string") return value;
  throw new Error(`Expected a number or a string at ${path} of figures.json`);
}
