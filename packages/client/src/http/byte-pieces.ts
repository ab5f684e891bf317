import { onAborted } from "@listwatch/core-fifo/base";

/**
 * Yields the bytes of a body as they arrive. Leaving the loop cancels the rest, and so does an
 * abort, because `fetch` may have lost its signal to the garbage collector. Fails with the reason
 * of the signal, or with the error of the body.
 */
export async function* bytePieces(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel(signal?.reason).catch(() => undefined);
  const removeListener = onAborted(signal, cancel);
  try {
    for (;;) {
      const { value } = await reader.read();
      // A cancelled body looks complete.
      signal?.throwIfAborted();
      if (value === undefined) return;
      yield value;
    }
  } finally {
    removeListener();
    cancel();
  }
}
