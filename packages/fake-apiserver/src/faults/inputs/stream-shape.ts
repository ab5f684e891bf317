import type { StreamShape } from "../../control/fault-action.ts";
import { demand, demandInteger } from "./demand.ts";
import type { JsonReader } from "./json-reader.ts";

const lineFeed = 10;
const carriageReturn = 13;
const blank = 32;

/** Cuts a chunk into the chunks to send; the chunk itself when the shape changes nothing. */
export function shapeChunks(chunk: Uint8Array, shape: StreamShape): readonly Uint8Array[] {
  const whole =
    shape.crlf === true || shape.padTo !== undefined ? rewriteLines(chunk, shape) : chunk;
  const size = shape.bytes;
  if (size === undefined) return [whole];
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < whole.length; start += size) {
    pieces.push(whole.subarray(start, start + size));
  }
  return pieces;
}

function rewriteLines(chunk: Uint8Array, shape: StreamShape): Uint8Array {
  const parts: number[] = [];
  let lineLength = 0;
  for (const byte of chunk) {
    if (byte !== lineFeed) {
      parts.push(byte);
      lineLength++;
      continue;
    }
    for (; lineLength < (shape.padTo ?? 0); lineLength++) parts.push(blank);
    if (shape.crlf === true) parts.push(carriageReturn);
    parts.push(lineFeed);
    lineLength = 0;
  }
  return Uint8Array.from(parts);
}

/** @throws {@link ControlInputError} for chunks that cannot be */
export function checkShape({ bytes = 1, events = 1, padTo = 0 }: StreamShape): void {
  demandInteger(bytes, 1, "shape.bytes");
  demandInteger(events, 1, "shape.events");
  demandInteger(padTo, 0, "shape.padTo");
}

/** Reads a shape from JSON, and refuses any other field. */
export function readShape(reader: JsonReader): StreamShape {
  const shape: StreamShape = {
    ...(reader.has("bytes") ? { bytes: reader.number("bytes") } : {}),
    ...(reader.has("events") ? { events: reader.number("events") } : {}),
    ...(reader.has("padTo") ? { padTo: reader.number("padTo") } : {}),
    crlf: reader.boolean("crlf", false),
  };
  reader.end();
  return shape;
}

/** @throws {@link ControlInputError} for a pace at which nothing would ever arrive */
export function checkPace(bytesPerSecond: number): void {
  demand(bytesPerSecond > 0, "bytesPerSecond", "a number above 0", bytesPerSecond);
}
