import type { WatchEvent } from "@listwatch/client";

/** What list and watch decoders have in common. */
interface ByteReader<T> {
  write(chunk: Uint8Array, into: T[]): void;
  end(into: T[]): void;
}

/** Text as UTF-8. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Bytes cut at these places, given as fractions of the whole. */
export function cut(bytes: Uint8Array, fractions: readonly number[]): Uint8Array[] {
  const places = fractions
    .map((fraction) => Math.floor(fraction * bytes.length))
    .toSorted((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}

/** Everything a list decoder makes of these pieces. */
export function decodeList<T>(decoder: ByteReader<T>, pieces: readonly Uint8Array[]): T[] {
  const items: T[] = [];
  for (const piece of pieces) decoder.write(piece, items);
  decoder.end(items);
  return items;
}

/** Everything a watch decoder makes of these pieces. */
export function decodeWatch<T>(
  decoder: ByteReader<WatchEvent<T>>,
  pieces: readonly Uint8Array[],
): WatchEvent<T>[] {
  const events: WatchEvent<T>[] = [];
  for (const piece of pieces) decoder.write(piece, events);
  decoder.end(events);
  return events;
}

/** A body that comes in these pieces. */
export function streamOf(...pieces: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const rest = pieces.map((piece) => (typeof piece === "string" ? bytesOf(piece) : piece));
  return new ReadableStream({
    pull(controller) {
      const piece = rest.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
}
