import { afterEach, describe, expect, test, vi } from "vitest";
import {
  consoleLog,
  ListwatchError,
  QueueClosedError,
  silentLog,
  type Log,
} from "@listwatch/core-fifo";

const levels = ["debug", "info", "warn", "error"] as const;

afterEach(() => {
  vi.restoreAllMocks();
});

describe("Log", () => {
  test.each(levels)("consoleLog writes %s lines to the console's method of that name", (level) => {
    const write = vi.spyOn(console, level).mockImplementation(() => {});
    consoleLog[level]("Cannot list pods", { cause: 1 });
    consoleLog[level]("Started", {});
    expect(write.mock.calls).toEqual([["Cannot list pods", { cause: 1 }], ["Started"]]);
  });

  test("consoleLog writes errors of listwatch without their stack", () => {
    const write = vi.spyOn(console, "warn").mockImplementation(() => {});
    const thrown = new Error("boom");
    consoleLog.warn("Failed", { cause: new QueueClosedError("Cannot pop"), thrown });
    consoleLog.warn("Failed", { cause: new ListwatchError("LW_KEY_FORMAT", "Cannot split") });
    expect(write.mock.calls).toEqual([
      ["Failed", { cause: "QueueClosedError: Cannot pop", thrown }],
      ["Failed", { cause: "LW_KEY_FORMAT: Cannot split" }],
    ]);
  });

  test("silentLog writes nothing", () => {
    const writes = levels.map((level) => vi.spyOn(console, level).mockImplementation(() => {}));
    for (const level of levels) silentLog[level]("Started", {});
    for (const write of writes) expect(write).not.toHaveBeenCalled();
  });

  test("the console is a valid log", () => {
    const log: Log = console;
    expect(log).toBe(console);
  });
});
