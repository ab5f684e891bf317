/** Source of a body's chunks. Reads must not overlap. */
export interface ChunkSource {
  /** Returns the next chunk, at once if it has arrived; `undefined` after the last one. */
  read(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Drops the rest. A pending read ends like the body. */
  cancel(reason: unknown): void;
}

const sources = new WeakMap<ReadableStream<Uint8Array>, ChunkSource>();

/**
 * Gives a stream the source that it reads from. {@link readerOf} then reads without the stream,
 * whose promises cost as much as a small event.
 */
export function setSource(stream: ReadableStream<Uint8Array>, source: ChunkSource): void {
  sources.set(stream, source);
}

/** Returns the source of a body that nothing has read, or a reader of its stream. */
export function readerOf(body: ReadableStream<Uint8Array>): ChunkSource {
  // Locked, so that nothing else can read.
  const reader = body.getReader();
  return (
    sources.get(body) ?? {
      read: async () => (await reader.read()).value,
      cancel: (reason) => void reader.cancel(reason).catch(() => undefined),
    }
  );
}
