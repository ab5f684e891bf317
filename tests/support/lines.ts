import { silentLog, type Log, type LogFields } from "@listwatch/core-fifo";
import { describeError, stringOf } from "@listwatch/core-fifo/base";

/**
 * A log that writes warnings as strings, such as `Handler failed; handler=web; cause: boom; advice:
 * …`. Errors fail the test.
 */
export function logTo(lines: string[]): Log {
  return {
    ...silentLog,
    warn: (message, { advice, cause, ...fields }) => {
      const about = Object.entries(fields).map(([name, value]) => `; ${name}=${String(value)}`);
      const why = cause === undefined ? "" : `; cause: ${describeError(cause)}`;
      const help = advice === undefined ? "" : `; advice: ${stringOf(advice)}`;
      lines.push(`${message}${about.join("")}${why}${help}`);
    },
    error: (message) => {
      throw new Error(message);
    },
  };
}

export interface Line {
  readonly level: keyof Log;
  readonly message: string;
  readonly fields: LogFields;
}

export class LineLog implements Log {
  readonly lines: Line[] = [];
  readonly debug = this.#keep("debug");
  readonly info = this.#keep("info");
  readonly warn = this.#keep("warn");
  readonly error = this.#keep("error");

  /** The lines above `info`. */
  get loud(): readonly Line[] {
    return this.lines.filter(({ level }) => level === "warn" || level === "error");
  }

  #keep(level: keyof Log) {
    return (message: string, fields: LogFields): void => {
      this.lines.push({ level, message, fields });
    };
  }
}
