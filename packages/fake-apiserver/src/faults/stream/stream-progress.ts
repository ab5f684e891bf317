import { EventCounter, type EventFraming } from "./event-counter.ts";

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
  readonly #events: EventCounter;
  #bytes = 0;

  constructor(framing: EventFraming) {
    this.#events = new EventCounter(framing);
  }

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
    if (this.hasTriggers) this.#events.add(sent);
  }

  /** Fires the triggers whose point has been reached. */
  fireDue(): void {
    if (!this.hasTriggers) return;
    const due = this.#triggers.filter(
      ({ events, bytes }) => this.#events.count >= events && this.#bytes >= bytes,
    );
    if (due.length === 0) return;
    this.#triggers = this.#triggers.filter((trigger) => !due.includes(trigger));
    for (const trigger of due) trigger.fire();
  }
}
