import type { Clock, Log, LogFields } from "@listwatch/core-fifo";

/** A line that the program wrote to the log of a test cluster. */
export interface TestLogLine {
  /** Time of the line, in milliseconds since 1970. */
  readonly atMs: number;
  /** Level of the line. */
  readonly level: "debug" | "error" | "info" | "warn";
  /** Message of the line. */
  readonly message: string;
  /** Data of the line. */
  readonly fields: LogFields | undefined;
}

/** Creates a log that keeps its lines, and prints nothing. */
export function createTestLog(clock: Clock): {
  readonly log: Log;
  readonly lines: readonly TestLogLine[];
} {
  const lines: TestLogLine[] = [];
  const write =
    (level: TestLogLine["level"]) =>
    (message: string, fields?: LogFields): void =>
      void lines.push({ atMs: clock.now(), level, message, fields });
  const log = {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
  };
  return { log, lines };
}
