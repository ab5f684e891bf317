import { describe, expect, test } from "vitest";
import { timestamp } from "../../src/base/server-clock.ts";

describe("timestamp", () => {
  test("has whole seconds in UTC", () => {
    expect(timestamp(Date.UTC(2026, 0, 2, 3, 4, 5, 999))).toBe("2026-01-02T03:04:05Z");
  });

  test("follows the clock in every direction", () => {
    const texts = [1000, 1999, 2000, 999, 0, -1].map(timestamp);
    expect(texts.map((text) => text.slice(-9))).toEqual([
      "00:00:01Z",
      "00:00:01Z",
      "00:00:02Z",
      "00:00:00Z",
      "00:00:00Z",
      "23:59:59Z",
    ]);
  });
});
