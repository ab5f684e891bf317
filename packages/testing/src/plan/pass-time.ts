import type { SimulatedClock } from "@listwatch/core-fifo/testing";

/**
 * Lets time pass, one timer at a time. The next timer fires when nothing can happen any more
 * without it. Between two of them a check looks at the state.
 *
 * @param ms longest time, in milliseconds of the clock
 * @param check returns what it has found, which ends the time, or `undefined`
 * @returns what the check has found
 */
export async function passTime<T>(
  clock: SimulatedClock,
  ms: number,
  check: () => T | undefined,
): Promise<T | undefined> {
  const endMs = clock.now() + ms;
  await clock.settle();
  for (;;) {
    const found = check();
    if (found !== undefined) return found;
    const nextMs = clock.nextTimerMs;
    if (nextMs === undefined || nextMs > endMs) break;
    await clock.advance(Math.max(0, nextMs - clock.now()));
  }
  await clock.advance(Math.max(0, endMs - clock.now()));
  return check();
}
