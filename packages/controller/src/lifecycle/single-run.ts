import { AlreadyRunningError, linkAbort } from "@listwatch/core-fifo/base";

/** Allows one run, which can be stopped and awaited. Refuses a second one. */
export class SingleRun {
  readonly #name: string;
  readonly #stop = new AbortController();
  #ended: Promise<void> | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get hasStarted(): boolean {
    return this.#ended !== undefined;
  }

  /**
   * Runs `body` with a signal that `signal` or {@link SingleRun.stop} aborts.
   *
   * @throws {AlreadyRunningError} if it was called before
   */
  async run(
    signal: AbortSignal | undefined,
    body: (stop: AbortSignal) => Promise<void>,
  ): Promise<void> {
    if (this.hasStarted) throw new AlreadyRunningError(this.#name);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ended = promise;
    const link = linkAbort(signal, this.#stop.signal);
    try {
      await body(link.signal);
    } finally {
      link.release();
      resolve();
    }
  }

  /** Stops the current or a later run, and waits for its end. Never rejects. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }
}
