import type { Clock, Timer } from "@listwatch/core-fifo";
import type { Failure } from "@listwatch/core-fifo/base";

/** Time after which a part that was not started is reported. */
const startMs = 10_000;

/** A part that others wait for. */
interface AwaitedPart {
  readonly clock: Clock;
  /** Action that the others cannot do, such as "lead". */
  readonly action: string;
  readonly subject: string;
  /** Returns the part if it was not started, such as "the elector". */
  readonly unstarted: () => string | undefined;
  readonly report: (failure: Failure) => void;
}

/** Reports after 10 s that a part was not started. Cancel the timer at the end of the wait. */
export function watchStart({ action, clock, report, subject, unstarted }: AwaitedPart): Timer {
  return clock.setTimeout(() => {
    const part = unstarted();
    if (part === undefined) return;
    const error = new Error(`Cannot ${action}: expected ${part} to run, and it was not started`);
    report({ subject, error, advice: `Call run() of ${part}` });
  }, startMs);
}
