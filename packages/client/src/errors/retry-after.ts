import type { Status } from "./status.ts";

/**
 * Longest accepted delay, in milliseconds: an hour. A longer one is a mistake, such as a date of
 * another year.
 */
const longestMs = 3_600_000;

/**
 * An HTTP date starts with the name of a day (RFC 9110 §5.6.7). `Date.parse` alone accepts "-5" as
 * a month.
 */
const httpDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /;
/** The form of C's `asctime`, which has no zone and means GMT. `Date.parse` reads it as local time. */
const withoutZone = /:\d\d \d{4}$/;

/**
 * Reads a Retry-After header: a number of seconds, or an HTTP date (RFC 9110 §10.2.3).
 *
 * @param nowMs current time, in milliseconds since 1970
 * @returns milliseconds from 0 to an hour; 0 for a date in the past; `undefined` for any other
 *   header
 */
export function parseRetryAfter(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return delayOf(Number(text) * 1000);
  if (!httpDate.test(text)) return undefined;
  const date = Date.parse(withoutZone.test(text) ? `${text} GMT` : text);
  return delayOf(Math.max(0, date - nowMs));
}

/** Returns the delay that a Status requests, within the same bounds; `undefined` if it has none. */
export function retryAfterOf({ details }: Status): number | undefined {
  const seconds: unknown = details?.retryAfterSeconds;
  return typeof seconds === "number" ? delayOf(seconds * 1000) : undefined;
}

function delayOf(ms: number): number | undefined {
  return ms >= 0 ? Math.min(ms, longestMs) : undefined;
}
