import { median } from "../framework/measure.ts";
import { markdownTable, number } from "../framework/table.ts";
import type { Figures } from "./measure.ts";
import type { Peer } from "./peers.ts";

/** Measurements of a row, or the reason why there are none. */
export interface Measured {
  readonly peer: Peer;
  readonly samples: readonly Figures[];
  readonly failure?: string | undefined;
}

interface Column {
  readonly titles: readonly [figure: string, ratio: string];
  readonly of: (figures: Figures) => number | undefined;
}

const bytesPerMb = 2 ** 20;
/** Converts to MB; some machines and languages provide no figure. */
export const megabytes = (bytes: number | undefined): number | undefined =>
  bytes === undefined ? undefined : bytes / bytesPerMb;

const columns: readonly Column[] = [
  { titles: ["sync, ms", "× ours"], of: ({ syncMs }) => syncMs },
  { titles: ["peak RSS, MB", "× ours"], of: ({ peakBytes }) => megabytes(peakBytes) },
  { titles: ["live heap, MB", "× ours"], of: ({ heapBytes }) => megabytes(heapBytes) },
  { titles: ["events/s", "× ours"], of: ({ eventsPerSecond }) => eventsPerSecond },
];

/** Formats the medians of all rows. Ratios are relative to the median of the first row. */
export function report([ours, ...others]: readonly Measured[]): string {
  if (ours === undefined) return "";
  const header = ["informer", "content type", "allocator", "first list"];
  return markdownTable(
    [...header, ...columns.flatMap(({ titles }) => titles)],
    [ours, ...others].map((measured) => row(measured, ours)),
  );
}

function row(measured: Measured, ours: Measured): string[] {
  const { allocator, contentType, list, name } = measured.peer;
  const title = [name, contentType, allocator, list];
  if (measured.failure !== undefined) {
    const [, ...rest] = columns.flatMap(({ titles }) => titles.map(() => ""));
    return [...title, measured.failure, ...rest];
  }
  return [...title, ...columns.flatMap((column) => cells(column, measured, ours))];
}

function cells({ of }: Column, { samples }: Measured, ours: Measured): string[] {
  const figure = medianOf(samples.map(of));
  const base = medianOf(ours.samples.map(of));
  if (figure === undefined) return ["not known", ""];
  return [number(figure), base === undefined ? "" : number(figure / base)];
}

/** Returns the median of the known values. */
export function medianOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : median(known);
}
