import type { Timer } from "@listwatch/core-fifo";
import type { ReflectorCore } from "./reflector-core.ts";

/**
 * Lets the store hand its objects out again, period by period, while the collection is watched
 * (REF-42).
 */
export class ResyncTimer<T> {
  readonly #core: ReflectorCore<T>;
  readonly #onFailure: (error: unknown) => void;
  #timer: Timer | undefined;

  constructor(core: ReflectorCore<T>, onFailure: (error: unknown) => void) {
    this.#core = core;
    this.#onFailure = onFailure;
    this.#arm();
  }

  stop(): void {
    this.#timer?.cancel();
  }

  #arm(): void {
    const { clock, resyncMs, store } = this.#core;
    if (resyncMs === 0 || resyncMs === Infinity || store.resync === undefined) return;
    this.#timer = clock.setTimeout(() => this.#tick(), resyncMs);
  }

  #tick(): void {
    const { store, options } = this.#core;
    try {
      if (options.watch?.shouldResync?.() ?? true) store.resync?.();
    } catch (error) {
      this.#onFailure(error);
      return;
    }
    this.#arm();
  }
}
