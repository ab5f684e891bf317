const dayMs = 86_400_000;
const agoInDays = /^(.*\()(?:(\d+)y)?(\d+)d( ago\))$/;

/**
 * Adjusts a recording to the current day. A table shows how many days ago a container restarted,
 * such as `2 (6y327d ago)`. The recorded request has a fixed time, so that the string changes every
 * day. Times within a day must be midnight UTC.
 *
 * @param recorded the day of the recording, such as `2026-11-22`
 */
export function withAgesOfToday<T>(value: T, recorded: string, nowMs: number): T {
  const days = Math.floor((nowMs - Date.parse(recorded)) / dayMs);
  const older = (_key: string, member: unknown): unknown =>
    typeof member === "string"
      ? member.replace(agoInDays, (_all, start: string, years: string, rest: string, end: string) =>
          [start, ageOfDays(Number(years ?? 0) * 365 + Number(rest) + days), end].join(""),
        )
      : member;
  return JSON.parse(JSON.stringify(value), older) as T;
}

// kubectl prints days up to two years, then years and days, and only years from eight years on.
function ageOfDays(days: number): string {
  if (days < 730) return `${days}d`;
  const years = Math.floor(days / 365);
  return years >= 8 || days % 365 === 0 ? `${years}y` : `${years}y${days % 365}d`;
}
