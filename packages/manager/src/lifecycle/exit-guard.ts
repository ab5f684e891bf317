import type { Clock, Log, Timer } from "@listwatch/core-fifo";
import { describeDuration } from "@listwatch/core-fifo/base";
import type { Process } from "../process/runtime.ts";

/** Dependencies of an {@link ExitGuard}. */
interface ExitGuardParts {
  readonly process: Process;
  readonly clock: Clock;
  readonly log: Log;
  /** Time from the stop to the exit, in milliseconds. */
  readonly limitMs: number;
  /** Returns the work that has not ended, for the last line of the log. */
  readonly unended: () => Readonly<Record<string, readonly string[]>>;
}

/** Ends the process if a stop takes too long: work that ignores its signal would keep it alive. */
export class ExitGuard {
  readonly #parts: ExitGuardParts;
  #timer: Timer | undefined;

  constructor(parts: ExitGuardParts) {
    this.#parts = parts;
  }

  /** Starts the time limit. Further calls do nothing. */
  start(): void {
    const { clock, limitMs, log, process, unended } = this.#parts;
    this.#timer ??= clock.setTimeout(() => {
      log.error("Process exits before its work has ended", {
        after: describeDuration(limitMs),
        ...unended(),
        advice: "Pass the signal of a reconcile to its requests and waits",
      });
      process.exit(1);
    }, limitMs);
  }

  end(): void {
    this.#timer?.cancel();
  }
}
