import { wallTime } from "../base/zoned-time.ts";
import { type CronRange, cronRanges } from "../rules/workloads/cron-schedule.ts";

const macros: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};
const unitsMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const dayMs = 86_400_000;
// robfig/cron v3 spec.go: `Next` gives up after five years.
const maxDays = 5 * 366;

/**
 * Returns the first time of a valid schedule after a time, in milliseconds since 1970; `undefined`
 * if there is none within five years. Times that a clock skips in spring do not exist.
 */
export function nextTime(schedule: string, zone: string, afterMs: number): number | undefined {
  const [, ownZone, rest = schedule] = /^(?:CRON_)?TZ=(\S*)\s*(.*)$/.exec(schedule) ?? [];
  if (rest.startsWith("@every ")) return everyTime(rest.slice("@every ".length), afterMs);
  const ranges = cronRanges(macros[rest] ?? rest);
  const [minutes, hours, days, months, weekdays] = ranges;
  if (minutes === undefined || hours === undefined || weekdays === undefined) return undefined;
  const timeZone = ownZone ?? zone;
  const start = afterMs + offsetMs(timeZone, afterMs);
  for (let day = 0; day < maxDays; day++) {
    const midnight = Math.floor(start / dayMs) * dayMs + day * dayMs;
    if (!fitsDay(new Date(midnight), days, months, weekdays)) continue;
    for (const hour of hours.values) {
      for (const minute of minutes.values) {
        const wall = midnight + hour * 3_600_000 + minute * 60_000;
        if (wall < start - dayMs / 12) continue;
        const time = utcOf(timeZone, wall);
        if (time !== undefined && time > afterMs) return time;
      }
    }
  }
  return undefined;
}

// A day matches either of both fields, unless one of them is "*".
function fitsDay(
  date: Date,
  days: CronRange | undefined,
  months: CronRange | undefined,
  weekdays: CronRange,
): boolean {
  if (months?.values.includes(date.getUTCMonth() + 1) !== true) return false;
  const isDay = days?.values.includes(date.getUTCDate()) === true;
  const isWeekday = weekdays.values.includes(date.getUTCDay());
  return days?.isAll === true || weekdays.isAll ? isDay && isWeekday : isDay || isWeekday;
}

// At least a second, without its fraction: robfig/cron v3 constantdelay.go.
function everyTime(duration: string, afterMs: number): number {
  let total = 0;
  for (const [, number, unit = ""] of duration.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)) {
    total += Number(number) * (unitsMs[unit] ?? 0);
  }
  const delay = Math.max(1000, Math.floor(total / 1000) * 1000);
  return Math.floor(afterMs / 1000) * 1000 + delay;
}

/** Returns the time at which clocks of a zone show a time; `undefined` if they skip it. */
function utcOf(zone: string, wall: number): number | undefined {
  const guess = wall - offsetMs(zone, wall);
  for (const time of [wall - offsetMs(zone, guess), guess]) {
    if (time + offsetMs(zone, time) === wall) return time;
  }
  return undefined;
}

/** Returns how much clocks of a zone are ahead of UTC. */
function offsetMs(zone: string, time: number): number {
  if (zone === "" || zone === "UTC" || zone === "Etc/UTC") return 0;
  return wallTime(zone, time).getTime() - time;
}
