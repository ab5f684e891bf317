import { aSignal } from "./abort.ts";
import { aClock, checkOptions, type OptionsOf } from "./options.ts";

/** A timer that was started by {@link Clock.setTimeout}. */
export interface Timer {
  /** Stops the timer. Does nothing if it has fired. */
  cancel(): void;
}

/**
 * Source of time. Everything in listwatch that reads a clock or waits uses one, so that a simulated
 * clock can run hours in milliseconds.
 */
export interface Clock {
  /** Milliseconds since 1970, possibly with a fraction. Never goes backwards. */
  now(): number;
  /** Calls `callback` once, after at least `delayMs` milliseconds. */
  setTimeout(callback: () => void, delayMs: number): Timer;
  /**
   * Resolves in a later turn of the event loop, so that I/O and timers run during a long
   * computation.
   */
  nextTurn(): Promise<void>;
}

/**
 * Longest delay of a runtime's timer. Longer ones fire at once (HTML standard, "timers": signed 32
 * bits).
 */
const maxTimerDelayMs = 2 ** 31 - 1;

function setSystemTimeout(callback: () => void, delayMs: number): Timer {
  const dueMs = now() + delayMs;
  let handle: ReturnType<typeof setTimeout>;
  const wait = (ms: number): void => {
    handle = setTimeout(
      () => {
        const leftMs = dueMs - now();
        if (leftMs > 1) wait(leftMs);
        else callback();
      },
      Math.min(Math.max(ms, 0), maxTimerDelayMs),
    );
  };
  wait(delayMs);
  return { cancel: () => clearTimeout(handle) };
}

// Unlike Date.now(), performance.now() does not jump when the machine's clock is set.
function now(): number {
  return performance.timeOrigin + performance.now();
}

// setTimeout(0) takes 1 ms in Node, and 4 ms in browsers when nested. setImmediate, which browsers
// lack, takes 2 µs in Node and Bun and 7 µs in Deno: at most a fifth of a message channel. Read
// here, before a test puts a fake timer in its place.
const afterTurn: unknown = Reflect.get(globalThis, "setImmediate");

let waiting: (() => void)[] = [];

function endTurn(): void {
  const resolvers = waiting;
  waiting = [];
  for (const resolve of resolvers) resolve();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) > 1) return;
    if (typeof afterTurn === "function") {
      afterTurn(endTurn);
      return;
    }
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      // An open port keeps a worker alive.
      port1.close();
      endTurn();
    };
    port2.postMessage(0);
  });
}

/** The runtime's time. */
export const systemClock: Clock = {
  now,
  setTimeout: setSystemTimeout,
  nextTurn,
};

/** Options of {@link sleep}. */
export interface SleepOptions {
  /** Clock that the wait is measured with. @default systemClock */
  readonly clock?: Clock | undefined;
  /**
   * Ends the wait. The promise rejects with the signal's reason, and no timer is left behind.
   *
   * @default none
   */
  readonly signal?: AbortSignal | undefined;
}

const sleepTable: OptionsOf<SleepOptions> = { clock: aClock, signal: aSignal };

/**
 * Resolves after `delayMs` milliseconds.
 *
 * @param delayMs duration of the wait, in milliseconds
 * @throws the reason of the signal if it is aborted first
 */
export function sleep(delayMs: number, options: SleepOptions = {}): Promise<void> {
  checkOptions(options, sleepTable);
  const { clock = systemClock, signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as unknown);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason as unknown);
    };
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
