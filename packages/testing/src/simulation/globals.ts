import type { Timer } from "@listwatch/core-fifo";
import { seededRandom, type SimulatedClock } from "@listwatch/core-fifo/testing";
import type { EscapeError } from "./errors.ts";
import { closeExits } from "./escapes.ts";
import { hashText } from "../plan/draw.ts";

/** A global name, and what it is during a run. */
type Replacements = Readonly<Record<string, unknown>>;

/**
 * Replaces the sources of time, chance and I/O of the runtime, for one run: programs that do not
 * take a clock or random numbers as an option are simulated, too. What cannot be simulated ends the
 * run.
 *
 * @param onEscape called with the error of a call that cannot be simulated
 * @returns restores them
 */
export function replaceGlobals(
  clock: SimulatedClock,
  seed: number,
  onEscape: (error: EscapeError) => void,
): () => void {
  const random = seededRandom(hashText(`${seed} globals`));
  const restores = [
    replace(globalThis, timersOf(clock)),
    replace(globalThis, { Date: dateOf(clock) }),
    replace(performance, { now: () => clock.now() - performance.timeOrigin }),
    replace(Math, { random }),
    replace(crypto, cryptoOf(random)),
    replace(AbortSignal, { timeout: (ms: number) => signalAfter(clock, ms) }),
    closeExits(onEscape),
  ];
  return () => {
    for (const restore of restores.toReversed()) restore();
  };
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

function timersOf(clock: SimulatedClock): Replacements {
  const timers = new Map<number, Timer>();
  let last = 0;
  const start = (run: () => void, delayMs: unknown, isRepeated: boolean): unknown => {
    const id = ++last;
    const ms = Math.max(1, Number(delayMs) || 0);
    const arm = (): void => {
      const timer = clock.setTimeout(() => {
        timers.delete(id);
        if (isRepeated) arm();
        run();
      }, ms);
      timers.set(id, timer);
    };
    arm();
    return handleOf(id);
  };
  const clear = (handle: unknown): void => {
    const id = Number(handle);
    timers.get(id)?.cancel();
    timers.delete(id);
  };
  type Callback = (...args: unknown[]) => void;
  return {
    setTimeout: (callback: Callback, delayMs?: number, ...args: unknown[]) =>
      start(() => callback(...args), delayMs, false),
    setInterval: (callback: Callback, delayMs?: number, ...args: unknown[]) =>
      start(() => callback(...args), delayMs, true),
    clearTimeout: clear,
    clearInterval: clear,
  };
}

/** A timer as Node returns it: code may call its methods. In browsers it is used as a number. */
function handleOf(id: number): object {
  const handle = {
    ref: () => handle,
    unref: () => handle,
    hasRef: () => true,
    [Symbol.toPrimitive]: () => id,
  };
  return handle;
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

function cryptoOf(random: () => number): Replacements {
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

function signalAfter(clock: SimulatedClock, ms: number): AbortSignal {
  const stop = new AbortController();
  clock.setTimeout(() => {
    stop.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError"));
  }, ms);
  return stop.signal;
}
