import { sleep, type HandlerRegistration, type Informer } from "listwatch";
import type { Pod } from "listwatch/resources/core/v1";

/** Time of a slow handler for each event, in milliseconds. */
export const slowMs = 600;

/** A handler of the informer that counts its calls and can be slow. */
export class PictureHandler {
  readonly name: string;
  /** Calls that have returned. */
  handled = 0;
  readonly #registration: HandlerRegistration;
  #isSlow = false;
  #isCalled = false;
  #interrupt = new AbortController();

  constructor(name: string, informer: Pick<Informer<Pod>, "addEventHandler">) {
    this.name = name;
    const handle = (): unknown => this.#handle();
    this.#registration = informer.addEventHandler(
      { onAdd: handle, onUpdate: handle, onDelete: handle },
      // A relist would otherwise call it for objects that did not change.
      { name, changesOnly: true },
    );
  }

  /** Events in its mailbox, with the one in progress. */
  get waiting(): number {
    return this.#registration.backlog + (this.#isCalled ? 1 : 0);
  }

  set isSlow(isSlow: boolean) {
    this.#isSlow = isSlow;
    this.#interrupt.abort();
    this.#interrupt = new AbortController();
  }

  async #wait(): Promise<void> {
    this.#isCalled = true;
    await sleep(slowMs, { signal: this.#interrupt.signal }).catch(() => {});
    this.#isCalled = false;
    this.handled++;
  }

  #handle(): Promise<void> | void {
    if (this.#isSlow) return this.#wait();
    this.handled++;
  }
}
