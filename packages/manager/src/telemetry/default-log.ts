import { consoleLog, silentLog, type Log, type LogFields } from "@listwatch/core-fifo";
import { describeError } from "@listwatch/core-fifo/base";
import { findProcess, type Process } from "../process/runtime.ts";

/** Returns the console on a terminal and in pages, otherwise a log of JSON lines on stderr. */
export function createDefaultLog(): Log {
  const process = findProcess();
  const isTerminal = process === undefined || process.stderr?.isTTY === true;
  if (isTerminal) return consoleLog;
  ignoreErrorsOf(process.stderr);
  return jsonLog;
}

const ignored = /* @__PURE__ */ new WeakSet<object>();

/**
 * Lets a full disk or a closed pipe lose lines. Node's console throws no such error, but the stream
 * emits it later, and without a listener it ends the process.
 */
function ignoreErrorsOf(stderr: Process["stderr"]): void {
  if (stderr === undefined || ignored.has(stderr)) return;
  ignored.add(stderr);
  stderr.on?.("error", () => undefined);
}

/** Writes each line as a JSON object with `time`, `level`, `message` and the fields. */
const jsonLog: Log = {
  debug: (message, fields) => silentLog.debug(message, fields),
  info: (message, fields) => write("info", message, fields),
  warn: (message, fields) => write("warn", message, fields),
  error: (message, fields) => write("error", message, fields),
};

function write(level: string, message: string, fields: LogFields): void {
  const head = { time: new Date().toISOString(), level, message };
  // All levels go to stderr: stdout belongs to the program.
  consoleLog.error(stringify({ ...head, ...fields, ...head }) ?? JSON.stringify(head), {});
}

/** Returns `undefined` for fields that have no form in JSON, such as circular ones. */
function stringify(fields: LogFields): string | undefined {
  try {
    return JSON.stringify(fields, showValue);
  } catch {
    return undefined;
  }
}

/** Errors of listwatch are located by their message; others show their stack. */
function showValue(_name: string, value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (!(value instanceof Error)) return value;
  const isOurs = "code" in value && String(value.code).startsWith("LW_");
  return isOurs ? `${value.name}: ${describeError(value)}` : (value.stack ?? describeError(value));
}
