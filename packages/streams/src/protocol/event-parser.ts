/** One server-sent event, or an id without one. */
export interface ServerSentEvent {
  /** Name of the event; `""` if it has none. */
  readonly type: string;
  /** Its lines of data, joined. */
  readonly data: string;
  /** Its id; `undefined` without one. */
  readonly id: string | undefined;
}

/** Reads server-sent events from the bytes of a body (HTML standard, "server-sent events"). */
export class EventParser {
  readonly #decoder = new TextDecoder();
  /** The start of a line whose end has not arrived. */
  #rest = "";
  #type = "";
  #data: string[] = [];
  #id: string | undefined;

  /** Returns the events that these bytes complete. */
  push(bytes: Uint8Array): ServerSentEvent[] {
    const text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    // A carriage return at the end may be the first half of a line end.
    const lines = text.split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? "";
    const events: ServerSentEvent[] = [];
    for (const line of lines) {
      if (line === "") this.#end(events);
      else this.#read(line);
    }
    return events;
  }

  #read(line: string): void {
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + (line[colon + 1] === " " ? 2 : 1));
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#type = value;
    else if (name === "id") this.#id = value;
  }

  #end(events: ServerSentEvent[]): void {
    if (this.#data.length > 0 || this.#id !== undefined) {
      events.push({ type: this.#type, data: this.#data.join("\n"), id: this.#id });
    }
    this.#type = "";
    this.#data = [];
    this.#id = undefined;
  }
}
