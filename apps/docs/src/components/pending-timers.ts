/**
 * Counts the timers that a program has started and that have not fired or been cleared: as long as
 * there is one, the program is not over. Replaces the functions of the global object.
 */
export class PendingTimers {
  readonly #pending = new Set<number>();
  /** The functions as they were, for timers that do not count. */
  readonly setTimeout = globalThis.setTimeout.bind(globalThis);

  constructor(onEmpty: () => void) {
    const pending = this.#pending;
    const { setTimeout: start, clearTimeout: clear, setInterval: repeat } = globalThis;
    const forget = (id: number | undefined): void => {
      clear(id);
      if (id !== undefined && pending.delete(id) && pending.size === 0) onEmpty();
    };
    const timers = {
      setTimeout: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
        refuseString(run);
        const fire = (): void => {
          pending.delete(id);
          try {
            run(...args);
          } finally {
            if (pending.size === 0) onEmpty();
          }
        };
        const id = Number(start(fire, ms));
        pending.add(id);
        return id;
      },
      setInterval: (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
        refuseString(run);
        const id = Number(repeat(run, ms, ...args));
        pending.add(id);
        return id;
      },
      // Browsers let either function clear both kinds.
      clearTimeout: forget,
      clearInterval: forget,
    };
    Object.assign(globalThis, timers);
  }

  get areThere(): boolean {
    return this.#pending.size > 0;
  }
}

/** Browsers would compile a string; Node refuses it, too. */
function refuseString(run: unknown): void {
  if (typeof run === "function") return;
  throw new TypeError(`Expected a function for a timer, got ${typeof run}`);
}
