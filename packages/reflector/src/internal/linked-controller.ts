/**
 * An abort controller that is aborted with its parent, and lets go of the parent when it is
 * released.
 */
export class LinkedController {
  readonly #controller = new AbortController();
  readonly #parent: AbortSignal | undefined;
  readonly #onAbort = (): void => this.#controller.abort(this.#parent?.reason);

  constructor(parent: AbortSignal | undefined) {
    this.#parent = parent;
    if (parent?.aborted === true) this.#onAbort();
    else parent?.addEventListener("abort", this.#onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  /** Removes the listener from the parent. */
  release(): void {
    this.#parent?.removeEventListener("abort", this.#onAbort);
  }
}
