const SECOND = 1000;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

/**
 * A duration as `kubectl get` shows it: `45s`, `5m27s`, `3d4h` (k8s.io/apimachinery,
 * util/duration). Up to two seconds into the future count as now; more is `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 2 * MINUTE) return `${seconds}s`;
  if (seconds < 10 * MINUTE) return pair(seconds, MINUTE, "m", 1, "s");
  if (seconds < 3 * HOUR) return `${Math.floor(seconds / MINUTE)}m`;
  if (seconds < 8 * HOUR) return pair(seconds, HOUR, "h", MINUTE, "m");
  if (seconds < 2 * DAY) return `${Math.floor(seconds / HOUR)}h`;
  if (seconds < 8 * DAY) return pair(seconds, DAY, "d", HOUR, "h");
  if (seconds < 2 * YEAR) return `${Math.floor(seconds / DAY)}d`;
  if (seconds < 8 * YEAR) return pair(seconds, YEAR, "y", DAY, "d");
  return `${Math.floor(seconds / YEAR)}y`;
}

/** Two units, the second one only if it is not zero. */
function pair(
  seconds: number,
  unit: number,
  letter: string,
  smallerUnit: number,
  smallerLetter: string,
): string {
  const rest = Math.floor((seconds % unit) / smallerUnit);
  const first = `${Math.floor(seconds / unit)}${letter}`;
  return rest === 0 ? first : `${first}${rest}${smallerLetter}`;
}

/**
 * The time since a timestamp for a table cell; `<unknown>` where there is none, `<invalid>` for a
 * text that is no timestamp.
 */
export function ageOf(timestamp: unknown, now: number): string {
  if (typeof timestamp !== "string" || timestamp === "") return "<unknown>";
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? "<invalid>" : humanDuration(now - time);
}
