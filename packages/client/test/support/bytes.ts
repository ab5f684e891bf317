import type { WatchEvent } from "@listwatch/client";

/** The interface that list and watch decoders share. */
interface ByteReader<T> {
  write(chunk: Uint8Array, into: T[]): void;
  end(into: T[]): void;
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Cuts bytes at these positions, which are fractions of the length. */
export function cut(bytes: Uint8Array, fractions: readonly number[]): Uint8Array[] {
  const places = fractions
    .map((fraction) => Math.floor(fraction * bytes.length))
    .toSorted((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}

export function decodeList<T>(decoder: ByteReader<T>, pieces: readonly Uint8Array[]): T[] {
  const items: T[] = [];
  for (const piece of pieces) decoder.write(piece, items);
  decoder.end(items);
  return items;
}

export function decodeWatch<T>(
  decoder: ByteReader<WatchEvent<T>>,
  pieces: readonly Uint8Array[],
): WatchEvent<T>[] {
  const events: WatchEvent<T>[] = [];
  for (const piece of pieces) decoder.write(piece, events);
  decoder.end(events);
  return events;
}

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
