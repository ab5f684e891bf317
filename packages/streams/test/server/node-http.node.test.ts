import { pipeline, Readable } from "node:stream";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { constants, createGzip } from "node:zlib";
import { silentLog } from "@listwatch/core-fifo";
import { listen } from "@listwatch/fake-apiserver/node";
import type { ConfigMap } from "@listwatch/resources/core/v1";
import { Informer } from "@listwatch/shared-informer";
import { eventStreamSource } from "@listwatch/streams";
import { expect, test, vi } from "vitest";
import { contentOf, startBackend } from "../support/dashboard.ts";

/** Longer than anything here takes on a machine that does much else. */
const limitMs = 300_000;

/** Compresses a stream, and flushes after each part, which a `CompressionStream` does not. */
function compress({ body, headers, status }: Response): Response {
  if (body === null) return new Response(null, { status, headers });
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  // Ends the stream when the page has gone, which `pipe` does not.
  pipeline(Readable.fromWeb(body as NodeStream), gzip, () => {});
  const compressed = Readable.toWeb(gzip) as ReadableStream<Uint8Array>;
  return new Response(compressed, {
    status,
    headers: { ...Object.fromEntries(headers), "content-encoding": "gzip" },
  });
}

test.each([false, true])(
  "serves pages over HTTP of Node, compressed: %s (PGS-1)",
  async (isCompressed) => {
    const backend = await startBackend();
    const { clock } = backend;
    await backend.write("a/one", { color: "red" });
    await clock.advance(0);
    const handler = backend.serve();
    await using listener = await listen({
      fetch: async (request) => {
        const response = await handler(request);
        return isCompressed ? compress(response) : response;
      },
    });
    const stream = eventStreamSource(`${listener.url}/stream`);
    const page = new Informer(stream.collection<ConfigMap>("maps"), {
      telemetry: { log: silentLog },
    });
    const stop = new AbortController();
    const running = page.run(stop.signal);
    await page.synced;
    expect(contentOf(page)).toEqual({ "a/one": { color: "red" } });
    await backend.write("a/one", { color: "blue" });
    await clock.advance(0);
    await vi.waitFor(() => {
      expect(contentOf(page)).toEqual({ "a/one": { color: "blue" } });
    }, limitMs);
    stop.abort();
    await running;
    await vi.waitFor(() => {
      expect(handler.status().streams).toBe(0);
    }, limitMs);
    await backend.stop();
  },
);
