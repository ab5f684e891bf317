/**
 * Yields the text of a body as it arrives; leaving the iteration cancels the rest. It fails with
 * the body's own error, which Chromium's `response.text()` replaces by one that gives no reason.
 */
export async function* textPieces(
  body: ReadableStream<Uint8Array> | null,
): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.getReader();
  const utf8 = new TextDecoder();
  try {
    for (;;) {
      const { value } = await reader.read();
      if (value === undefined) break;
      yield utf8.decode(value, { stream: true });
    }
    yield utf8.decode();
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}
