/** Positions that are remembered. Each takes about 100 bytes. */
const maxPositions = 16_384;

/**
 * Random words for the places in the history of a server. A counter would show a page how much
 * happens that it may not see.
 */
export class Positions {
  /** Belongs to this history. Another process, and one that was restarted, has another one. */
  readonly epoch: string = createWord(8);
  readonly #places = new Map<string, number>();
  #newest: string | undefined;

  /** Returns a position after the change with this number. */
  at(change: number): string {
    this.#newest ??= this.#create(change);
    return this.#newest;
  }

  /** Makes the next position another word, after a change or a heartbeat. */
  move(): void {
    this.#newest = undefined;
  }

  /**
   * Returns the number of the last change that a page with this position has received; `undefined`
   * if the position is too old or of another history.
   */
  find(position: string): number | undefined {
    return this.#places.get(position);
  }

  /** Whether a position is one of this history, however old. */
  isOwn(position: string): boolean {
    return position.startsWith(`${this.epoch}.`);
  }

  #create(change: number): string {
    const position = `${this.epoch}.${createWord(8)}`;
    this.#places.set(position, change);
    if (this.#places.size > maxPositions) {
      for (const [oldest] of this.#places) {
        this.#places.delete(oldest);
        break;
      }
    }
    return position;
  }
}

/** Returns random bytes, as hexadecimal digits. */
function createWord(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
