import { sleep, type Clock, type Timer } from "@listwatch/core-fifo";
import { seededRandom, type SimulatedClock } from "@listwatch/core-fifo/testing";
import type { EscapeError } from "./errors.ts";
import { builtin, closeExits, syncExports } from "./escapes.ts";
import { seededCrypto, seededNodeCrypto } from "./seeded-crypto.ts";
import { ProcessTimer } from "./process-clock.ts";
import { hashText } from "../plan/draw.ts";

/** A global name, and what it is during a run. */
type Replacements = Readonly<Record<string, unknown>>;

/**
 * Replaces the sources of time, chance and I/O of the runtime, for one run: programs that do not
 * take a clock or random numbers as an option are simulated, too. What cannot be simulated ends the
 * run.
 *
 * @param world.clock clock of dates
 * @param world.timers returns the clock of new timers and of `AbortSignal.timeout`
 * @param world.onEscape called with the error of a call that cannot be simulated
 * @returns restores them
 */
export function replaceGlobals(world: {
  readonly clock: SimulatedClock;
  readonly seed: number;
  readonly timers: () => Clock;
  readonly onEscape: (error: EscapeError) => void;
}): () => void {
  const { clock, onEscape, seed } = world;
  const random = seededRandom(hashText(`${seed} globals`));
  // Separate, since the page of a test runner may call Math.random.
  const secrets = seededRandom(hashText(`${seed} crypto`));
  const timers = timersOf(world.timers);
  const wait = sleepOf(world.timers);
  const timeOrigin = clock.now();
  const restores = [
    replace(globalThis, timers),
    replace(globalThis, { Date: dateOf(clock) }),
    replace(performance, { now: () => clock.now() - timeOrigin, timeOrigin }),
    replace(Math, { random }),
    replace(crypto, { ...seededCrypto(secrets) }),
    replace(AbortSignal, { timeout: (ms: number) => signalAfter(world.timers(), ms) }),
    replaceBuiltin("timers", () => timers),
    replaceBuiltin("timers/promises", () => ({ setTimeout: wait, setInterval: ticksOf(wait) })),
    replace(schedulerOfNode(), {
      wait: (delayMs: number, options?: WaitOptions) => wait(delayMs, undefined, options),
    }),
    replaceBuiltin("crypto", (module) =>
      seededNodeCrypto(secrets, Reflect.get(module, "randomBytes")),
    ),
    replaceBuiltin("process", () => processTimesOf(() => clock.now() - timeOrigin)),
    closeExits(onEscape),
  ];
  return () => {
    for (const restore of restores.toReversed()) restore();
    syncExports();
  };
}

/** Replaces functions of a module of the runtime, where it has the module. */
function replaceBuiltin(
  name: string,
  replacementsOf: (module: object) => Replacements,
): () => void {
  const module = builtin(name);
  return module === undefined ? () => undefined : replace(module, replacementsOf(module));
}

function schedulerOfNode(): object {
  const scheduler: unknown = Reflect.get(builtin("timers/promises") ?? {}, "scheduler");
  return typeof scheduler === "object" && scheduler !== null ? scheduler : {};
}

