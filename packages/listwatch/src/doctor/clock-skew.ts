import { failed, passed, skipped, type Finding } from "./finding.ts";
import type { FirstAnswer } from "./reach.ts";

/** Leeway of Go's go-jose, which reads the tokens of service accounts: `DefaultLeeway`, a minute. */
const allowedMs = 60_000;

/** Compares the local clock with the field `Date` of a response, which has seconds. */
export function judgeClock({ date = "", receivedMs, sentMs }: FirstAnswer): Finding {
  const theirs = Date.parse(date);
  if (Number.isNaN(theirs)) return skipped("clock", "the server does not say what time it is");
  const skewMs = (sentMs + receivedMs) / 2 - (theirs + 500);
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  if (Math.abs(skewMs) <= allowedMs) {
    return passed("clock", seconds < 2 ? "as the server's" : `${seconds} s from the server's`);
  }
  const direction = skewMs > 0 ? "ahead of" : "behind";
  return failed(
    "clock",
    `the clock of this machine is ${seconds} s ${direction} the server's`,
    "Set the clocks by NTP (timedatectl set-ntp true): good tokens and certificates seem expired, or not valid yet",
  );
}
