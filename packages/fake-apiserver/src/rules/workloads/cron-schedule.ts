import { goQuote } from "../../base/go-text.ts";

/** Range of a schedule's field. */
interface Bounds {
  readonly least: number;
  readonly most: number;
  readonly names?: readonly string[];
}

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const days = "sun mon tue wed thu fri sat".split(" ");
const fields: readonly Bounds[] = [
  { least: 0, most: 59 },
  { least: 0, most: 23 },
  { least: 1, most: 31 },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: days },
];
const descriptors = new Set([
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);
const everyPrefix = "@every ";
// Numbers with units, as in "1h30m".
const duration = /^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/**
 * Returns the error of a CronJob's schedule, in the words of the library that the server parses it
 * with (robfig/cron v3, parser.go).
 */
export function scheduleProblem(schedule: string): string | undefined {
  if (schedule === "") return "empty spec string";
  const [, zone, rest] = /^(?:CRON_)?TZ=(\S*)\s*(.*)$/.exec(schedule) ?? [];
  if (zone !== undefined && !isTimeZone(zone)) {
    return `provided bad location ${zone}: unknown time zone ${zone}`;
  }
  const text = rest ?? schedule;
  if (text.startsWith("@")) return descriptorProblem(text);
  const parts = text.split(/\s+/).filter((part) => part !== "");
  if (parts.length !== fields.length) {
    return `expected exactly ${fields.length} fields, found ${parts.length}: [${parts.join(" ")}]`;
  }
  for (const [index, bounds] of fields.entries()) {
    const problem = fieldProblem(parts[index] ?? "", bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Values of a field of a schedule, in order. */
export interface CronRange {
  readonly values: readonly number[];
  /** Whether the field has a star. */
  readonly isAll: boolean;
}

/** Returns the values of the five fields of a valid schedule. */
export function cronRanges(schedule: string): readonly CronRange[] {
  const parts = schedule.split(/\s+/).filter((part) => part !== "");
  return parts.map((part, index) => {
    const bounds = fields[index] ?? { least: 0, most: 0 };
    const values = new Set<number>();
    let isAll = false;
    for (const range of part.split(",").filter((one) => one !== "")) {
      const [span = "", step] = range.split("/");
      const [low = "", high] = span.split("-");
      const isStar = low === "*" || low === "?";
      // A star with a step above 1 does not count as one: robfig/cron v3 parser.go, `getRange`.
      isAll ||= isStar && Number(step ?? 1) <= 1;
      const start = isStar ? bounds.least : Number(readNumber(low, bounds.names));
      const single = step === undefined ? start : bounds.most;
      const last = high === undefined ? single : Number(readNumber(high, bounds.names));
      const end = isStar ? bounds.most : last;
      for (let value = start; value <= end; value += Number(step ?? 1)) values.add(value);
    }
    return { values: Array.from(values).toSorted((left, right) => left - right), isAll };
  });
}

function descriptorProblem(text: string): string | undefined {
  if (descriptors.has(text)) return undefined;
  if (!text.startsWith(everyPrefix)) return `unrecognized descriptor: ${text}`;
  const length = text.slice(everyPrefix.length);
  if (duration.test(length)) return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${goQuote(length)}`;
}

function fieldProblem(field: string, bounds: Bounds): string | undefined {
  for (const range of field.split(",").filter((part) => part !== "")) {
    const problem = rangeProblem(range, bounds);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

// `start-end/step`; the end and the step may be missing, and "*" or "?" is everything.
function rangeProblem(range: string, bounds: Bounds): string | undefined {
  const [span = "", step, ...moreSteps] = range.split("/");
  const [low = "", high, ...moreEnds] = span.split("-");
  const isAll = low === "*" || low === "?";
  const start = isAll ? bounds.least : readNumber(low, bounds.names);
  if (typeof start === "string") return start;
  if (!isAll && moreEnds.length > 0) return `too many hyphens: ${range}`;
  const single = step === undefined ? start : bounds.most;
  const end = isAll ? bounds.most : high === undefined ? single : readNumber(high, bounds.names);
  if (typeof end === "string") return end;
  if (moreSteps.length > 0) return `too many slashes: ${range}`;
  const size = step === undefined ? 1 : readNumber(step, undefined);
  if (typeof size === "string") return size;
  if (start < bounds.least) {
    return `beginning of range (${start}) below minimum (${bounds.least}): ${range}`;
  }
  if (end > bounds.most) return `end of range (${end}) above maximum (${bounds.most}): ${range}`;
  if (start > end) {
    return `beginning of range (${start}) beyond end of range (${end}): ${range}`;
  }
  return size === 0 ? `step of range should be a positive number: ${range}` : undefined;
}

function readNumber(text: string, names: readonly string[] | undefined): number | string {
  const named = names?.indexOf(text.toLowerCase()) ?? -1;
  // The first month is 1, the first day of the week is 0.
  if (named >= 0) return names === months ? named + 1 : named;
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`;
  }
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}

/** Whether a time zone is known by this name. Offsets are not names. */
export function isTimeZone(name: string): boolean {
  if (name === "" || name === "UTC") return true;
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
