import { describeError, isPromiseLike } from "./values.ts";

/** Data of a log line. The field `cause` contains an error. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Receives log lines. `console` and most loggers fit as they are.
 *
 * The message is a constant string, and `fields` contains all variable data, so that repeated lines
 * can be recognised, counted and limited. Implementations must not throw.
 */
export interface Log {
  /** For development: each action and its reason. */
  debug(message: string, fields: LogFields): void;
  /** Normal events: starts, stops, conflicts that are retried. */
  info(message: string, fields: LogFields): void;
  /** Problems that are retried or worked around. */
  warn(message: string, fields: LogFields): void;
  /** Problems that need an operator or a change of the program. */
  error(message: string, fields: LogFields): void;
}

type Level = keyof Log;

/**
 * Errors of listwatch are located by their message; their stack leads through listwatch and would
 * hide it. Other errors keep their stack.
 */
function showFields(fields: LogFields): LogFields {
  const shown = Object.entries(fields).map(([name, value]) => [name, showError(value)] as const);
  return Object.fromEntries(shown);
}

function showError(value: unknown): unknown {
  try {
    if (!(value instanceof Error) || !("code" in value)) return value;
    const code = String(value.code);
    if (!code.startsWith("LW_")) return value;
    // The name of the base class does not tell one failure from another.
    return `${value.name === "ListwatchError" ? code : value.name}: ${value.message}`;
  } catch {
    return describeError(value);
  }
}

function write(level: Level, message: string, fields: LogFields): void {
  // Read for each line: programs and test runners replace the console or its methods, and some
  // embedders have none.
  const { console }: { console?: Partial<Record<Level, (...values: unknown[]) => void>> } =
    globalThis;
  if (Object.keys(fields).length === 0) console?.[level]?.(message);
  else console?.[level]?.(message, showFields(fields));
}

/** Writes each line to the console's method of the same name. Errors of listwatch have no stack. */
export const consoleLog: Log = {
  debug: (message, fields) => write("debug", message, fields),
  info: (message, fields) => write("info", message, fields),
  warn: (message, fields) => write("warn", message, fields),
  error: (message, fields) => write("error", message, fields),
};

const ignore = (): void => {};

/** Drops every line. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Wraps a user's log so that its errors and rejections have no effect. */
export function guardLog(log: Log): Log {
  const guard = (level: Level) => (message: string, fields: LogFields) => {
    try {
      const written: unknown = log[level](message, fields);
      if (isPromiseLike(written)) written.then(ignore, ignore);
    } catch {
      // A failing log cannot be reported anywhere.
    }
  };
  return {
    debug: guard("debug"),
    info: guard("info"),
    warn: guard("warn"),
    error: guard("error"),
  };
}
