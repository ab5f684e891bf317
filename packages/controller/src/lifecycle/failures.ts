import type { Clock, Log, LogFields } from "@listwatch/core-fifo";
import { FailureLog, isPromiseLike, type Failure } from "@listwatch/core-fifo/base";

/** Called with an error; a promise that it returns may reject. */
type ErrorHook = (error: unknown) => unknown;

/** Options of {@link Failures}. */
interface FailuresOptions {
  readonly log: Log | undefined;
  readonly clock: Clock;
  /** In each line: whose failures they are. */
  readonly fields: LogFields;
}

/**
 * Where the failures of something that runs go: to the program's hook if there is one, otherwise,
 * and when the hook itself fails, to the log.
 */
export class Failures {
  readonly #log: FailureLog;

  constructor({ log, clock, fields }: FailuresOptions) {
    this.#log = new FailureLog({ log, clock, fields });
  }

  report(failure: Failure, hook: ErrorHook | undefined): void {
    if (hook === undefined) this.#log.report(failure);
    else this.call("The hook for errors", () => hook(failure.error));
  }

  /** Calls something of the program's whose failure must stop nothing: it is reported. */
  call(subject: string, action: () => unknown, hook?: ErrorHook): void {
    const fail = (error: unknown): void => this.report({ subject, error }, hook);
    try {
      const pending = action();
      if (isPromiseLike(pending)) pending.then(undefined, fail);
    } catch (error) {
      fail(error);
    }
  }

  /** Notes that what was failing works again. */
  recover(subject: string): void {
    this.#log.recover(subject);
  }

  /** Ends all timers. */
  close(): void {
    this.#log.close();
  }
}

/** Whether an error is only the end that a signal has asked for: no failure. */
export function isAbortOf(signal: AbortSignal, error: unknown): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || (error instanceof Error && error.name === "AbortError");
}
