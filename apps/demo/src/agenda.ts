interface Entry<Result> {
  readonly dueMs: number;
  readonly act: () => Result | undefined;
}

/** Things to do at given times, earliest first; of two at one time, the one that was added first. */
export class Agenda<Result> {
  /** Latest first, so that the next one comes off the end. */
  readonly #entries: Entry<Result>[] = [];

  /** `Infinity` when nothing is planned. */
  get nextDueMs(): number {
    return this.#entries.at(-1)?.dueMs ?? Infinity;
  }

  add(dueMs: number, act: () => Result | undefined): void {
    // Binary search for the first entry that is not later.
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.dueMs ?? -Infinity) > dueMs) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, { dueMs, act });
  }

  /** Takes out what is due, without what is added meanwhile: a second look finds that. */
  due(nowMs: number): (() => Result | undefined)[] {
    const acts: (() => Result | undefined)[] = [];
    while (this.nextDueMs <= nowMs) {
      const entry = this.#entries.pop();
      if (entry !== undefined) acts.push(entry.act);
    }
    return acts;
  }
}
