/** Counts the listeners of a signal that were not removed. */
export class ListenerCount {
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<unknown>();
  added = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      this.added++;
      this.#listeners.add(args[1]);
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      this.#listeners.delete(args[1]);
      remove(...args);
    };
  }

  /** Descriptions of the remaining listeners. An aborted signal has dropped its listeners. */
  get leaks(): readonly string[] {
    const left = this.#listeners.size;
    return left === 0 || this.#signal.aborted ? [] : [`${left} listeners on the signal`];
  }
}