function replace(target: object, replacements: Replacements): () => void {
  const before = Object.keys(replacements).map(
    (name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const,
  );
  for (const [name, value] of Object.entries(replacements)) {
    // A host may have locked a member; programs there use the clock that they are given.
    Reflect.defineProperty(target, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(target, name);
      else Reflect.defineProperty(target, name, descriptor);
    }
  };
}

type Callback = (...args: unknown[]) => void;

/** Symbol of `util.promisify` for functions that have their own form with a promise. */
const promisified = Symbol.for("nodejs.util.promisify.custom");

/** Returns timers as the runtime has them, by the name of their global functions. */
function timersOf(clockNow: () => Clock): Replacements {
  const timers = new Map<number, GlobalTimer>();
  let last = 0;
  const start = (run: () => void, delayMs: unknown, isRepeated: boolean): GlobalTimer => {
    const id = ++last;
    const timer = new GlobalTimer(id, clockNow(), delayOf(delayMs), () => {
      if (isRepeated) timer.arm();
      else timers.delete(id);
      run();
    });
    timers.set(id, timer);
    timer.arm();
    return timer;
  };
  const clear = (handle: unknown): void => {
    const timer = handle instanceof GlobalTimer ? handle : timers.get(numberOf(handle));
    timer?.cancel();
    // The timer may be of an earlier run.
    if (timer !== undefined && timers.get(timer.id) === timer) timers.delete(timer.id);
  };
  const setTimeout = (callback: Callback, delayMs?: number, ...args: unknown[]): GlobalTimer =>
    start(() => callback(...args), delayMs, false);
  Reflect.defineProperty(setTimeout, promisified, { value: sleepOf(clockNow) });
  return {
    setTimeout,
    setInterval: (callback: Callback, delayMs?: number, ...args: unknown[]): GlobalTimer =>
      start(() => callback(...args), delayMs, true),
    clearTimeout: clear,
    clearInterval: clear,
  };
}

/** Longest delay of a timer of a runtime, in milliseconds: 2³¹ − 1. */
const longestMs = 2_147_483_647;

/** Node takes 1 ms for values that are not numbers, or too large. */
function delayOf(value: unknown): number {
  const ms = Math.max(1, Number(value) || 0);
  return ms > longestMs ? 1 : ms;
}

/** A timer of Node from before the run has a number, too, which may be that of another timer. */
function numberOf(handle: unknown): number {
  return typeof handle === "object" ? NaN : Number(handle);
}

/** Whether the code around the program has timers, too, such as those of a test runner in a page. */
const isPage = "document" in globalThis;

/** A timer as Node returns it: code may call its methods. In browsers it is used as a number. */
class GlobalTimer {
  readonly id: number;
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #fire: () => void;
  #timer: Timer | undefined;
  #isHeld = true;

  constructor(id: number, clock: Clock, ms: number, fire: () => void) {
    this.id = id;
    this.#clock = clock;
    this.#ms = ms;
    this.#fire = fire;
  }

  arm(): void {
    this.#timer = this.#clock.setTimeout(this.#fire, this.#ms);
    this.#hold();
  }

  cancel(): void {
    this.#timer?.cancel();
  }

  ref(): this {
    this.#isHeld = true;
    this.#hold();
    return this;
  }

  /** Does not keep the process running, so that it may be left. */
  unref(): this {
    this.#isHeld = false;
    this.#hold();
    return this;
  }

  hasRef(): boolean {
    return this.#isHeld;
  }

  refresh(): this {
    this.cancel();
    this.arm();
    return this;
  }

  [Symbol.toPrimitive](): number {
    return this.id;
  }

  #hold(): void {
    if (this.#timer instanceof ProcessTimer) this.#timer.isCounted = this.#isHeld && !isPage;
  }
}

interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** Type of the function `setTimeout` of `node:timers/promises`. */
type Wait = (delayMs?: number, value?: unknown, options?: WaitOptions) => Promise<unknown>;

function sleepOf(clockNow: () => Clock): Wait {
  return async (delayMs, value, { signal } = {}) => {
    try {
      await sleep(delayOf(delayMs), { clock: clockNow(), signal });
    } catch (cause) {
      // The error of Node, whatever the reason of the signal.
      const error = new Error("The operation was aborted", { cause });
      throw Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
    }
    return value;
  };
}

/** Returns the function `setInterval` of `node:timers/promises`. */
function ticksOf(wait: Wait) {
  return async function* (...args: Parameters<Wait>): AsyncGenerator {
    for (;;) yield await wait(...args);
  };
}

function dateOf(clock: SimulatedClock): unknown {
  return new Proxy(Date, {
    construct: (target, args, newTarget) => {
      const given = args.length === 0 ? [clock.now()] : args;
      const date: unknown = Reflect.construct(target, given, newTarget);
      return date instanceof Date ? date : new Date(clock.now());
    },
    apply: () => new Date(clock.now()).toString(),
    get: (target, name) =>
      name === "now" ? () => Math.floor(clock.now()) : Reflect.get(target, name),
  });
}

/** Returns a signal as of `AbortSignal.timeout`, which does not keep the process running. */
function signalAfter(clock: Clock, ms: number): AbortSignal {
  const stop = new AbortController();
  const timer = clock.setTimeout(() => {
    stop.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }, ms);
  if (timer instanceof ProcessTimer) timer.isCounted = false;
  return stop.signal;
}

/** Functions of Node's `process` that measure the time since its start, here that of the run. */
function processTimesOf(elapsedMs: () => number): Replacements {
  const second = 1_000_000_000n;
  const bigint = (): bigint => BigInt(Math.round(elapsedMs() * 1e6));
  const hrtime = ([seconds, rest]: readonly [number, number] = [0, 0]): [number, number] => {
    const passed = bigint() - BigInt(seconds) * second - BigInt(rest);
    return [Number(passed / second), Number(passed % second)];
  };
  return { hrtime: Object.assign(hrtime, { bigint }), uptime: () => elapsedMs() / 1000 };
}
