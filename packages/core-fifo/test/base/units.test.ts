import { describeBytes, describeDuration, readDuration } from "@listwatch/core-fifo/base";
import { expect, test } from "vitest";

test.each([
  [0, "0 ms"],
  [0.4, "0 ms"],
  [7.25, "7 ms"],
  [999.4, "999 ms"],
  [999.6, "1 s"],
  [1000, "1 s"],
  [1540, "1.5 s"],
  [9960, "10 s"],
  [30_000.399_902_343_75, "30 s"],
  [90_000, "90 s"],
  [119_999.7, "2 min"],
  [300_000, "5 min"],
  [5_400_000, "90 min"],
  [7_200_000, "2 h"],
  [172_800_000, "2 days"],
  [31_536_000_000_000, "1000 years"],
  [-1500, "-1.5 s"],
  [Infinity, "an unlimited time"],
  [Number.NaN, "an unknown time"],
])("a duration of %d ms is formatted as %s", (ms, text) => {
  expect(describeDuration(ms)).toBe(text);
});

test.each([
  [0, "0 bytes"],
  [1023, "1023 bytes"],
  [1536, "1.5 KiB"],
  [65_536, "64 KiB"],
  [16_777_216, "16 MiB"],
])("%d bytes are formatted as %s", (bytes, text) => {
  expect(describeBytes(bytes)).toBe(text);
});

test.each([
  ["90s", 90_000],
  ["10m", 600_000],
  ["1h30m", 5_400_000],
  ["3m12s", 192_000],
  ["1.5s", 1500],
  ["250ms", 250],
  ["1h500ms", 3_600_500],
  ["", undefined],
  ["10", undefined],
  ["m", undefined],
  ["-1s", undefined],
  ["1s1m", undefined],
])("the duration %j is read as %s ms", (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});
