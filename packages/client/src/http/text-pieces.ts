import { onAborted } from "@listwatch/core-fifo/base";

/**
 * Yields the bytes of a body as they arrive; leaving the iteration cancels the rest. So does an
 * abort: a `fetch` may have lost its signal to the garbage collector by then. It fails with the
 * reason of the signal, or with the body's own error.
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
      // A body that was cancelled ends as if it were complete.
      signal?.throwIfAborted();
      if (value === undefined) return;
      yield value;
    }
  } finally {
    removeListener();
    cancel();
  }
}

/**
 * Yields the text of a body as {@link bytePieces} yields its bytes. Chromium's `response.text()`
 * replaces the error of a body by one that gives no reason.
 */
export async function* textPieces(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void, undefined> {
  const utf8 = new TextDecoder();
  for await (const bytes of bytePieces(body, signal)) yield utf8.decode(bytes, { stream: true });
  yield utf8.decode();
}
