import { expect, test } from "vitest";
import { nextTime } from "../../src/controllers/cron-times.ts";

const after = (schedule: string, from: string, zone = ""): string | undefined => {
  const time = nextTime(schedule, zone, Date.parse(from));
  return time === undefined ? undefined : new Date(time).toISOString();
};

test.each([
  ["*/15 * * * *", "2026-03-01T10:15:00Z", "2026-03-01T10:30:00.000Z"],
  ["5/20 * * * *", "2026-03-01T10:30:00Z", "2026-03-01T10:45:00.000Z"],
  ["0 0 29 feb *", "2026-03-01T00:00:00Z", "2028-02-29T00:00:00.000Z"],
  ["@monthly", "2026-12-15T00:00:00Z", "2027-01-01T00:00:00.000Z"],
  ["@every 1h30m", "2026-01-01T00:00:00.500Z", "2026-01-01T01:30:00.000Z"],
  // Either day field matches, unless one is a star.
  ["0 0 13 * fri", "2026-02-07T00:00:00Z", "2026-02-13T00:00:00.000Z"],
  ["0 0 10 * fri", "2026-02-07T00:00:00Z", "2026-02-10T00:00:00.000Z"],
  ["0 0 * * mon-wed", "2026-02-05T00:00:00Z", "2026-02-09T00:00:00.000Z"],
])("%s after %s is %s", (schedule, from, expected) => {
  expect(after(schedule, from)).toBe(expected);
});

test("skips times that clocks skip in spring, and knows their offset", () => {
  const zone = "Europe/Berlin";
  expect(after("30 2 * * *", "2026-03-28T12:00:00Z", zone)).toBe("2026-03-30T00:30:00.000Z");
  expect(after("0 12 * * *", "2026-07-01T00:00:00Z", zone)).toBe("2026-07-01T10:00:00.000Z");
  expect(after("0 12 * * *", "2026-01-01T00:00:00Z", zone)).toBe("2026-01-01T11:00:00.000Z");
});

test("is undefined for a day that no month has", () => {
  expect(after("0 0 31 2 *", "2026-01-01T00:00:00Z")).toBeUndefined();
});
