// @vitest-environment node
import type { AddressInfo } from "node:net";
import { expect, test, vi } from "vitest";
import { servePods } from "./serve-pods.ts";
import { startInformer } from "./start-informer.ts";

/** Longer than anything here takes on a machine that does much else. */
const limitMs = 300_000;

test("sends pods and their changes to a page until it disconnects", async () => {
  const { client, informer, stop } = await startInformer();
  const server = servePods(informer);
  await new Promise<void>((listening) => {
    server.listen(0, "127.0.0.1", listening);
  });
  const page = new AbortController();
  const { port } = server.address() as AddressInfo;
  const { body, headers } = await fetch(`http://127.0.0.1:${port}`, { signal: page.signal });
  expect(headers.get("content-type")).toBe("text/event-stream");
  let text = "";
  const reading = (async () => {
    for await (const part of body!.pipeThrough(new TextDecoderStream())) text += part;
  })();

  await vi.waitFor(() => {
    expect(text).toBe('data: {"type":"add","key":"default/web-0","phase":"Pending"}\n\n');
  }, limitMs);
  await client.delete("web-0");
  await vi.waitFor(() => {
    expect(text).toMatch(/data: {"type":"delete","key":"default\/web-0"}\n\n$/);
  }, limitMs);
  expect(informer.status().handlers.length).toBe(1);
  page.abort();
  await expect(reading).rejects.toThrow("aborted");
  await vi.waitFor(() => {
    expect(informer.status().handlers).toEqual([]);
  }, limitMs);
  server.close();
  await stop();
});
