import type { JsonObject } from "@listwatch/core-fifo/base";
import type { EventMatch } from "../../control/fault-action.ts";
import type { JsonReader } from "../inputs/json-reader.ts";
import type { EventFraming } from "./event-counter.ts";

/** One event of a watch before it is encoded, or one line of another body, which has no fields. */
export interface WatchEvent {
  /** "" for lines of other bodies. */
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR" | "";
  /** 0 for what has no revision. */
  readonly revision: number;
  /** Undefined for what concerns no object, and for objects outside of namespaces. */
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** The bookmark that ends the initial events (KEP-3157). */
  readonly isInitialEnd: boolean;
  /** A bookmark at the revision of this event. */
  createBookmark(): WatchEvent;
  /** The same event with another revision. */
  withRevision(revision: number): WatchEvent;
  /** The line, with its line feed. */
  encode(): Uint8Array;
}

/** The source of the events of a stream. */
export interface EventSource {
  /** Where an event ends in the bytes. */
  readonly framing: EventFraming;
  /** The next events; undefined at the end. Nothing is taken before it is asked for. */
  read(): Promise<readonly WatchEvent[] | undefined>;
  /** Ends the source: no more is read. */
  cancel(reason?: unknown): void;
  /** An ERROR event as this source encodes its events. @default a line of JSON */
  encodeError?(status: JsonObject): Uint8Array;
}

const lineFeed = 10;
const encoder = new TextEncoder();

/** An ERROR event with a Status. */
export function errorEvent(status: JsonObject): WatchEvent {
  const line = `${JSON.stringify({ type: "ERROR", object: status })}\n`;
  return plainLine("ERROR", encoder.encode(line));
}

/**
 * The lines of a body that is not a watch.
 *
 * @param isText false for protobuf, which is passed on in the chunks in which it arrives
 */
export function bodySource(body: ReadableStream<Uint8Array>, isText: boolean): EventSource {
  const reader = body.getReader();
  return {
    framing: isText ? "lines" : "none",
    async read() {
      const { done, value } = await reader.read();
      if (done) return undefined;
      return isText ? splitLines(value) : [plainLine("", value)];
    },
    cancel: (reason) => void reader.cancel(reason).catch(() => undefined),
  };
}

/** The lines of a chunk, which may end in the middle of one. */
function splitLines(chunk: Uint8Array): WatchEvent[] {
  const lines: WatchEvent[] = [];
  let start = 0;
  while (start < chunk.length) {
    const end = chunk.indexOf(lineFeed, start) + 1 || chunk.length;
    lines.push(plainLine("", chunk.subarray(start, end)));
    start = end;
  }
  return lines;
}

function plainLine(type: "ERROR" | "", bytes: Uint8Array): WatchEvent {
  const event: WatchEvent = {
    type,
    revision: 0,
    namespace: undefined,
    name: undefined,
    isInitialEnd: false,
    createBookmark: () => event,
    withRevision: () => event,
    encode: () => bytes,
  };
  return event;
}

/** True if every given field of the match fits the event. */
export function matchesEvent(match: EventMatch, event: WatchEvent): boolean {
  return (
    (match.type === undefined || match.type === event.type) &&
    (match.namespace === undefined || match.namespace === event.namespace) &&
    (match.name === undefined || match.name === event.name)
  );
}

/** Reads a match from JSON, and refuses any other field. */
export function readEventMatch(reader: JsonReader): EventMatch {
  const types = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"] as const;
  const match: EventMatch = {
    ...(reader.has("type") ? { type: reader.choice("type", types) } : {}),
    ...(reader.has("namespace") ? { namespace: reader.text("namespace") } : {}),
    ...(reader.has("name") ? { name: reader.text("name") } : {}),
  };
  reader.end();
  return match;
}
