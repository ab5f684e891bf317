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

// The longest time that fits in the 32 bits of a timer; a longer one would fire at once.
const longestTimerMs = 2_147_483_647;
// What ends a watch some day must not keep a program alive that has nothing else to do.
const backgroundTimerMs = 10_000;

/** The clock of the machine. Timers of 10 s and more do not keep a Node or Bun process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, ms) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), longestTimerMs));
    if (ms >= backgroundTimerMs) unref(timer);
    return { cancel: () => clearTimeout(timer) };
  },
};

// Node and Bun give objects where the web gives numbers.
function unref(timer: unknown): void {
  if (typeof timer !== "object" || timer === null || !("unref" in timer)) return;
  if (typeof timer.unref === "function") timer.unref();
}

// Many objects are written within one second, and taking a date apart costs as much as validating a name.
let lastTimestamp = { second: Number.NaN, text: "" };

/** RFC 3339 in UTC with whole seconds, as `metadata.creationTimestamp` is written (api-server §1.1). */
export function timestamp(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastTimestamp.second) {
    lastTimestamp = { second, text: `${new Date(ms).toISOString().slice(0, 19)}Z` };
  }
  return lastTimestamp.text;
}
