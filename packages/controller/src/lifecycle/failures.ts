import type { Clock, Log, LogFields } from "@listwatch/core-fifo";
import { FailureLog, isPromiseLike, type Failure, failureKindOf } from "@listwatch/core-fifo/base";

/** Called with an error; a promise that it returns may reject. */
type ErrorHook = (error: unknown) => unknown;

/** Options of {@link Failures}. */
interface FailuresOptions {
  readonly log: Log | undefined;
  readonly clock: Clock;
  /** Fields of each line, which identify the source of the failures. */
  readonly fields: LogFields;
}

/** Passes failures to a user's hook, or to the log if there is no hook or the hook fails. */
export class Failures {
  readonly #log: FailureLog;

  constructor({ log, clock, fields }: FailuresOptions) {
    this.#log = new FailureLog({ log, clock, fields });
  }

  report(failure: Failure, hook: ErrorHook | undefined): void {
    if (hook === undefined) this.#log.report(failure);
    else this.call("The hook for errors", () => hook(failure.error));
  }

  /** Calls a user's function. Its failure is reported and stops nothing. */
  call(subject: string, action: () => unknown, hook?: ErrorHook): void {
    const fail = (error: unknown): void => this.report({ subject, error }, hook);
    try {
      const pending = action();
      if (isPromiseLike(pending)) pending.then(undefined, fail);
    } catch (error) {
      fail(error);
    }
  }

  /** Records that a subject works again. */
  recover(subject: string): void {
    this.#log.recover(subject);
  }

  /** Ends all timers. */
  close(): void {
    this.#log.close();
  }
}

/** Whether an error is only the expected effect of an aborted signal. */
export function isAbortOf(signal: AbortSignal, error: unknown): boolean {
  if (!signal.aborted) return false;
  return error === signal.reason || failureKindOf(error) === "AbortError";
}
