/** A timer that has been started. */
export interface ClockTimer {
  /** Stops the timer; harmless when it has fired or was cancelled before. */
  cancel(): void;
}

/** Where the server takes its time from. Give a simulated clock for tests that must not wait. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `callback` once, no earlier than `ms` milliseconds from now. */
  setTimeout(callback: () => void, ms: number): ClockTimer;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, ms) {
    const id = setTimeout(callback, ms);
    return { cancel: () => clearTimeout(id) };
  },
};

/** RFC 3339 in UTC with whole seconds, as `metadata.creationTimestamp` is written (api-server §1.1). */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
