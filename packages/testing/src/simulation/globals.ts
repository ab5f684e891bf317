import { sleep, type Clock, type Timer } from "@listwatch/core-fifo";
import { seededRandom, type SimulatedClock } from "@listwatch/core-fifo/testing";
import type { EscapeError } from "./errors.ts";
import { builtin, closeExits, syncExports } from "./escapes.ts";
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
  const timeOrigin = clock.now();
  const restores = [
    replace(globalThis, timers),
    replace(globalThis, { Date: dateOf(clock) }),
    replace(performance, { now: () => clock.now() - timeOrigin, timeOrigin }),
    replace(Math, { random }),
    replace(crypto, cryptoOf(secrets)),
    replace(AbortSignal, { timeout: (ms: number) => signalAfter(world.timers(), ms) }),
    replaceBuiltin("timers", timers),
    replaceBuiltin("timers/promises", { setTimeout: sleepOf(world.timers) }),
    replaceBuiltin("crypto", nodeCryptoOf(secrets)),
    closeExits(onEscape),
  ];
  return () => {
    for (const restore of restores.toReversed()) restore();
    syncExports();
  };
}

/** Replaces functions of a module of the runtime, where it has the module. */
function replaceBuiltin(name: string, replacements: object): () => void {
  const module = builtin(name);
  return module === undefined ? () => undefined : replace(module, { ...replacements });
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

/** Returns the function `setTimeout` of `node:timers/promises`. */
function sleepOf(clockNow: () => Clock) {
  return async (
    delayMs?: number,
    value?: unknown,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<unknown> => {
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

function cryptoOf(random: () => number) {
  const fill = <T extends ArrayBufferView>(view: T): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let index = 0; index < bytes.length; index++) bytes[index] = Math.floor(random() * 256);
    return view;
  };
  return {
    getRandomValues: fill,
    randomUUID: () => {
      const bytes = fill(new Uint8Array(16));
      // Version 4 and variant of RFC 9562.
      bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
      bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
      const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
      return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    },
  };
}

/**
 * Functions of `node:crypto` that draw random numbers; the callers of their forms with callbacks
 * wait.
 */
function nodeCryptoOf(random: () => number): Replacements {
  const { getRandomValues, randomUUID } = cryptoOf(random);
  const randomInt = (from: number, to?: number): number => {
    const least = to === undefined ? 0 : from;
    return least + Math.floor(random() * ((to ?? from) - least));
  };
  return { getRandomValues, randomUUID, randomInt };
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
