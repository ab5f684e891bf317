import { expect, test } from "vitest";
import { describeTime, microTimeLayout, timeLayout } from "../../src/schema/time-problems.ts";

test.each([
  ["x", 'cannot parse "x" as "2006"'],
  ["2026-01-01 00:00:00.123456Z", 'cannot parse " 00:00:00.123456Z" as "T"'],
  ["2026-01-01T00:00:00", 'cannot parse "" as ".000000"'],
  ["2026-01-01T00:00:00Z", 'cannot parse "Z" as ".000000"'],
  ["2026-01-01T00:00:00.12345Z", 'cannot parse ".12345Z" as ".000000"'],
  ["2026-01-01T00:00:00.1234567Z", 'cannot parse "7Z" as "Z07:00"'],
])("a MicroTime of %j is refused where Go stops to read", (text, problem) => {
  expect(describeTime(microTimeLayout, text)).toBe(
    `parsing time "${text}" as "2006-01-02T15:04:05.000000Z07:00": ${problem}`,
  );
});

test.each([
  ["2026-13-01T00:00:00Z", ": month out of range"],
  ["2026-02-30T00:00:00Z", ": day out of range"],
  ["2026-02-01T00:00:00.5Zx", ': extra text: "x"'],
])("a Time of %j is refused for its calendar or its end", (text, problem) => {
  expect(describeTime(timeLayout, text)).toBe(`parsing time "${text}"${problem}`);
});
