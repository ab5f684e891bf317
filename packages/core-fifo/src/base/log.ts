import { isPromiseLike } from "./values.ts";

/** Data of a log line. An error goes into the field `cause`. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Takes log lines. `console` and most loggers fit as they are.
 *
 * A message is a constant text and everything that varies is in `fields`, so that repeats of a line
 * can be recognised, counted and limited. Implementations must not throw.
 */
export interface Log {
  /** For development: what is done and why. */
  debug(message: string, fields: LogFields): void;
  /** What is normal: starts, stops, conflicts that are retried. */
  info(message: string, fields: LogFields): void;
  /** What is wrong and is retried or worked around. */
  warn(message: string, fields: LogFields): void;
  /** What is wrong and needs an operator or a change of the program. */
  error(message: string, fields: LogFields): void;
}

type Level = keyof Log;

/**
 * Errors of listwatch say where in their message; their stack, which leads through listwatch, would
 * hide it. What a program throws keeps its stack.
 */
function showFields(fields: LogFields): LogFields {
  const shown = Object.entries(fields).map(([name, value]) => [name, showError(value)] as const);
  return Object.fromEntries(shown);
}

function showError(value: unknown): unknown {
  if (!(value instanceof Error) || !("code" in value)) return value;
  const code = String(value.code);
  if (!code.startsWith("LW_")) return value;
  // The name of the base class does not tell one failure from another.
  return `${value.name === "ListwatchError" ? code : value.name}: ${value.message}`;
}

function write(level: Level, message: string, fields: LogFields): void {
  // Looked up at each line: programs and test runners replace the console or its methods, and some
  // embedders have none.
  const { console }: { console?: Partial<Record<Level, (...values: unknown[]) => void>> } =
    globalThis;
  if (Object.keys(fields).length === 0) console?.[level]?.(message);
  else console?.[level]?.(message, showFields(fields));
}

/**
 * Writes each line to the console's method of the same name; errors of listwatch without their
 * stack.
 */
export const consoleLog: Log = {
  debug: (message, fields) => write("debug", message, fields),
  info: (message, fields) => write("info", message, fields),
  warn: (message, fields) => write("warn", message, fields),
  error: (message, fields) => write("error", message, fields),
};

const ignore = (): void => {};

/** Drops every line. */
export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Wraps a log of the program so that nothing that it throws, or rejects with, hurts. */
export function guardLog(log: Log): Log {
  const guard = (level: Level) => (message: string, fields: LogFields) => {
    try {
      const written: unknown = log[level](message, fields);
      if (isPromiseLike(written)) written.then(ignore, ignore);
    } catch {
      // A log that fails has no other place to say so.
    }
  };
  return {
    debug: guard("debug"),
    info: guard("info"),
    warn: guard("warn"),
    error: guard("error"),
  };
}
