const lineFeed = 10;

/** Fires once both numbers have been handed to the reader, counted from the start of the stream. */
export interface StreamTrigger {
  readonly events: number;
  readonly bytes: number;
  readonly fire: () => void;
}

/** How much of a stream has been handed to the reader, and what happens at which point. */
export class StreamProgress {
  #triggers: StreamTrigger[] = [];
  // Counted only for triggers, so these have to be there from the start.
  #events = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get hasTriggers(): boolean {
    return this.#triggers.length > 0;
  }

  add(trigger: StreamTrigger): void {
    this.#triggers.push(trigger);
    this.fireDue();
  }

  /** Counts what is handed to the reader. */
  count(sent: Uint8Array): void {
    this.#bytes += sent.length;
    if (!this.hasTriggers) return;
    for (let at = sent.indexOf(lineFeed); at >= 0; at = sent.indexOf(lineFeed, at + 1)) {
      this.#events++;
    }
  }

  /** Fires the triggers whose point has been reached. */
  fireDue(): void {
    if (!this.hasTriggers) return;
    const due = this.#triggers.filter(
      ({ events, bytes }) => this.#events >= events && this.#bytes >= bytes,
    );
    if (due.length === 0) return;
    this.#triggers = this.#triggers.filter((trigger) => !due.includes(trigger));
    for (const trigger of due) trigger.fire();
  }
}
