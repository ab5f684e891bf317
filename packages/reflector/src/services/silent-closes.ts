/**
 * Counts the watches in a row that the server ended before the time that was requested of it, and
 * without a byte. Such a watch may have missed any change. Lives as long as the reflector.
 */
export class SilentCloses {
  readonly #max: number;
  #inARow = 0;

  /** @param max after how many of them a relist follows, each time; Infinity: never */
  constructor(max: number) {
    this.#max = max;
  }

  /** Whether there have been so many that no watch is trusted before it brings something. */
  get areMany(): boolean {
    return this.#inARow >= this.#max;
  }

  get inARow(): number {
    return this.#inARow;
  }

  /** Records that a watch received data or reached its timeout, so it was not closed silently. */
  noteSound(): void {
    this.#inARow = 0;
  }

  /** Counts a silent close; returns whether a relist has to show what was missed. */
  noteClose(): boolean {
    this.#inARow += 1;
    return this.areMany && this.#inARow % this.#max === 0;
  }
}
