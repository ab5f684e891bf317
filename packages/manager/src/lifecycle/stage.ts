import { linkAbort } from "@listwatch/core-fifo/base";

/** Work that runs until its signal is aborted. */
type Work = (signal: AbortSignal) => Promise<unknown>;

/** Options of {@link Stage.start}. */
interface StartOptions {
  /** Ends this work alone; its end then has no effect on the others. @default none */
  readonly signal?: AbortSignal | undefined;
}

/** Works that start and stop together. The first one that ends early is reported. */
export class Stage {
  readonly #stop = new AbortController();
  readonly #onEnd: (name: string, failure: { readonly error: unknown } | undefined) => void;
  readonly #running = new Map<Promise<void>, string>();

  /** @param onEnd called when a work ends before the stage is stopped */
  constructor(onEnd: (name: string, failure: { readonly error: unknown } | undefined) => void) {
    this.#onEnd = onEnd;
  }

  /** Names of the works that have not ended. */
  get running(): readonly string[] {
    return [...this.#running.values()];
  }

  /** Starts a work, unless the stage was stopped. Returns a promise of its end, never rejected. */
  start(name: string, work: Work, { signal }: StartOptions = {}): Promise<void> {
    if (this.#stop.signal.aborted) return Promise.resolve();
    const link = linkAbort(this.#stop.signal, signal);
    const run = async (): Promise<void> => {
      let failure: { readonly error: unknown } | undefined;
      try {
        await work(link.signal);
      } catch (error) {
        failure = { error };
      }
      link.release();
      this.#running.delete(running);
      if (!link.signal.aborted) this.#onEnd(name, failure);
    };
    // The work begins after its entry exists.
    const running = Promise.resolve().then(run);
    this.#running.set(running, name);
    return running;
  }

  /** Stops all works and waits for their ends. */
  async stop(): Promise<void> {
    this.#stop.abort();
    while (this.#running.size > 0) await Promise.all(this.#running.keys());
  }
}
