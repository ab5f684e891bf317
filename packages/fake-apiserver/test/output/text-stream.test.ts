import { describe, expect, test } from "vitest";
import { textStream } from "../../src/output/text-stream.ts";

describe("textStream", () => {
  test("writes nothing before it is read, and combines small pieces into large chunks", async () => {
    let made = 0;
    function* pieces(): Generator<string, void, void> {
      for (; made < 1000; made++) yield "x".repeat(1000);
    }
    const reader = textStream(pieces()).getReader();
    expect(made).toBe(0);
    const { value } = await reader.read();
    expect(made).toBeLessThan(300);
    let bytes = value?.byteLength ?? 0;
    let chunks = 1;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      bytes += next.value.byteLength;
      chunks++;
    }
    expect(bytes).toBe(1_000_000);
    expect(chunks).toBeLessThan(5);
  });

  test("stops producing when the reader cancels", async () => {
    let ended = false;
    function* pieces(): Generator<string, void, void> {
      try {
        for (;;) yield "x".repeat(100_000);
      } finally {
        ended = true;
      }
    }
    const reader = textStream(pieces()).getReader();
    await reader.read();
    await reader.cancel();
    expect(ended).toBe(true);
  });

  test("does not split characters of any size", async () => {
    const text = "añ€😀".repeat(70_000);
    const half = text.length / 2;
    const stream = textStream([text.slice(0, half), text.slice(half)].values());
    expect(await new Response(stream).text()).toBe(text);
  });
});
