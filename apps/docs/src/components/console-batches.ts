/** Output of one call of `console.log`, `console.warn` or `console.error`. */
export interface ConsoleLine {
  readonly kind: "log" | "warn" | "error";
  readonly text: string;
}

/** Lines that are shown at once. */
export interface ConsoleBatch {
  readonly first: readonly ConsoleLine[];
  /** How many lines were printed between the first and the last ones, and are not shown. */
  readonly leftOut: number;
  readonly last: readonly ConsoleLine[];
}

/** Lines of one batch: as many at its start as at its end. */
const maxLines = 100;
/** A batch takes about this long to show, and leaves the page time for everything else. */
const periodMs = 100;

/**
 * Gathers what a program prints into batches, so that no program can flood the page: an endless
 * loop never returns to the worker's events, so that the worker itself has to hold back.
 */
export class ConsoleBatches {
  readonly #send: (batch: ConsoleBatch) => void;
  readonly #now: () => number;
  #first: ConsoleLine[] = [];
  #last: ConsoleLine[] = [];
  #count = 0;
  #sentMs = -Infinity;

  constructor(send: (batch: ConsoleBatch) => void, now: () => number) {
    this.#send = send;
    this.#now = now;
  }

  /** Whether lines wait to be sent. */
  get isWaiting(): boolean {
    return this.#count > 0;
  }

  /** Takes a line, and sends all that wait if the last batch is long enough ago. */
  print(line: ConsoleLine): void {
    if (this.#count < maxLines) this.#first.push(line);
    else this.#last[this.#count % maxLines] = line;
    this.#count += 1;
    if (this.#now() - this.#sentMs >= periodMs) this.send();
  }

  /** Sends what waits. */
  send(): void {
    if (this.#count === 0) return;
    const oldest = this.#last.length < maxLines ? 0 : this.#count % maxLines;
    this.#send({
      first: this.#first,
      leftOut: this.#count - this.#first.length - this.#last.length,
      last: [...this.#last.slice(oldest), ...this.#last.slice(0, oldest)],
    });
    this.#first = [];
    this.#last = [];
    this.#count = 0;
    this.#sentMs = this.#now();
  }
}
