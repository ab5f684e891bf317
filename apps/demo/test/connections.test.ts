import { expect, test } from "vitest";
import { Connections } from "../src/connections.ts";

test("a broken connection ends its body though the fetch under it has lost the signal", async () => {
  let cancelled: unknown;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode("first")),
    cancel: (reason) => {
      cancelled = reason;
    },
  });
  const connections = new Connections(() => Promise.resolve(new Response(body)));
  const response = await connections.fetch(new Request("http://127.0.0.1/"));
  const reader = response.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("first");
  const next = reader?.read();
  connections.drop();
  await expect(next).rejects.toThrow("connection reset (ECONNRESET) by the drop key");
  expect(cancelled).toBeInstanceOf(TypeError);
});
