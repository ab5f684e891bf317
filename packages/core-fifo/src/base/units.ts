const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;

/** Units with the smallest duration that is shown in each: 119 s, but 2 min. */
const durationUnits: readonly (readonly [name: string, ms: number, fromMs: number])[] = [
  ["years", yearMs, 2 * yearMs],
  ["days", dayMs, 2 * dayMs],
  ["h", hourMs, 2 * hourMs],
  ["min", minuteMs, 2 * minuteMs],
  ["s", secondMs, secondMs],
];

/**
 * Formats a duration for a message, in a suitable unit and with significant digits only: 30000.4 is
 * "30 s", 1540 is "1.5 s", 7.25 is "7 ms", 5400000 is "90 min".
 */
export function describeDuration(ms: number): string {
  if (!Number.isFinite(ms)) return Number.isNaN(ms) ? "an unknown time" : "an unlimited time";
  const rounded = Math.round(ms);
  const unit = durationUnits.find(([, , fromMs]) => Math.abs(rounded) >= fromMs);
  return unit === undefined ? `${rounded} ms` : `${round(ms / unit[1])} ${unit[0]}`;
}

const kibi = 1024;
const mebi = kibi * kibi;

/** Formats a number of bytes for a message: 16777216 is "16 MiB", 1536 is "1.5 KiB". */
export function describeBytes(bytes: number): string {
  if (bytes >= mebi) return `${round(bytes / mebi)} MiB`;
  return bytes >= kibi ? `${round(bytes / kibi)} KiB` : `${round(bytes)} bytes`;
}

/** One decimal below 10, none above. */
function round(value: number): number {
  return Math.abs(value) < 9.95 ? Math.round(value * 10) / 10 : Math.round(value);
}

const unitsMs = [hourMs, minuteMs, secondMs, 1];

/** Reads a duration such as `10m` or `1h30m`. Returns milliseconds, or `undefined`. */
export function readDuration(text: string): number | undefined {
  const match = /^(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+)ms)?$/.exec(text);
  if (match === null || text === "") return undefined;
  return match.slice(1).reduce((sum, part, index) => {
    return sum + Number(part ?? 0) * (unitsMs[index] ?? 0);
  }, 0);
}
