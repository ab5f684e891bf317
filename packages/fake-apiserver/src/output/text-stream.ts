// Large enough that a 200 MB list needs no 50,000 chunks, small enough to stay in the CPU's cache.
const chunkCharacters = 262_144;

/** A byte stream of texts, made while it is read: nothing is encoded before the reader asks for it. */
export function textStream(pieces: Iterator<string, void, void>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller): void {
        const chunk = gather(pieces);
        if (chunk === "") controller.close();
        else controller.enqueue(encoder.encode(chunk));
      },
      cancel(): void {
        pieces.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}

function gather(pieces: Iterator<string, void, void>): string {
  const parts: string[] = [];
  let characters = 0;
  while (characters < chunkCharacters) {
    const { done, value } = pieces.next();
    if (done === true) break;
    parts.push(value);
    characters += value.length;
  }
  return parts.join("");
}
