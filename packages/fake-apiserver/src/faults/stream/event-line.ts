import { isRecord, recordOf, type JsonObject } from "@listwatch/core-fifo/base";

const lineFeed = 10;
const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** One line of a watch stream, decoded when its content is asked for. */
export class EventLine {
  /** With the line feed. */
  readonly bytes: Uint8Array;
  #event: JsonObject | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** A line that says this. */
  static of(type: string, object: JsonObject): EventLine {
    return new EventLine(encoder.encode(`${JSON.stringify({ type, object })}\n`));
  }

  get type(): string {
    const { type } = this.#parsed();
    return typeof type === "string" ? type : "";
  }

  get object(): JsonObject {
    return recordOf(this.#parsed()["object"]);
  }

  /** The object's metadata; of the only row of a Table, its row object's. */
  get metadata(): JsonObject {
    const { object } = this;
    const rows = object["rows"];
    const row: unknown = Array.isArray(rows) ? rows[0] : undefined;
    const subject = isRecord(row) ? recordOf(row["object"]) : object;
    const own = recordOf(subject["metadata"]);
    return own["resourceVersion"] === undefined ? recordOf(object["metadata"]) : own;
  }

  /** 0 for lines without a revision (ERROR). */
  get revision(): number {
    return Number(this.metadata["resourceVersion"] ?? 0);
  }

  /** The bookmark that ends the initial events (KEP-3157). */
  get isInitialEnd(): boolean {
    const annotations = recordOf(this.metadata["annotations"]);
    return this.type === "BOOKMARK" && annotations["k8s.io/initial-events-end"] === "true";
  }

  #parsed(): JsonObject {
    this.#event ??= parse(this.bytes);
    return this.#event;
  }
}

function parse(bytes: Uint8Array): JsonObject {
  const value: unknown = JSON.parse(decoder.decode(bytes));
  return recordOf(value);
}

/** The lines of a chunk that holds whole lines. */
export function splitLines(chunk: Uint8Array): EventLine[] {
  const lines: EventLine[] = [];
  let start = 0;
  while (start < chunk.length) {
    const end = chunk.indexOf(lineFeed, start) + 1 || chunk.length;
    lines.push(new EventLine(chunk.subarray(start, end)));
    start = end;
  }
  return lines;
}
