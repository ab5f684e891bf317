const msPerSecond = 1000;
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/**
 * A duration as `kubectl get` shows it: `45s`, `5m27s`, `3d4h` (k8s.io/apimachinery,
 * util/duration). Up to two seconds into the future count as now; more is `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / msPerSecond);
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  if (seconds < 2 * minute) return `${seconds}s`;
  if (seconds < 10 * minute) return pair(seconds, minute, "m", 1, "s");
  if (seconds < 3 * hour) return `${Math.floor(seconds / minute)}m`;
  if (seconds < 8 * hour) return pair(seconds, hour, "h", minute, "m");
  if (seconds < 2 * day) return `${Math.floor(seconds / hour)}h`;
  if (seconds < 8 * day) return pair(seconds, day, "d", hour, "h");
  if (seconds < 2 * year) return `${Math.floor(seconds / day)}d`;
  if (seconds < 8 * year) return pair(seconds, year, "y", day, "d");
  return `${Math.floor(seconds / year)}y`;
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
 * Returns the time since a timestamp for a table cell: `<unknown>` without one, `<invalid>` for an
 * invalid one.
 */
export function ageOf(timestamp: unknown, now: number): string {
  if (typeof timestamp !== "string" || timestamp === "") return "<unknown>";
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? "<invalid>" : humanDuration(now - time);
}
