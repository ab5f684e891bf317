import { wallTime } from "../base/zoned-time.ts";
import { CelFailure, noSuchOverload } from "./failures.ts";
import { type CelFunction, durationIn, timestampIn } from "./operators.ts";
import { Duration, Timestamp } from "./values.ts";

const billion = 1_000_000_000n;
const nanosOfUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: billion,
  m: 60n * billion,
  h: 3600n * billion,
};

/** Parses a duration such as `1h30m`. @throws {CelFailure} for another string */
export function parseGoDuration(text: string): Duration {
  const { sign = "", rest = "" } = /^(?<sign>[+-]?)(?<rest>.*)$/s.exec(text)?.groups ?? {};
  if (rest === "0") return new Duration(0n);
  const isDuration = /^(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(rest);
  if (!isDuration) throw new CelFailure(`time: invalid duration ${JSON.stringify(text)}`);
  let nanos = 0n;
  for (const [, whole = "", part = "", unit = ""] of rest.matchAll(
    /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    const digits = part.slice(0, 18);
    const factor = nanosOfUnit[unit] ?? 0n;
    nanos += (BigInt(whole + digits || "0") * factor) / 10n ** BigInt(digits.length);
  }
  return durationIn(sign === "-" ? -nanos : nanos);
}

const timestampPattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Parses a time of RFC 3339. @throws {CelFailure} for another string */
export function parseTimestamp(text: string): Timestamp {
  const [, year, month, day, hour, minute, second, part = "", sign, offsetHour, offsetMinute] =
    timestampPattern.exec(text) ?? [];
  const numbers = [year, month, day, hour, minute, second].map(Number);
  const milliseconds = utcOf(numbers);
  if (year === undefined || milliseconds === undefined) {
    throw new CelFailure(
      `parsing time ${JSON.stringify(text)} as "2006-01-02T15:04:05Z07:00": cannot parse`,
    );
  }
  const offset = sign === undefined ? 0 : Number(offsetHour) * 60 + Number(offsetMinute);
  const minutes = sign === "-" ? -offset : offset;
  const nanos = BigInt(milliseconds - minutes * 60_000) * 1_000_000n;
  const time = timestampIn(nanos + BigInt(part.slice(0, 9).padEnd(9, "0")));
  return new Timestamp(time.nanos, minutes);
}

/** Milliseconds of a date that exists in the calendar. */
function utcOf(numbers: readonly number[]): number | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = numbers;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  if (!exists || hour > 23 || minute > 59 || second > 59) return undefined;
  return date.setUTCHours(hour, minute, second);
}

/** Writes a time as RFC 3339, with as many digits as it needs. */
export function timestampText({ nanos, offsetMinutes }: Timestamp): string {
  const date = new Date(Number(floored(nanos, 1_000_000n)) + offsetMinutes * 60_000);
  const part = String(modulo(nanos, billion)).padStart(9, "0").replace(/0+$/, "");
  const zone = offsetMinutes === 0 ? "Z" : offsetText(offsetMinutes);
  return `${date.toISOString().slice(0, 19)}${part === "" ? "" : `.${part}`}${zone}`;
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const digits = [Math.floor(size / 60), size % 60].map((one) => String(one).padStart(2, "0"));
  return `${minutes < 0 ? "-" : "+"}${digits.join(":")}`;
}

function floored(value: bigint, by: bigint): bigint {
  return (value - modulo(value, by)) / by;
}

function modulo(value: bigint, by: bigint): bigint {
  return ((value % by) + by) % by;
}

/** The time as if its zone were UTC, whose fields are those of the zone. */
function inZone({ nanos }: Timestamp, zone: unknown): Date {
  const milliseconds = Number(floored(nanos, 1_000_000n));
  if (zone === undefined) return new Date(milliseconds);
  if (typeof zone !== "string") throw noSuchOverload();
  const [, sign = "", hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (hours !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return new Date(milliseconds + (sign === "-" ? -offset : offset));
  }
  return namedZone(milliseconds, zone);
}

function namedZone(milliseconds: number, zone: string): Date {
  try {
    return wallTime(zone, milliseconds);
  } catch {
    throw new CelFailure(`unknown time zone ${zone}`);
  }
}

function getter(ofTime: ((date: Date) => number) | undefined, nanosPerUnit?: bigint): CelFunction {
  return (value, zone) => {
    if (value instanceof Timestamp && ofTime !== undefined) {
      return BigInt(ofTime(inZone(value, zone)));
    }
    if (value instanceof Duration && nanosPerUnit !== undefined) return value.nanos / nanosPerUnit;
    throw noSuchOverload();
  };
}

function dayOfYear(date: Date): number {
  const start = new Date(0);
  start.setUTCFullYear(date.getUTCFullYear(), 0, 1);
  return Math.floor((date.getTime() - start.getTime()) / 86_400_000);
}

/** Members of timestamps and durations (cel-go stdlib). */
export const timeFunctions: Readonly<Record<string, CelFunction>> = {
  ".getFullYear": getter((date) => date.getUTCFullYear()),
  ".getMonth": getter((date) => date.getUTCMonth()),
  ".getDate": getter((date) => date.getUTCDate()),
  ".getDayOfMonth": getter((date) => date.getUTCDate() - 1),
  ".getDayOfWeek": getter((date) => date.getUTCDay()),
  ".getDayOfYear": getter(dayOfYear),
  ".getHours": getter((date) => date.getUTCHours(), 3600n * billion),
  ".getMinutes": getter((date) => date.getUTCMinutes(), 60n * billion),
  ".getSeconds": getter((date) => date.getUTCSeconds(), billion),
  ".getMilliseconds": getter((date) => date.getUTCMilliseconds(), 1_000_000n),
};
