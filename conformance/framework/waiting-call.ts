import { systemClock } from "@listwatch/core-fifo";

/** A call that may have to wait for something a later step does. */
export class WaitingCall<Result> {
  #result: { readonly value: Result } | undefined;

  /**
   * @param call resolves with the outcome of the call in the notation of the traces; must not
   *   reject
   */
  constructor(call: Promise<Result>) {
    void this.#watch(call);
  }

  /** Lets everything run that can, then tells whether the call has ended. */
  async settled(): Promise<{ readonly value: Result } | undefined> {
    await systemClock.nextTurn();
    return this.#result;
  }

  async #watch(call: Promise<Result>): Promise<void> {
    this.#result = { value: await call };
  }
}
