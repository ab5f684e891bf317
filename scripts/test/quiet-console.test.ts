import { consoleLog } from "@listwatch/core-fifo";
import { describe, expect, test, vi } from "vitest";

describe("a test fails that prints", () => {
  test.fails.each(["debug", "error", "info", "log", "warn"] as const)("with %s", (method) => {
    expect(() => console[method]("a line")).not.toThrow();
  });

  test.fails("through the log of a program", () => {
    expect(() => consoleLog.warn("a line", { cause: new Error("boom") })).not.toThrow();
  });
});

test("a test that takes the console itself may print", () => {
  const printed = vi.spyOn(console, "warn").mockImplementation(() => {});
  console.warn("a line");
  expect(printed).toHaveBeenCalledExactlyOnceWith("a line");
  printed.mockRestore();
});
