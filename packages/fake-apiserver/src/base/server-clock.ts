import { type Clock, systemClock } from "@listwatch/core-fifo/base";

// A watch that ends in half an hour must not keep an otherwise idle program alive.
const backgroundDelayMs = 10_000;
// The maximum of a 32-bit timer; a longer delay would fire at once.
const longestDelayMs = 2 ** 31 - 1;

// The clock of a runtime stands still while the machine sleeps. Clients compare the times that a
// server writes with the time of day: after a night, an object would be created hours ago.
let sleptMs = 0;

function now(): number {
  const awakeMs = systemClock.now();
  sleptMs = Math.max(sleptMs, Date.now() - awakeMs);
  return awakeMs + sleptMs;
}

/**
 * The system clock, which also counts the time that the machine slept. Timers of 10 s and more do
 * not keep a Node or Bun process alive.
 */
export const serverClock: Clock = {
  now,
  nextTurn: () => systemClock.nextTurn(),
  setTimeout(callback, delayMs) {
    if (delayMs < backgroundDelayMs) return systemClock.setTimeout(callback, delayMs);
    const timer = setTimeout(callback, Math.min(delayMs, longestDelayMs));
    unref(timer);
    return { cancel: () => clearTimeout(timer) };
  },
};

// Node and Bun return objects, browsers return numbers.
function unref(timer: unknown): void {
  if (typeof timer !== "object" || timer === null || !("unref" in timer)) return;
  if (typeof timer.unref === "function") timer.unref();
}

// Many objects are written within a second, and formatting costs as much as validating a name.
let lastTimestamp = { second: Number.NaN, text: "" };

/** Formats a time in RFC 3339 UTC with whole seconds, like `metadata.creationTimestamp`. */
export function timestamp(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== lastTimestamp.second) {
    lastTimestamp = { second, text: `${new Date(ms).toISOString().slice(0, 19)}Z` };
  }
  return lastTimestamp.text;
}
