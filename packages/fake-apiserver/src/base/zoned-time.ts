const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the date whose fields in UTC are those that clocks of a time zone show at a time, with
 * the milliseconds of the time.
 *
 * @throws {RangeError} for an unknown zone
 */
export function wallTime(timeZone: string, ms: number): Date {
  const format = formats.get(timeZone) ?? createFormat(timeZone);
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const date = new Date(0);
  // `Date.UTC` takes years before 100 for those after 1900.
  date.setUTCFullYear(part("year"), part("month") - 1, part("day"));
  const milliseconds = ((ms % 1000) + 1000) % 1000;
  date.setUTCHours(part("hour"), part("minute"), part("second"), milliseconds);
  return date;
}

function createFormat(timeZone: string): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  formats.set(timeZone, format);
  return format;
}
