import { systemClock } from "@listwatch/core-fifo";

/** A call that may have to wait for a later step. */
export class WaitingCall<Result> {
  #result: { readonly value: Result } | undefined;

  /** @param call resolves with the result in the notation of the traces; must not reject */
  constructor(call: Promise<Result>) {
    void this.#watch(call);
  }

  /** Lets all pending work run, then returns the result if the call has ended. */
  async settled(): Promise<{ readonly value: Result } | undefined> {
    await systemClock.nextTurn();
    return this.#result;
  }

  async #watch(call: Promise<Result>): Promise<void> {
    this.#result = { value: await call };
  }
}
