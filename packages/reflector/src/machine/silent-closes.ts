import { ListwatchError } from "@listwatch/core-fifo/base";

/** The server ends watch after watch early and without a byte. Code `LW_SILENT_WATCHES`. */
export class SilentWatchesError extends ListwatchError {
  override readonly name: string = "SilentWatchesError";
  /** How many watches in a row ended so. */
  readonly closes: number;

  constructor(name: string, closes: number) {
    super(
      "LW_SILENT_WATCHES",
      `Cannot trust the watches of ${name}: ${closes} in a row ended before the time that was ` +
        "requested and without a byte, as behind a proxy that does not pass on what it gets",
    );
    this.closes = closes;
  }
}

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

  /** Bytes have arrived on a watch, or it has lasted for the time that was requested. */
  noteSound(): void {
    this.#inARow = 0;
  }

  /** Counts a silent close; returns whether a relist has to show what was missed. */
  noteClose(): boolean {
    this.#inARow += 1;
    return this.areMany && this.#inARow % this.#max === 0;
  }
}
